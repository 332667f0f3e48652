import type { MarkdownDocument, MarkdownElement, MarkdownText } from '../base/markdownNodes';
import { MAX_COMMENT_LENGTH, parseComment } from '../inline/scan/tag';
import type { Leaf } from './block';

const COMMENT_END = '-->';

/** A block of raw HTML, shown as text except for comments. */
export class HtmlBlock implements Leaf {
  lastLine: number;
  readonly element: MarkdownElement;
  /** End of the block: a pattern in its last line, or a following blank line. */
  readonly end: RegExp | 'blank';
  readonly #document: MarkdownDocument;
  readonly #text: MarkdownText;
  #line = '';
  #pending = '';
  #isComment: boolean;

  constructor(document: MarkdownDocument, end: RegExp | 'blank', firstLine: number, isComment: boolean) {
    this.#document = document;
    this.element = document.createElement('p');
    this.#text = document.createTextNode('');
    this.#isComment = isComment;
    this.lastLine = firstLine;
    this.end = end;
    this.element.className = 'md-html';
    this.element.appendChild(this.#text);
  }

  startLine(): void {
    if (this.#text.length + this.#pending.length > 0) this.#pending += '\n';
  }

  appendToLine(text: string): void {
    this.#line += text;
    this.#pending += text;
  }

  endLine(): boolean {
    const line = this.#line;
    this.#line = '';
    return this.end !== 'blank' && this.end.test(line);
  }

  renderBlock(): void {
    // Hidden while it may be a comment.
    if (this.#isComment && this.#pending.length <= MAX_COMMENT_LENGTH) return;
    this.#isComment = false;
    if (this.#pending !== '') this.#text.appendData(this.#pending);
    this.#pending = '';
  }

  closeBlock(): void {
    if (this.#isComment && this.#pending.length <= MAX_COMMENT_LENGTH) this.#addComments();
    this.#isComment = false;
    this.renderBlock();
  }

  /** Adds the comments that the block starts with; what follows them is text. */
  #addComments(): void {
    for (;;) {
      const start = this.#pending.length - this.#pending.trimStart().length;
      const end = this.#pending.indexOf(COMMENT_END, start) + COMMENT_END.length;
      const comment = parseComment(this.#pending.slice(start, end));
      if (comment === undefined) break;
      this.element.insertBefore(this.#document.createComment(comment), this.#text);
      this.#pending = this.#pending.slice(end);
    }
    if (this.#pending.trim() === '') this.#pending = '';
  }
}
