/** Code points; with an extension it fits every file system, however many bytes each has. */
const MAX_LENGTH = 60;

/**
 * A conversation's name as a file's, without an extension: nothing that a file system refuses, hides or reads as a path.
 * `untitled` stands for a name of which nothing is left, and before one that means something else to Windows.
 */
export function toFileName(name: string, untitled = 'Conversation'): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const short = Array.from(clean)
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[. ]+$/, '');
  // Windows takes these for devices, with any extension.
  return short === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short)
    ? `${untitled} ${short}`.trim()
    : short;
}
