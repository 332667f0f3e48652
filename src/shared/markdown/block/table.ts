import { trimEndCharacters } from '../../text/trimEnd';
import type { MarkdownElement } from '../base/markdownNodes';
import { InlineContent } from '../inline/inlineContent';
import type { RenderContext } from '../inline/renderContext';
import type { Leaf } from './block';

export type Alignment = 'left' | 'center' | 'right' | undefined;

/** From this number of rows, a table grows in steps relative to its length: browsers lay out all of it. */
const LONG_TABLE_ROWS = 64;
const STEP_RATIO = 1 / 32;
/** Limit for the missing cells added in total: a few lines could ask for millions. After that, rows have only their own. */
const MAX_FILLED_CELLS = 20_000;

/** Splits a line into cells at its pipes; outer pipes don't count. */
export function splitRow(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/);
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells;
}

/** Matches without trailing spaces: if two parts of it could match the same spaces, it would take quadratic time. */
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*(?:[ \t]*\|)?$/;

/** In characters. The expression overflows the stack over several MB, and no table has so many columns. */
const MAX_DELIMITER_ROW_LENGTH = 1_000_000;

/** Parses a delimiter row below a table's header; returns the alignments of the columns. */
export function parseDelimiterRow(line: string): Alignment[] | undefined {
  if (line.length > MAX_DELIMITER_ROW_LENGTH || !DELIMITER_ROW.test(trimEndCharacters(line, ' \t')))
    return undefined;
  return splitRow(line).map((cell) => {
    const [left, right] = [cell.trim().startsWith(':'), cell.trim().endsWith(':')];
    if (left) return right ? 'center' : 'left';
    return right ? 'right' : undefined;
  });
}

/** A table, starting with its header; a row shows all its cells as soon as it starts. */
export class Table implements Leaf {
  lastLine: number;
  /** The table, or what the page has put around it. */
  readonly element: MarkdownElement;
  readonly #table: MarkdownElement;
  readonly #context: RenderContext;
  readonly #body: MarkdownElement;
  #columns: readonly Alignment[] | undefined;
  #filled = 0;
  #row: Row;
  /** Number of rows in the page: browsers count the children of an element one by one. */
  #rowCount = 0;
  /** Rows that aren't in the page yet. */
  #waiting: MarkdownElement[] = [];

  constructor(firstLine: number, shared: RenderContext) {
    this.lastLine = firstLine;
    this.#context = shared;
    this.#table = shared.document.createElement('table');
    this.#body = shared.document.createElement('tbody');
    this.element = shared.hooks.table?.(this.#table) ?? this.#table;
    const head = shared.document.createElement('thead');
    this.#row = new Row('th', undefined, shared);
    head.appendChild(this.#row.element);
    this.#table.appendChild(head);
  }

  /** Ends the header after the delimiter row. */
  endHeader(columns: readonly Alignment[]): void {
    this.#columns = columns;
    this.#row.close(columns);
  }

  startLine(): void {
    if (!this.#columns) return;
    if (!this.#body.parentNode) this.#table.appendChild(this.#body);
    this.#row = new Row('td', this.#columns, this.#context, this.#filled < MAX_FILLED_CELLS);
    this.#waiting.push(this.#row.element);
  }

  appendToLine(text: string): void {
    this.#row.append(text);
  }

  endLine(): boolean {
    if (this.#columns) {
      this.#row.close(this.#columns);
      this.#filled += this.#columns.length - this.#row.written;
    }
    return false;
  }

  renderBlock(): void {
    this.#row.show();
    if (this.#rowCount > LONG_TABLE_ROWS && this.#waiting.length < this.#rowCount * STEP_RATIO) return;
    this.closeBlock();
  }

  /** Removes the text of a table that turned out to be none: it may hold room for references. */
  clear(): void {
    this.#row.clear();
  }

  closeBlock(): void {
    for (const row of this.#waiting) this.#body.appendChild(row);
    this.#rowCount += this.#waiting.length;
    this.#waiting = [];
  }
}

/** A row, which receives its line in pieces and passes each cell its text. */
class Row {
  readonly element: MarkdownElement;
  readonly #tag: 'th' | 'td';
  readonly #context: RenderContext;
  readonly #cells: { readonly element: MarkdownElement; readonly content: InlineContent }[] = [];
  readonly #columns: number;
  readonly #alignments: readonly Alignment[];
  #started = false;
  /** The text of the current cell. */
  #cell = '';
  #index = 0;

  constructor(
    tag: 'th' | 'td',
    columns: readonly Alignment[] | undefined,
    shared: RenderContext,
    filled = true,
  ) {
    this.element = shared.document.createElement('tr');
    this.#tag = tag;
    this.#context = shared;
    this.#columns = columns?.length ?? Number.POSITIVE_INFINITY;
    this.#alignments = columns ?? [];
    if (filled) for (const alignment of this.#alignments) this.#addCell(alignment);
  }

  /** Number of cells in its line. */
  get written(): number {
    return Math.min(this.#index, this.#columns);
  }

  append(text: string): void {
    const parts = (this.#cell + text).split(/(?<!\\)\|/);
    this.#cell = parts.pop() ?? '';
    for (const part of parts) {
      // A pipe before the first cell only starts the row.
      if (this.#started || part.trim() !== '') this.#closeCell(part);
      this.#started = true;
    }
  }

  show(): void {
    if (this.#cell.trim() === '') return;
    const cell = this.#getCell(this.#index);
    if (cell) appendCellText(cell, this.#cell.replace(/\\$/, ''));
    cell?.renderInline();
  }

  clear(): void {
    for (const { content } of this.#cells) content.clear();
  }

  close(columns: readonly Alignment[]): void {
    if (this.#cell.trim() !== '') this.#closeCell(this.#cell);
    this.#cell = '';
    if (this.#tag === 'td') return;
    for (const [index, alignment] of columns.entries()) alignCell(this.#cells[index]?.element, alignment);
  }

  #closeCell(text: string): void {
    const cell = this.#getCell(this.#index);
    if (cell) appendCellText(cell, text);
    cell?.closeInline();
    this.#index++;
  }

  #getCell(index: number): InlineContent | undefined {
    while (this.#cells.length <= index && index < this.#columns)
      this.#addCell(this.#alignments[this.#cells.length]);
    return this.#cells[index]?.content;
  }

  #addCell(alignment: Alignment): void {
    const element = this.#context.document.createElement(this.#tag);
    alignCell(element, alignment);
    this.element.appendChild(element);
    this.#cells.push({ element, content: new InlineContent(element, this.#context) });
  }
}

/** Appends the new part of a cell's text, in which `\|` stands for a pipe. */
function appendCellText(cell: InlineContent, text: string): void {
  const content = text.trimStart().replaceAll('\\|', '|');
  cell.appendInline(content.slice(cell.text.length));
}

function alignCell(cell: MarkdownElement | undefined, alignment: Alignment): void {
  if (cell && alignment !== undefined) cell.className = `align-${alignment}`;
}
