import * as vscode from 'vscode';

/** A size in words, in VS Code's language: 1000 to the next unit. */
export function formatBytes(count: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return new Intl.NumberFormat(vscode.env.language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(count / 1000 ** power);
}
