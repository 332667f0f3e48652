const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a size in a language. As in VS Code, each unit is 1024 times the one before. */
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
  // CLDR's kB means 1000 bytes.
  return format.format(value).replace('kB', 'KB');
}
