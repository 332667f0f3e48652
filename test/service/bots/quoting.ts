import type { TextDocument } from './documentText';
import { excerpt } from './focus';
import type { Passage } from './passages';

const longestCode = 60;
const longestProse = 1200;

/** `**app.ts**, lines 3–9`. */
export function place(document: TextDocument, startLine: number, endLine: number): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  return `**${document.name}**, ${lines}`;
}

/** A fenced block that its content can't close. */
export function fenced(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [fence + language, ...lines, fence].join('\n');
}

/** Lines of a document: code in a fence of its language, prose as a blockquote, very long lines around `words`. */
export function quote(
  { document, startLine, endLine }: Pick<Passage, 'document' | 'startLine' | 'endLine'>,
  words: readonly string[] = [],
): string {
  const lines = document.lines.slice(startLine - 1, endLine);
  if (!document.language) return blockquote(lines, words);
  const shown = outdent(lines.slice(0, longestCode));
  const left = lines.length - shown.length;
  return fenced(document.language, shown) + (left > 0 ? `\n\n_… and ${count(left, 'more line')}._` : '');
}

function blockquote(lines: readonly string[], words: readonly string[]): string {
  let budget = longestProse;
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

/** `1 line`, `2 lines`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** A GFM table; a `|` in a cell doesn't end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Inline code, however many backticks are in it. */
export function inlineCode(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : ticks + text + ticks;
}

export function paragraphs(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
