import mime from 'mime';

/** What a file goes up as. */
export interface UploadName {
  /** With an extension, which the service asks for. */
  readonly name: string;
  readonly contentType: string;
}

/** Bytes of UTF-8; longer names are refused by file systems and object stores alike. */
const MAX_NAME_BYTES = 200;
/** Characters that follow a name's last dot: the end of a sentence, rather than an extension, where there are more. */
const MAX_EXTENSION_LENGTH = 20;

/**
 * The name and content type of a file for `POST /uploads/signed-url`, which wants an extension. Extensions in `asText`
 * (lower case, no dot), and files without one, go up as `NAME.txt`, `text/plain`. The base name only, without control and bidi characters.
 */
export function uploadName(path: string, asText: ReadonlySet<string>): UploadName {
  const base = baseName(path);
  const extension = /[^.]\.([^.]+)$/.exec(base)?.[1];
  const isExtension = extension !== undefined && extension.length <= MAX_EXTENSION_LENGTH;
  if (!isExtension || asText.has(extension.toLowerCase())) return textUploadName(path);
  const suffix = `.${base.slice(-extension.length)}`;
  const stem = base.slice(0, -suffix.length);
  return {
    name: shorten(stem, MAX_NAME_BYTES - countBytes(suffix)) + suffix,
    contentType: mime.getType(extension) ?? 'application/octet-stream',
  };
}

/** The same for any file that is to go up as text. */
export function textUploadName(path: string): UploadName {
  return { name: `${shorten(baseName(path), MAX_NAME_BYTES - 4)}.txt`, contentType: 'text/plain' };
}

/** What a path's last part is called where people and services read it. */
export function baseName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  const clean = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}

function shorten(text: string, maxBytes: number): string {
  const points = Array.from(text);
  while (countBytes(points.join('')) > maxBytes) points.pop();
  return points.join('');
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
