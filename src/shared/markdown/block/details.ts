import { NEED_MORE, type NeedMore } from '../../text/needMore';
import type { LineCursor } from '../base/lineCursor';
import type { MarkdownDocument, MarkdownElement } from '../base/markdownNodes';
import { Container } from './containers';

/** In characters. The line of a start or summary is read as a whole; a longer one is text with tags. */
const MAX_LINE_LENGTH = 1000;
const START = /^<details>[ \t]*(?:<summary>(.*)<\/summary>[ \t]*)?$/i;
const SUMMARY = /^<summary>(.*)<\/summary>[ \t]*$/i;
const END = /^<\/details>[ \t]*$/i;

/**
 * Blocks between `<details>` and `</details>`, each on a line of its own. A `<summary>` in one line may follow the start
 * or its line. Anything else is text with tags.
 */
export class Details extends Container {
  readonly #document: MarkdownDocument;
  #lastLine: number | undefined;
  #summaryLine: number | undefined;

  constructor(document: MarkdownDocument, firstLine: number) {
    super(document.createElement('details'), firstLine);
    this.#document = document;
    this.element.className = 'md-details';
  }

  get takesSummary(): boolean {
    return this.#summaryLine === undefined && this.last === undefined;
  }

  override get lastLine(): number {
    return this.#lastLine ?? Math.max(super.lastLine, this.#summaryLine ?? 0);
  }

  /** Adds the element of the summary. */
  addSummary(line: number): MarkdownElement {
    this.#summaryLine = line;
    const summary = this.#document.createElement('summary');
    this.element.appendChild(summary);
    return summary;
  }

  /** Ends it at the line of its end tag. */
  end(lastLine: number): void {
    this.#lastLine = lastLine;
  }
}

/** Reads `<details>` and the summary on the same line, if there is one. */
export function readDetailsStart(cursor: LineCursor): RegExpExecArray | NeedMore | undefined {
  return readLine(cursor, START, /^<details>[ \t]*(?:<.*)?$/i);
}

/** Reads `<summary>…</summary>` at the start of details. */
export function readSummary(cursor: LineCursor): RegExpExecArray | NeedMore | undefined {
  return readLine(cursor, SUMMARY, /^<(?:s.*)?$/i);
}

export function readDetailsEnd(cursor: LineCursor): RegExpExecArray | NeedMore | undefined {
  return readLine(cursor, END, /^<(?:\/[a-z]*>?[ \t]*)?$/i);
}

/** Reads a whole line, which is consumed. `prefix`: what may become such a line. */
function readLine(cursor: LineCursor, line: RegExp, prefix: RegExp): RegExpExecArray | NeedMore | undefined {
  const { trimmed, complete, indent } = cursor;
  if (trimmed[0] !== '<' || indent >= 4 || trimmed.length > MAX_LINE_LENGTH) return undefined;
  if (!complete) return prefix.test(trimmed) ? NEED_MORE : undefined;
  const match = line.exec(trimmed);
  if (match) cursor.consume(trimmed.length);
  return match ?? undefined;
}
