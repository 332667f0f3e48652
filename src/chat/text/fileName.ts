/** Code points; with an extension this fits every file system, however many bytes each needs. */
const MAX_CODE_POINTS = 60;

/**
 * Converts a conversation's name to a file name without an extension, with nothing that a file system
 * refuses, hides or interprets as a path. `untitled` replaces an empty result, and precedes a device name of
 * Windows.
 */
export function toFileName(name: string, untitled = 'Conversation'): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const short = Array.from(clean)
    .slice(0, MAX_CODE_POINTS)
    .join('')
    .replace(/[. ]+$/, '');
  // Windows treats these as devices, with any extension.
  return short === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short)
    ? `${untitled} ${short}`.trim()
    : short;
}
