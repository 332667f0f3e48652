/** A number with a sign isn't a formula. */
const NUMBER = /^[-+]?\d[\d.,\u00a0\u202f ]*%?$/;
/** Matches text that a spreadsheet may interpret as a formula, in any width (OWASP, CSV Injection). */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Formats rows of cells as CSV (RFC 4180). A cell, or a line of one, that starts like a formula is preceded by an
 * apostrophe: lines that are pasted as text become cells.
 */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(formatCell).join(',')).join('\r\n');
}

/** Returns the text of a rendered table as CSV. */
export function tableToCsv(table: HTMLTableElement): string {
  return formatCsv([...table.rows].map((row) => [...row.cells].map((cell) => getText(cell).trim())));
}

function formatCell(text: string): string {
  const safe = text
    .split(/(?<=[\r\n])/)
    .map(escapeFormula)
    .join('');
  // Also around the separators of other locales, so that no part of a cell starts another one.
  return /[",;\t\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function escapeFormula(line: string, index: number): string {
  const isBlank = index > 0 && line.trim() === '';
  return FORMULA_START.test(line) && !NUMBER.test(line.trimEnd()) && !isBlank ? `'${line}` : line;
}

function getText(node: Node): string {
  if (node instanceof Text) return node.data.replaceAll('\n', ' ');
  if (node instanceof HTMLBRElement) return '\n';
  if (node instanceof HTMLImageElement) return node.alt;
  if (node instanceof HTMLElement && node.dataset.source) return node.dataset.source;
  return [...node.childNodes].map(getText).join('');
}
