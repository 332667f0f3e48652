import type { MarkdownElement, MarkdownText } from '../base/markdownNodes';
import type { RenderContext } from '../inline/renderContext';
import { unescapeText } from '../inline/scan/linkScan';
import type { Leaf } from './block';
import type { Fence } from './blockStarts';

/** Lines per group: the browser lays out the lines of a group together. */
const LINES_PER_GROUP = 8;

/** Groups per section, which needs no layout once it is closed and out of view. blocks.css relies on its height. */
const GROUPS_PER_SECTION = 6;

/** A fenced or indented code block: text is only appended, with one text node per line. */
export class CodeBlock implements Leaf {
  lastLine: number;
  readonly fence: Fence | undefined;
  readonly element: MarkdownElement;
  readonly #pre: MarkdownElement;
  readonly #code: MarkdownElement;
  readonly #context: RenderContext;
  #section: MarkdownElement | undefined;
  #group: MarkdownElement | undefined;
  #linesInGroup = 0;
  #line: MarkdownText | undefined;
  #pending = '';
  /** Blank lines are part of indented code only if more code follows. */
  #blank = '';

  constructor(fence: Fence | undefined, firstLine: number, context: RenderContext) {
    const { document, hooks } = context;
    this.#pre = document.createElement('pre');
    this.#code = document.createElement('code');
    this.lastLine = firstLine;
    this.fence = fence;
    const language = unescapeText(/^\S*/.exec(fence?.info ?? '')?.[0] ?? '');
    const word = language.replace(/[^\p{L}\p{N}_+#.-]/gu, '');
    if (word !== '') this.#code.className = `language-${word}`;
    this.#pre.appendChild(this.#code);
    this.#context = context;
    this.element =
      hooks.codeBlock?.(this.#pre, language, () => this.#code.textContent, unescapeText(fence?.info ?? '')) ??
      this.#pre;
  }

  startLine(): void {
    this.#pending += this.#blank;
    this.#blank = '';
  }

  appendToLine(text: string): void {
    this.#pending += text;
  }

  endLine(): boolean {
    this.#pending += '\n';
    return false;
  }

  blankLine(text: string): void {
    this.#blank += `${text}\n`;
  }

  renderBlock(): void {
    const text = this.#pending;
    this.#pending = '';
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from) + 1 || text.length;
      this.#append(text.slice(from, end));
      from = end;
    }
  }

  closeBlock(): void {
    this.renderBlock();
  }

  #append(text: string): void {
    if (this.#line) this.#line.appendData(text);
    else {
      if (!this.#group || this.#linesInGroup === LINES_PER_GROUP) {
        this.#group = this.#context.document.createElement('span');
        this.#group.className = 'md-lines';
        this.#openSection().appendChild(this.#group);
        this.#linesInGroup = 0;
      }
      this.#line = this.#context.document.createTextNode(text);
      this.#group.appendChild(this.#line);
      this.#linesInGroup++;
    }
    if (!text.endsWith('\n')) return;
    this.#context.hooks.codeLine?.(this.#pre, this.#line);
    this.#line = undefined;
  }

  #openSection(): MarkdownElement {
    let section = this.#section;
    if (!section || section.childElementCount === GROUPS_PER_SECTION) {
      if (section) section.className = 'md-code-section md-closed';
      section = this.#context.document.createElement('span');
      section.className = 'md-code-section';
      this.#code.appendChild(section);
      this.#section = section;
    }
    return section;
  }
}
