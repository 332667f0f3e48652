/** A file as named in a reply; only the host knows whether it exists. */
export interface NamedFile {
  readonly path: string;
  /** First and last line, from 1. */
  readonly lines?: readonly [first: number, last: number];
}

/** A part of a text that names a file. */
export interface FileMention {
  readonly start: number;
  readonly end: number;
  readonly file: NamedFile;
}

/** In code units: longer text names no file. */
const LONGEST = 260;
const WHOLE = /^([^:*?"<>|`\n]+)(?::(\d{1,7})(?:([:-])(\d{1,7}))?)?$/;
// In prose only text with a slash counts as a path; a period after it isn't part of it.
const IN_PROSE =
  /(?<![\p{L}\p{N}_.@+$~/\\:-])[\p{L}\p{N}_.@+$~-]+(?:[/\\][\p{L}\p{N}_.@+$~-]*[\p{L}\p{N}_$~+])+(?::\d{1,7}(?:[:-]\d{1,7})?)?(?![\p{L}\p{N}_/\\])/gu;

/** Parses a text that names a file: `src/app.ts`, `app.ts:12`, `app.ts:12:5`, `src/app.ts:3-9`. */
export function namedFile(text: string): NamedFile | undefined {
  const [, path = '', first, separator, end] = WHOLE.exec(text) ?? [];
  if (path.length > LONGEST || /^[/\\~]/.test(path) || !/[/\\]|\.[\p{L}\p{N}_-]+$/u.test(path))
    return undefined;
  if (first === undefined) return { path };
  const from = Number(first);
  const to = separator === '-' ? Number(end) : from;
  return from >= 1 && from <= to ? { path, lines: [from, to] } : undefined;
}

/** Finds the paths in prose. */
export function mentions(prose: string): FileMention[] {
  return [...prose.matchAll(IN_PROSE)].flatMap(({ index, 0: text }) => {
    const file = namedFile(text);
    return file ? [{ start: index, end: index + text.length, file }] : [];
  });
}

/** Finds the file in a code block's info string: `ts src/app.ts`, `src/app.ts:3-9`, `ts title="src/app.ts"`. */
export function fileOfInfo(info: string): NamedFile | undefined {
  const [, title] = /(?:^|\s)(?:title|file|filename|path)=["']?([^"']+)/.exec(info) ?? [];
  if (title) return namedFile(title.trim());
  return info.split(/\s+/).map(namedFile).find(Boolean);
}

/** Returns the language in a code block's info string, or the extension if it names a file instead. */
export function languageOfInfo(info: string): string {
  const word = /^\S*/.exec(info)?.[0] ?? '';
  const file = namedFile(word);
  return file ? (/\.([^./\\]+)$/.exec(file.path)?.[1] ?? '') : word;
}

/** Returns the file named by a line above a code block, if the line contains nothing else. */
export function fileOfCaption(caption: string): NamedFile | undefined {
  return namedFile(caption.trim().replace(/:$/, ''));
}
