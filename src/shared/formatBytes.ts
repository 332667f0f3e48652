const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in words, in this language. As in VS Code, 1024 make the next unit. */
export function formatBytes(bytes: number, language: string): string {
  let value = bytes;
  let power = 0;
  for (; power < UNITS.length - 1 && value >= 1024; power++) value /= 1024;
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
  // CLDR's kB is a thousand bytes.
  return format.format(value).replace('kB', 'KB');
}
