/** A file as a reply names it; whether it exists, only the host knows. */
export interface NamedFile {
  readonly path: string;
  /** First and last, from 1. */
  readonly lines?: readonly [first: number, last: number];
}

/** A stretch of a text that names a file. */
export interface FileMention {
  readonly start: number;
  readonly end: number;
  readonly file: NamedFile;
}

/** Code units: what is longer names no file. */
const LONGEST = 260;
const WHOLE = /^([^:*?"<>|`\n]+)(?::(\d{1,7})(?:([:-])(\d{1,7}))?)?$/;
// In prose only what has a slash looks like a path, and the full stop after it is no part of it.
const IN_PROSE =
  /(?<![\p{L}\p{N}_.@+$~/\\:-])[\p{L}\p{N}_.@+$~-]+(?:[/\\][\p{L}\p{N}_.@+$~-]*[\p{L}\p{N}_$~+])+(?::\d{1,7}(?:[:-]\d{1,7})?)?(?![\p{L}\p{N}_/\\])/gu;

/** The file that a whole text names: `src/app.ts`, `app.ts:12`, `app.ts:12:5`, `src/app.ts:3-9`. */
export function namedFile(text: string): NamedFile | undefined {
  const [, path = '', first, separator, end] = WHOLE.exec(text) ?? [];
  if (path.length > LONGEST || /^[/\\~]/.test(path) || !/[/\\]|\.[\p{L}\p{N}_-]+$/u.test(path))
    return undefined;
  if (first === undefined) return { path };
  const from = Number(first);
  const to = separator === '-' ? Number(end) : from;
  return from >= 1 && from <= to ? { path, lines: [from, to] } : undefined;
}

/** The paths in a sentence. */
export function mentions(prose: string): FileMention[] {
  return [...prose.matchAll(IN_PROSE)].flatMap(({ index, 0: text }) => {
    const file = namedFile(text);
    return file ? [{ start: index, end: index + text.length, file }] : [];
  });
}

/** The file in a code block's info string: `ts src/app.ts`, `src/app.ts:3-9`, `ts title="src/app.ts"`. */
export function fileOfInfo(info: string): NamedFile | undefined {
  const [, title] = /(?:^|\s)(?:title|file|filename|path)=["']?([^"']+)/.exec(info) ?? [];
  if (title) return namedFile(title.trim());
  return info.split(/\s+/).map(namedFile).find(Boolean);
}

/** The language in a code block's info string; where a file stands in its place, that file's extension. */
export function languageOfInfo(info: string): string {
  const word = /^\S*/.exec(info)?.[0] ?? '';
  const file = namedFile(word);
  return file ? (/\.([^./\\]+)$/.exec(file.path)?.[1] ?? '') : word;
}

/** The file that a line above a code block names, when it says nothing else. */
export function fileOfCaption(caption: string): NamedFile | undefined {
  return namedFile(caption.trim().replace(/:$/, ''));
}
