/** A file as named in a reply; only the host knows whether it exists. */
export interface FileReference {
  readonly path: string;
  /** First and last line, from 1. */
  readonly lines?: readonly [first: number, last: number];
}

/** In code units: longer text names no file. */
const MAX_PATH_LENGTH = 260;
const FILE_REFERENCE = /^([^:*?"<>|`\n]+)(?::(\d{1,7})(?:([:-])(\d{1,7}))?)?$/;

/** Parses a text that names a file: `src/app.ts`, `app.ts:12`, `app.ts:12:5`, `src/app.ts:3-9`. */
export function parseFileReference(text: string): FileReference | undefined {
  const [, path = '', first, separator, end] = FILE_REFERENCE.exec(text) ?? [];
  if (path.length > MAX_PATH_LENGTH || /^[/\\~]/.test(path) || !/[/\\]|\.[\p{L}\p{N}_-]+$/u.test(path))
    return undefined;
  if (first === undefined) return { path };
  const from = Number(first);
  const to = separator === '-' ? Number(end) : from;
  return from >= 1 && from <= to ? { path, lines: [from, to] } : undefined;
}

/** Finds the file in a code block's info string: `ts src/app.ts`, `src/app.ts:3-9`, `ts title="src/app.ts"`. */
export function parseInfoFile(info: string): FileReference | undefined {
  const [, title] = /(?:^|\s)(?:title|file|filename|path)=["']?([^"']+)/.exec(info) ?? [];
  if (title) return parseFileReference(title.trim());
  return info.split(/\s+/).map(parseFileReference).find(Boolean);
}

/** Returns the language in a code block's info string, or the extension if it names a file instead. */
export function parseInfoLanguage(info: string): string {
  const word = /^\S*/.exec(info)?.[0] ?? '';
  const file = parseFileReference(word);
  return file ? (/\.([^./\\]+)$/.exec(file.path)?.[1] ?? '') : word;
}

/** Returns the file named by a line above a code block, if the line contains nothing else. */
export function parseCaptionFile(caption: string): FileReference | undefined {
  return parseFileReference(caption.trim().replace(/:$/, ''));
}
