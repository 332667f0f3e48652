import mime from 'mime';

/** What a file goes up as. */
export interface UploadName {
  readonly name: string;
  readonly contentType: string;
}

/** Bytes of UTF-8; longer names are refused by file systems and object stores alike. */
const MAX_NAME_BYTES = 200;

/**
 * The name and content type of a file for `POST /uploads/signed-url`, which wants an extension. Extensions in `asText`
 * (lower case, no dot), and files without one, go up as `NAME.txt`, `text/plain`. The base name only, without control and bidi characters.
 */
export function uploadName(path: string, asText: ReadonlySet<string>): UploadName {
  const base = cleanName(path.split(/[/\\]/).at(-1) ?? '');
  const extension = /[^.]\.([^.]+)$/.exec(base)?.[1];
  if (extension === undefined || asText.has(extension.toLowerCase())) {
    return { name: `${shorten(base, MAX_NAME_BYTES - 4)}.txt`, contentType: 'text/plain' };
  }
  const suffix = `.${base.slice(-extension.length)}`;
  const stem = base.slice(0, -suffix.length);
  return {
    name: shorten(stem, MAX_NAME_BYTES - suffix.length) + suffix,
    contentType: mime.getType(extension) ?? 'application/octet-stream',
  };
}

function cleanName(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}

function shorten(text: string, maxBytes: number): string {
  const encoder = new TextEncoder();
  const points = Array.from(text);
  while (encoder.encode(points.join('')).length > maxBytes) points.pop();
  return points.join('');
}
