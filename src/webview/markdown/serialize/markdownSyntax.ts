import { trimEndCharacters } from '../../../shared/trimEnd';

/**
 * Text as Markdown that shows just that; what can't be mistaken for markup stays as it is. Of brackets the closing one is
 * enough, and an escaped pair would be a formula's.
 */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[\\`*\]~]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/<(?=[A-Za-z/!?])/g, '\\<')
      .replace(/&(?=#?\w+;)/g, '\\&')
      // A price is no formula.
      .replace(/\$(?!\d)/g, '\\$')
      .replace(/!$/, '\\!')
  );
}

/** No line begins or ends with space, and none is blank. */
export function cleanInline(text: string): string {
  return text
    .replace(/\n[ \t\n]*/g, '\n')
    .split('\n')
    .map((line) => trimEndCharacters(line, ' \t'))
    .join('\n')
    .replace(/\\?\n$/, '')
    .trim();
}

/** Text lines that would begin a block of another kind begin with a backslash. */
export function escapeLineStarts(text: string): string {
  return text
    .replace(
      /^(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|={1,}[ \t]*$|-{2,}[ \t]*$|(?:-[ \t]*){3,}$|\|?[ \t]*:?-+:?[ \t]*(?:\||$))/gm,
      '\\',
    )
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/gm, '$1\\');
}

export function inlineCode(text: string): string {
  if (text === '') return '';
  const runs: string[] = text.match(/`+/g) ?? [];
  let ticks = '`';
  while (runs.includes(ticks)) ticks += '`';
  const ends = (mark: string) => [text.startsWith(mark), text.endsWith(mark)];
  const isPadded = ends('`').some(Boolean) || (ends(' ').every(Boolean) && /[^ ]/.test(text));
  const padded = isPadded ? ` ${text} ` : text;
  return ticks + padded + ticks;
}

/** `[text](address "title")`. */
export function target(text: string, href: string, title: string | null): string {
  const plain = href.replace(/&(?=#?\w+;)/g, '\\&');
  const address = /^[^\s<>()\\]+$/.test(href)
    ? plain
    : `<${href.replace(/[<>\\]|&(?=#?\w+;)/g, '\\$&').replace(/\n/g, '%0A')}>`;
  const quoted = title === null ? '' : ` "${title.replace(/["\\]/g, '\\$&')}"`;
  return `[${text}](${address}${quoted})`;
}

/** A `#` at the end would close the heading. */
export function escapeClosingSigns(line: string): string {
  const text = trimEndCharacters(line, '#');
  return text !== line && (text === '' || /\s$/.test(text)) ? `${text}\\${line.slice(text.length)}` : line;
}
