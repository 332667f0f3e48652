import type { DelimiterStack } from './delimiters';
import type { InlineNode } from './inlineNode';

/** In characters. Limits how long an open bracket is treated as the start of a link. */
export const MAX_BRACKET_LENGTH = 300;

/** A `[` or `![` that may start a link or an image. */
export interface Bracket {
  readonly node: InlineNode;
  readonly image: boolean;
  /** Start of its text. */
  readonly start: number;
  /** The delimiters from here down aren't in its text. */
  readonly bottom: DelimiterStack['top'];
  readonly below: Bracket | undefined;
  holdsBracket: boolean;
}

/** The brackets that aren't closed yet. */
export class OpenBrackets {
  #top: Bracket | undefined;
  /** End of the last link: links don't nest, so brackets before it can't start one. */
  #lastLinkEnd = 0;

  /** The innermost bracket. */
  get top(): Bracket | undefined {
    return this.#top;
  }

  push(bracket: Omit<Bracket, 'below' | 'holdsBracket'>): void {
    if (this.#top) this.#top.holdsBracket = true;
    this.#top = { ...bracket, below: this.#top, holdsBracket: false };
  }

  /** Removes the innermost bracket. */
  pop(): void {
    this.#top = this.#top?.below;
  }

  /** Removes the innermost bracket, which became a link or an image that ends here. */
  popLink(end: number): void {
    if (this.#top?.image === false) this.#lastLinkEnd = end;
    this.pop();
  }

  /** Removes the brackets that start after a position. */
  popAfter(position: number): void {
    while (this.#top && this.#top.start > position) this.pop();
  }

  /** Returns whether the bracket can still become a link or an image. */
  isActive(bracket: Bracket): boolean {
    return bracket.image || bracket.start > this.#lastLinkEnd;
  }

  /** Hides the brackets that may become links once more text arrives; `end` is the text's length now. */
  hideUnfinished(end: number): void {
    for (let bracket = this.#top; bracket; bracket = bracket.below) {
      if (this.isActive(bracket) && end - bracket.start < MAX_BRACKET_LENGTH) bracket.node.text = '';
    }
  }
}
