import type { MarkdownHooks } from '../base/hooks';
import type { LineCursor } from '../base/lineCursor';
import { NEED_MORE, type NeedMore } from '../base/needMore';
import { MATH_ENDS } from '../inline/math';
import type { Leaf } from './block';
import { type Fence, fenceEnd } from './blockStarts';

export type DisplayMark = '$$' | '\\[';

const LINE_ENDS = { $$: /(?<!\\)\$\$\s*$/, '\\[': /(?<!\\)\\\]\s*$/ };

/** Reads a line that contains nothing but the mark of a display formula. */
export function mathStart(cursor: LineCursor): DisplayMark | NeedMore | undefined {
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
  readonly element = document.createElement('div');
  readonly #mark: DisplayMark | Fence;
  readonly #hooks: MarkdownHooks;
  readonly #text = document.createTextNode('');
  #hidden: string;
  #line = '';
  #tex = '';

  constructor(mark: DisplayMark | Fence, firstLine: number, hooks: MarkdownHooks) {
    this.lastLine = firstLine;
    this.#mark = mark;
    this.#hooks = hooks;
    this.#hidden = typeof mark === 'string' ? mark : `${mark.mark.repeat(mark.length)}${mark.info}`;
    this.element.className = 'md-math md-display';
    this.element.append(this.#text);
  }

  /** Returns whether a line starts with the end of the formula, which other text may follow. */
  endsAt(cursor: LineCursor): boolean | NeedMore {
    if (typeof this.#mark !== 'string') return fenceEnd(cursor, this.#mark);
    const end = MATH_ENDS[this.#mark];
    const text = cursor.trimmed.trimEnd();
    if (!cursor.complete && text.length <= end.length && end.startsWith(text)) return NEED_MORE;
    return text.startsWith(end);
  }

  /** Consumes the end of the formula from a line. */
  end(cursor: LineCursor): void {
    const end = typeof this.#mark === 'string' ? MATH_ENDS[this.#mark] : cursor.trimmed.trimEnd();
    this.#hidden += `\n${end}`;
    cursor.consume(end.length);
  }

  startLine(): void {
    this.#hidden += '\n';
  }

  append(text: string): void {
    this.#line += text;
    this.#hidden += text;
  }

  endLine(): boolean {
    const end = typeof this.#mark === 'string' ? LINE_ENDS[this.#mark].exec(this.#line) : null;
    this.#tex += `${end ? this.#line.slice(0, end.index) : this.#line}\n`;
    this.#line = '';
    return end !== null;
  }

  show(): void {
    if (this.#hidden !== '') this.#text.appendData(this.#hidden);
    this.#hidden = '';
  }

  close(): void {
    this.show();
    const tex = this.#tex.trim();
    if (tex !== '') this.#hooks.formula?.(this.element, tex, true);
  }
}
