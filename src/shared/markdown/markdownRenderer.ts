// We use our own parser because the text arrives in pieces. Block structure is decided once per line, and
// inline text is parsed from its last settled point. A reply of 100 KB in updates of 64 characters takes 2.3 times as long as
// plain text, and 56 s with markdown-it on the whole text instead of 0.8 s: see docs/markdown.md.
import type { MarkdownHooks } from './base/hooks';
import type { MarkdownDocument, MarkdownElement } from './base/markdownNodes';
import { BlockParser } from './block/blockParser';

/**
 * Streams CommonMark and GFM into a container. Closed content is never parsed or rendered again; open content is
 * shown as if it ended here. Raw HTML is shown as text, and no node is ever created from a string of HTML.
 */
export class MarkdownRenderer {
  readonly #parser: BlockParser;
  /** The start of a line whose kind isn't known yet. */
  #line = '';
  #lineStarted = false;
  #started = false;
  #endsWithReturn = false;

  constructor(document: MarkdownDocument, container: MarkdownElement, hooks: MarkdownHooks) {
    this.#parser = new BlockParser(document, container, hooks);
  }

  /** Appends the text of a frame: the cost depends on that text only, not on what is above. */
  appendMarkdown(text: string): void {
    this.#read(this.#normalize(text));
    this.#parser.renderBlocks();
  }

  /** Ends the text: the container then shows the same as a single rendering of the whole text. */
  end(): void {
    if (this.#line !== '') this.#startLine(true);
    if (this.#lineStarted) this.#parser.endLine();
    this.#parser.closeBlocks();
  }

  #read(text: string): void {
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf('\n', from);
      const complete = newline >= 0;
      const part = text.slice(from, complete ? newline : undefined);
      if (this.#lineStarted) this.#parser.appendToLine(part);
      else {
        this.#line += part;
        this.#startLine(complete);
      }
      if (complete) {
        this.#parser.endLine();
        this.#lineStarted = false;
      }
      from = complete ? newline + 1 : text.length;
    }
  }

  #startLine(complete: boolean): void {
    this.#lineStarted = this.#parser.startLine(this.#line, complete);
    if (this.#lineStarted) this.#line = '';
  }

  /** Normalizes line endings, even if CR and LF arrive separately, and removes NUL and the byte order mark. */
  #normalize(text: string): string {
    let normal = this.#endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endsWithReturn = text.endsWith('\r');
    if (!this.#started && normal.startsWith('\ufeff')) normal = normal.slice(1);
    this.#started ||= text !== '';
    return /[\r\0]/.test(normal) ? normal.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd') : normal;
  }
}
