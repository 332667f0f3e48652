import { MATH_ENDS } from '../../text/formulaText';
import { NEED_MORE, type NeedMore } from '../../text/needMore';
import type { MarkdownHooks } from '../base/hooks';
import type { LineCursor } from '../base/lineCursor';
import type { MarkdownElement, MarkdownText } from '../base/markdownNodes';
import type { RenderContext } from '../inline/renderContext';
import type { Leaf } from './block';
import { type Fence, isFenceEnd } from './blockStarts';

export type DisplayMark = '$$' | '\\[';

const LINE_ENDS = { $$: /(?<!\\)\$\$\s*$/, '\\[': /(?<!\\)\\\]\s*$/ };

/** Reads a line that contains nothing but the mark of a display formula. */
export function readMathStart(cursor: LineCursor): DisplayMark | NeedMore | undefined {
  const text = cursor.trimmed.trimEnd();
  if (!cursor.complete && /^(?:\$\$?|\\\[?)$/.test(text)) return NEED_MORE;
  return text === '$$' || text === '\\[' ? text : undefined;
}

export function isMathFence(fence: Fence): boolean {
  return /^math(?:\s|$)/.test(fence.info);
}

/** A display formula on lines of its own. Shown as its source, which only grows, until it is complete. */
export class MathBlock implements Leaf {
  lastLine: number;
  readonly element: MarkdownElement;
  readonly #mark: DisplayMark | Fence;
  readonly #hooks: MarkdownHooks;
  readonly #text: MarkdownText;
  #pending: string;
  #line = '';
  #tex = '';

  constructor(mark: DisplayMark | Fence, firstLine: number, { document, hooks }: RenderContext) {
    this.element = document.createElement('div');
    this.#text = document.createTextNode('');
    this.lastLine = firstLine;
    this.#mark = mark;
    this.#hooks = hooks;
    this.#pending = typeof mark === 'string' ? mark : `${mark.mark.repeat(mark.length)}${mark.info}`;
    this.element.className = 'md-math md-display';
    this.element.appendChild(this.#text);
  }

  /** Returns whether a line starts with the end of the formula, which other text may follow. */
  isEnd(cursor: LineCursor): boolean | NeedMore {
    if (typeof this.#mark !== 'string') return isFenceEnd(cursor, this.#mark);
    const consumeEnd = MATH_ENDS[this.#mark];
    const text = cursor.trimmed.trimEnd();
    if (!cursor.complete && text.length <= consumeEnd.length && consumeEnd.startsWith(text)) return NEED_MORE;
    return text.startsWith(consumeEnd);
  }

  /** Consumes the end of the formula from a line. */
  end(cursor: LineCursor): void {
    const end = typeof this.#mark === 'string' ? MATH_ENDS[this.#mark] : cursor.trimmed.trimEnd();
    this.#pending += `\n${end}`;
    cursor.consume(end.length);
  }

  startLine(): void {
    this.#pending += '\n';
  }

  appendToLine(text: string): void {
    this.#line += text;
    this.#pending += text;
  }

  endLine(): boolean {
    const end = typeof this.#mark === 'string' ? LINE_ENDS[this.#mark].exec(this.#line) : null;
    this.#tex += `${end ? this.#line.slice(0, end.index) : this.#line}\n`;
    this.#line = '';
    return end !== null;
  }

  renderBlock(): void {
    if (this.#pending !== '') this.#text.appendData(this.#pending);
    this.#pending = '';
  }

  closeBlock(): void {
    this.renderBlock();
    const tex = this.#tex.trim();
    if (tex !== '') this.#hooks.formula?.(this.element, tex, true);
  }
}
