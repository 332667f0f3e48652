import { type FileReference, parseFileReference } from './fileReference';

/** A part of a text that names a file. */
export interface FilePath {
  readonly start: number;
  readonly end: number;
  readonly file: FileReference;
}

// In prose only text with a slash counts as a path; a period after it isn't part of it.
const IN_PROSE =
  /(?<![\p{L}\p{N}_.@+$~/\\:-])[\p{L}\p{N}_.@+$~-]+(?:[/\\][\p{L}\p{N}_.@+$~-]*[\p{L}\p{N}_$~+])+(?::\d{1,7}(?:[:-]\d{1,7})?)?(?![\p{L}\p{N}_/\\])/gu;

/** Finds the paths in prose. */
export function findFilePaths(prose: string): FilePath[] {
  return [...prose.matchAll(IN_PROSE)].flatMap(({ index, 0: text }) => {
    const file = parseFileReference(text);
    return file ? [{ start: index, end: index + text.length, file }] : [];
  });
}
