/** The name and type under which a file is uploaded. */
export interface UploadName {
  /** Includes an extension, which the service requires. */
  readonly name: string;
  readonly contentType: string;
}

/** UTF-8 bytes; file systems and object stores refuse longer names. */
const MAX_NAME_BYTES = 200;
/** More characters than this after the last dot are the end of a sentence rather than an extension. */
const MAX_EXTENSION_LENGTH = 20;

/**
 * Returns a file's name and content type for `POST /uploads/signed-url`, which requires an extension. Files
 * without an extension, or with one in `asText` (lower case, no dot), become `NAME.txt`, `text/plain`. Uses
 * the base name only, without control and bidi characters. `getType`: returns the content type of an extension.
 */
export function createUploadName(
  path: string,
  asText: ReadonlySet<string>,
  getType: (extension: string) => string,
): UploadName {
  const base = baseName(path);
  const extension = /[^.]\.([^.]+)$/.exec(base)?.[1];
  const isExtension = extension !== undefined && extension.length <= MAX_EXTENSION_LENGTH;
  if (!isExtension || asText.has(extension.toLowerCase())) return toTextUploadName(path);
  const suffix = `.${base.slice(-extension.length)}`;
  const stem = base.slice(0, -suffix.length);
  return {
    name: shorten(stem, MAX_NAME_BYTES - countBytes(suffix)) + suffix,
    contentType: getType(extension),
  };
}

/** Returns the name and content type of a file that is uploaded as text. */
export function toTextUploadName(path: string): UploadName {
  return { name: `${shorten(baseName(path), MAX_NAME_BYTES - 4)}.txt`, contentType: 'text/plain' };
}

/** Returns the last part of a path, cleaned for display, for the service and for paths. */
export function baseName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}

function shorten(text: string, maxBytes: number): string {
  let short = '';
  let bytes = 0;
  for (const point of text) {
    bytes += countBytes(point);
    if (bytes > maxBytes) break;
    short += point;
  }
  return short;
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
