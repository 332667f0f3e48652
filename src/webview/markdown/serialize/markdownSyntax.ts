import { trimEndCharacters } from '../../../shared/text/trimEnd';

/**
 * Escapes text so that Markdown shows it unchanged; leaves characters that can't be mistaken for markup. Escaping the
 * closing bracket is enough, and escaping both would make a formula.
 */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[\\`*\]~]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/<(?=[A-Za-z/!?])/g, '\\<')
      .replace(/&(?=#?\w+;)/g, '\\&')
      // A price isn't a formula.
      .replace(/\$(?!\d)/g, '\\$')
      .replace(/!$/, '\\!')
  );
}

/** Removes spaces at the start and end of lines, and blank lines. */
export function trimLines(text: string): string {
  return text
    .replace(/\n[ \t\n]*/g, '\n')
    .split('\n')
    .map((line) => trimEndCharacters(line, ' \t'))
    .join('\n')
    .replace(/\\?\n$/, '')
    .trim();
}

/** Escapes lines that would start another kind of block. */
export function escapeLineStarts(text: string): string {
  return text
    .replace(
      /^(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|={1,}[ \t]*$|-{2,}[ \t]*$|(?:-[ \t]*){3,}$|\|?[ \t]*:?-+:?[ \t]*(?:\||$))/gm,
      '\\',
    )
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/gm, '$1\\');
}

export function formatInlineCode(text: string): string {
  if (text === '') return '';
  const runs: string[] = text.match(/`+/g) ?? [];
  let ticks = '`';
  while (runs.includes(ticks)) ticks += '`';
  const ends = (mark: string) => [text.startsWith(mark), text.endsWith(mark)];
  const isPadded = ends('`').some(Boolean) || (ends(' ').every(Boolean) && /[^ ]/.test(text));
  const padded = isPadded ? ` ${text} ` : text;
  return ticks + padded + ticks;
}

/** Formats a link as `[text](address "title")`. */
export function formatTarget(text: string, href: string, title: string | null): string {
  const plain = href.replace(/&(?=#?\w+;)/g, '\\&');
  const address = /^[^\s<>()\\]+$/.test(href)
    ? plain
    : `<${href.replace(/[<>\\]|&(?=#?\w+;)/g, '\\$&').replace(/\n/g, '%0A')}>`;
  const quoted = title === null ? '' : ` "${title.replace(/["\\]/g, '\\$&')}"`;
  return `[${text}](${address}${quoted})`;
}

/** Escapes a `#` at the end, which would close the heading. */
export function escapeClosingSigns(line: string): string {
  const text = trimEndCharacters(line, '#');
  return text !== line && (text === '' || /\s$/.test(text)) ? `${text}\\${line.slice(text.length)}` : line;
}
