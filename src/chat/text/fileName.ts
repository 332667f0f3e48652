/**
 * Noncharacters and lone surrogates. On Windows, libuv ends the process at some of them
 * (https://github.com/libuv/libuv/blob/v1.x/src/idna.c: `code_point < 0x10FFFF`), and a lone surrogate has no UTF-8.
 */
const NEVER_IN_PATHS = /[\p{Noncharacter_Code_Point}\p{Cs}]/u;

/** Returns whether a text from elsewhere may become part of a path, as far as its characters matter to every system. */
export function canBeInPath(text: string): boolean {
  return !NEVER_IN_PATHS.test(text) && !text.includes('\0');
}

/**
 * Splits a relative path from elsewhere, with `/` or `\\`, into its parts; undefined if it is absolute, has `..` or a drive, or
 * can't be a path.
 */
export function splitRelativePath(path: string): readonly string[] | undefined {
  const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  const isRelative = parts.every((part) => !['', '.', '..'].includes(part) && !part.includes(':'));
  return isRelative && canBeInPath(path) ? parts : undefined;
}

/** Code points; with an extension this fits every file system, however many bytes each needs. */
const MAX_CODE_POINTS = 60;

/**
 * Converts a conversation's name to a file name without an extension, with nothing that a file system
 * refuses, hides or interprets as a path. `untitled` replaces an empty result, and precedes a device name of
 * Windows.
 */
export function toFileName(name: string, untitled = 'Conversation'): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const short = Array.from(clean)
    .slice(0, MAX_CODE_POINTS)
    .join('')
    .replace(/[. ]+$/, '');
  return short === '' || isDeviceName(short) ? `${untitled} ${short}`.trim() : short;
}

/**
 * Returns whether Windows opens a device instead of a file of this name, whatever its extension is: `nul`, `nul .txt`,
 * `COM¹` (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i.test(name);
}
