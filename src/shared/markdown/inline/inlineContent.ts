import { isText, type MarkdownElement, type MarkdownNode } from '../base/markdownNodes';
import { patchNodes } from './inlineDom';
import { InlineParser } from './inlineParser';
import type { RenderContext } from './renderContext';
import { type RenderNode, toRenderNodes } from './renderNode';

/** Possible markup in appended text. */
const MARKUP = /[\\`$*_~[\]!<&@\n]|:\/\/|www\./;
/** A last word that may become a link with more text. */
const MAYBE_LINK = /[@:]|www|ww?$/;
/** From this length in characters, a block's text is rendered in steps relative to its length: browsers lay out
 * the whole block for every change. */
const LONG_TEXT_LENGTH = 16_384;
const STEP_RATIO = 1 / 64;

/**
 * The text of one block, parsed and rendered as it arrives. Settled text isn't parsed again; plain text is only
 * appended.
 */
export class InlineContent {
  readonly #context: RenderContext;
  #parent: MarkdownElement;
  #text = '';
  /** Length of the rendered text, without trailing spaces. */
  #shownLength = 0;
  #nodes: RenderNode[] = [];
  /** Position from which to parse: the text and nodes before it, and the start of the node there, are final. */
  #offset = 0;
  #settledCount = 0;
  #settledText = '';
  /** The text node that plain text can be appended to. */
  #tip: RenderNode | undefined;
  #closed = false;

  constructor(parent: MarkdownElement, shared: RenderContext) {
    this.#parent = parent;
    this.#context = shared;
  }

  get text(): string {
    return this.#text;
  }

  appendInline(text: string): void {
    this.#text += text;
  }

  /** Renders the text added since the last time. */
  renderInline(): void {
    const length = this.#text.length - this.#shownLength;
    if (length === 0 || (this.#text.length > LONG_TEXT_LENGTH && length < this.#text.length * STEP_RATIO))
      return;
    if (!this.#appendToTextNode()) this.#parse();
  }

  /** Ends the text. */
  closeInline(): void {
    this.#closed = true;
    this.#parse();
    this.#tip = undefined;
  }

  /** Removes all text. */
  clear(): void {
    patchNodes(this.#parent, this.#nodes, [], null, this.#context);
    this.#text = '';
    this.#nodes = [];
    this.#tip = undefined;
    this.#shownLength = this.#offset = this.#settledCount = 0;
    this.#settledText = '';
  }

  /** Renders again after labels used in the text were defined; a long text only at the end. */
  renderAgain(isEnd: boolean): boolean {
    if (!isEnd && this.#text.length > LONG_TEXT_LENGTH) return false;
    this.#offset = this.#settledCount = 0;
    this.#settledText = '';
    this.#parse();
    return true;
  }

  /** The first DOM node of the text. */
  get firstNode(): MarkdownNode | undefined {
    return this.#nodes[0]?.dom;
  }

  /** Moves the rendered nodes to the end of another element. */
  moveTo(parent: MarkdownElement): void {
    for (const { dom } of this.#nodes) if (dom) parent.appendChild(dom);
    this.#parent = parent;
  }

  #appendToTextNode(): boolean {
    const tip = this.#tip?.dom;
    if (!this.#tip || !tip || !isText(tip)) return false;
    const text = this.#text.slice(this.#shownLength);
    const shown = text.trimEnd();
    if (MARKUP.test(text)) return false;
    if (shown === '') return true;
    this.#tip.text += shown;
    tip.appendData(shown);
    this.#shownLength += shown.length;
    if (MAYBE_LINK.test(getLastWord(this.#tip.text))) this.#tip = undefined;
    return true;
  }

  #parse(): void {
    const resolve = (label: string) => this.#context.references.find(label, this);
    const parser = new InlineParser(this.#text, this.#offset, !this.#closed, resolve);
    const { nodes, settledCount, settledText } = toRenderNodes(parser, this.#settledText);
    const tail = this.#nodes.slice(this.#settledCount);
    const before = this.#nodes.at(-1)?.dom?.nextSibling ?? null;
    patchNodes(this.#parent, tail, nodes, before, this.#context);
    // One by one: a call with 100,000 arguments overflows the stack.
    this.#nodes.length = this.#settledCount;
    for (const node of nodes) this.#nodes.push(node);
    if (parser.settled) {
      this.#offset = parser.settled.offset;
      this.#settledCount += settledCount;
      this.#settledText = settledText;
    }
    const last = getInnermost(nodes.at(-1));
    const word = last?.kind === 'text' && !parser.hidesEnd && !MAYBE_LINK.test(getLastWord(last.text));
    this.#tip = word ? last : undefined;
    this.#shownLength = word ? this.#text.trimEnd().length : this.#text.length;
  }
}

function getLastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

/** Returns the innermost unfinished node, which appended text belongs to. */
function getInnermost(node: RenderNode | undefined): RenderNode | undefined {
  let last = node;
  while (last?.unfinished && last.children.length > 0) last = last.children.at(-1);
  return last;
}
