const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const TIME_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Picks the message for a count by the language's plural rules: `one` for the category of that name, otherwise `other`. */
export function getPluralMessage(language: string, count: number, one: string, other: string): string {
  return new Intl.PluralRules(language).select(count) === 'one' ? one : other;
}

/** Formats a size in a language. As in VS Code, each unit is 1024 times the one before. */
export function formatBytes(bytes: number, language: string): string {
  let value = bytes;
  let power = 0;
  for (; power < SIZE_UNITS.length - 1 && value >= 1024; power++) value /= 1024;
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: SIZE_UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
  // CLDR's kB means 1000 bytes.
  return format.format(value).replace('kB', 'KB');
}

/** Formats how long ago a time was, in the largest unit that fits; times in ms since the epoch. */
export function formatAge(at: number, now: number, format: Intl.RelativeTimeFormat): string {
  for (const [unit, length] of TIME_UNITS) {
    if (now - at >= length) return format.format(-Math.floor((now - at) / length), unit);
  }
  return format.format(0, 'second');
}
