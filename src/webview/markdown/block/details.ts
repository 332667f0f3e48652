import type { LineCursor } from '../base/lineCursor';
import { NEED_MORE, type NeedMore } from '../base/needMore';
import { Container } from './containers';

/** In characters. The line of a start or summary is read as a whole; a longer one is text with tags. */
const MAX_LINE_LENGTH = 1000;
const START = /^<details>[ \t]*(?:<summary>(.*)<\/summary>[ \t]*)?$/i;
const START_PREFIX = /^<details>[ \t]*(?:<(?:s(?:u(?:m(?:m(?:a(?:r(?:y(?:>.*)?)?)?)?)?)?)?)?)?$/i;
const SUMMARY = /^<summary>(.*)<\/summary>[ \t]*$/i;
const END = /^<\/details>[ \t]*$/i;
const END_PREFIX = /^<(?:\/(?:d(?:e(?:t(?:a(?:i(?:l(?:s(?:>[ \t]*)?)?)?)?)?)?)?)?)?$/i;

/**
 * Blocks between `<details>` and `</details>`, each on a line of its own. A `<summary>` in one line may follow the start
 * or its line. Anything else is text with tags.
 */
export class Details extends Container {
  #lastLine: number | undefined;
  #summaryLine: number | undefined;

  constructor(firstLine: number) {
    super(document.createElement('details'), firstLine);
    this.element.className = 'md-details';
  }

  get takesSummary(): boolean {
    return this.#summaryLine === undefined && this.last === undefined;
  }

  override get lastLine(): number {
    return this.#lastLine ?? Math.max(super.lastLine, this.#summaryLine ?? 0);
  }

  /** Adds the element of the summary. */
  addSummary(line: number): HTMLElement {
    this.#summaryLine = line;
    const summary = document.createElement('summary');
    this.element.append(summary);
    return summary;
  }

  /** Ends it at the line of its end tag. */
  end(lastLine: number): void {
    this.#lastLine = lastLine;
  }
}

/** Reads `<details>` and the summary on the same line, if there is one. */
export function readDetailsStart(cursor: LineCursor): { summary: string | undefined } | NeedMore | undefined {
  return readLine(cursor, START, START_PREFIX, ([, summary]) => ({ summary }));
}

/** Reads `<summary>…</summary>` at the start of details. */
export function readSummary(cursor: LineCursor): string | NeedMore | undefined {
  if (cursor.indent >= 4) return undefined;
  return readLine(cursor, SUMMARY, /^<(?:summary>.*|[sumary]{0,7})$/i, ([, text]) => text ?? '');
}

export function isDetailsEnd(cursor: LineCursor): boolean | NeedMore {
  if (cursor.indent >= 4) return false;
  return readLine(cursor, END, END_PREFIX, () => true) ?? false;
}

/** Reads a whole line, which is consumed. */
function readLine<T>(
  cursor: LineCursor,
  pattern: RegExp,
  prefix: RegExp,
  toValue: (match: RegExpExecArray) => T,
): T | NeedMore | undefined {
  const { trimmed, complete } = cursor;
  if (trimmed[0] !== '<' || trimmed.length > MAX_LINE_LENGTH) return undefined;
  if (!complete) return prefix.test(trimmed) ? NEED_MORE : undefined;
  const match = pattern.exec(trimmed);
  if (!match) return undefined;
  cursor.consume(trimmed.length);
  return toValue(match);
}
