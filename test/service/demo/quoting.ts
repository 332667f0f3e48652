import type { TextDocument } from './documentText';
import { excerpt } from './focus';
import type { Passage } from './passages';

const MAX_CODE_LINES = 60;
const MAX_PROSE_CHARACTERS = 1200;

/** Formats a location, such as `**app.ts**, lines 3–9`. */
export function formatLocation(document: TextDocument, startLine: number, endLine: number): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  return `**${document.name}**, ${lines}`;
}

/** Formats a fenced block that its content can't close. */
export function formatFence(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [fence + language, ...lines, fence].join('\n');
}

/**
 * Quotes lines of a document: code in a fence with its language, prose as a blockquote with very long lines
 * shortened around `words`.
 */
export function quote(
  { document, startLine, endLine }: Pick<Passage, 'document' | 'startLine' | 'endLine'>,
  words: readonly string[] = [],
): string {
  const lines = document.lines.slice(startLine - 1, endLine);
  if (!document.language) return formatBlockquote(lines, words);
  const shown = outdent(lines.slice(0, MAX_CODE_LINES));
  const left = lines.length - shown.length;
  return formatFence(document.language, shown) + (left > 0 ? `\n\n_… and ${count(left, 'more line')}._` : '');
}

function formatBlockquote(lines: readonly string[], words: readonly string[]): string {
  let budget = MAX_PROSE_CHARACTERS;
  const shown: string[] = [];
  for (const line of lines) {
    if (budget <= 0) break;
    shown.push(excerpt(line, words));
    budget -= shown.at(-1)?.length ?? 0;
  }
  return shown.map((line) => `> ${line}`.trimEnd()).join('\n');
}

function outdent(lines: readonly string[]): string[] {
  const depths = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  const depth = Math.min(...depths);
  return lines.map((line) => line.slice(depth));
}

/** Formats a number with its noun, such as `1 line` or `2 lines`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats a GFM table; escapes each `|` in a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats inline code that may contain backticks. */
export function inlineCode(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : ticks + text + ticks;
}

export function paragraphs(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
