import type { Leaf } from './block';

/** A block of raw HTML, shown as text. */
export class HtmlBlock implements Leaf {
  lastLine: number;
  readonly element = document.createElement('p');
  /** What ends the block: a pattern in its last line, or a following blank line. */
  readonly end: RegExp | 'blank';
  readonly #text = document.createTextNode('');
  #line = '';
  #pending = '';

  constructor(end: RegExp | 'blank', firstLine: number) {
    this.lastLine = firstLine;
    this.end = end;
    this.element.className = 'md-html';
    this.element.append(this.#text);
  }

  startLine(): void {
    if (this.#text.length + this.#pending.length > 0) this.#pending += '\n';
  }

  append(text: string): void {
    this.#line += text;
    this.#pending += text;
  }

  endLine(): boolean {
    const line = this.#line;
    this.#line = '';
    return this.end !== 'blank' && this.end.test(line);
  }

  show(): void {
    if (this.#pending !== '') this.#text.appendData(this.#pending);
    this.#pending = '';
  }

  close(): void {
    this.show();
  }
}
