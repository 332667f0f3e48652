const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats how long ago a time was, in the largest unit that fits; times in ms since the epoch. */
export function formatAge(at: number, now: number, format: Intl.RelativeTimeFormat): string {
  for (const [unit, length] of UNITS) {
    if (now - at >= length) return format.format(-Math.floor((now - at) / length), unit);
  }
  return format.format(0, 'second');
}
