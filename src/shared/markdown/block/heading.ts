import { trimEndCharacters } from '../../text/trimEnd';
import type { MarkdownElement } from '../base/markdownNodes';
import { InlineContent } from '../inline/inlineContent';
import type { RenderContext } from '../inline/renderContext';
import type { Leaf } from './block';

/** A one-line heading, `# like this #`. */
export class Heading implements Leaf {
  lastLine: number;
  readonly element: MarkdownElement;
  readonly #content: InlineContent;
  #line = '';
  #passedLength = 0;

  constructor(level: number, firstLine: number, shared: RenderContext) {
    this.lastLine = firstLine;
    this.element = shared.document.createElement(`h${level}`);
    this.#content = new InlineContent(this.element, shared);
  }

  startLine(): void {
    // It has only one line.
  }

  appendToLine(text: string): void {
    this.#line = (this.#line + text).trimStart();
  }

  endLine(): boolean {
    return true;
  }

  renderBlock(): void {
    // Signs and spaces at the end may close the heading.
    this.#passText(trimEndCharacters(this.#line, ' \t#'));
    this.#content.renderInline();
  }

  closeBlock(): void {
    this.#passText(removeClosingSigns(this.#line.trimEnd()));
    this.#content.closeInline();
  }

  #passText(text: string): void {
    if (text.length <= this.#passedLength) return;
    this.#content.appendInline(text.slice(this.#passedLength));
    this.#passedLength = text.length;
  }
}

/** Removes the signs that close a heading: they follow a space or nothing. */
function removeClosingSigns(line: string): string {
  const text = trimEndCharacters(line, '#');
  return text === '' || ' \t'.includes(text.charAt(text.length - 1)) ? trimEndCharacters(text, ' \t') : line;
}
