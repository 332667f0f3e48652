import { shortenAddress } from '../../text/linkAddress';
import type { MarkdownElement, MarkdownText } from '../base/markdownNodes';
import type { InlineNode } from './inlineNode';
import type { InlineParser, Settled } from './inlineParser';
import { type AllowedAddress, getAllowedHref, getAllowedImageSource } from './linkPolicy';
import { findEmails } from './scan/autolink';
import type { LinkTarget } from './scan/linkScan';
import type { TagName } from './scan/tag';

/** The content of a block to render: plain data, one node for each DOM node. */
export interface RenderNode {
  readonly kind: 'text' | 'comment' | 'code' | 'math' | 'br' | 'em' | 'strong' | 'a' | 'img' | TagName;
  /** Text (also of `code` and `comment`), a formula's source with its marks, or an image's alternative text. */
  text: string;
  readonly children: readonly RenderNode[];
  readonly href: AllowedAddress | '';
  readonly title: string | undefined;
  /** Origin of a link or an image: the same for all uses of a reference. */
  readonly target?: LinkTarget | undefined;
  /** Closed by the end of the text so far: more text may continue inside it. */
  readonly unfinished: boolean;
  dom?: MarkdownElement | MarkdownText;
  /** How much of its target’s remaining budget it uses. */
  cost?: number;
}

/** Deeper markup is shown as its text, because browsers limit nesting. */
const MAX_DEPTH = 64;

/** Converts a parsed text, after `prefix`, which is the settled start of a continued text. */
export function toRenderNodes(parser: InlineParser, prefix: string) {
  const builder = new NodeBuilder(parser.settled);
  if (prefix !== '') builder.nodes.push(createRenderNode('text', { text: prefix }));
  builder.addAll(parser.root, 0, false);
  const { nodes, settledCount, settledText } = builder;
  return { nodes, settledCount, settledText };
}

class NodeBuilder {
  readonly nodes: RenderNode[] = [];
  /** Number of final nodes at the start, and the final start of the text after them. */
  settledCount = 0;
  settledText = '';
  readonly #settled: Settled | undefined;
  /** Text that may contain email addresses. */
  #run = '';

  constructor(settled: Settled | undefined) {
    this.#settled = settled;
  }

  addAll(parent: InlineNode, depth: number, inLink: boolean): void {
    for (let node = parent.first; node; node = node.next) {
      if (node.kind !== 'text') this.#add(node, depth, inLink);
      else if (inLink) this.#appendText(node.text);
      else if (node === this.#settled?.node) {
        this.#run += node.text.slice(0, this.#settled.length);
        this.#markSettled();
        this.#run = node.text.slice(this.#settled.length);
      } else this.#run += node.text;
    }
    this.#flushRun();
  }

  #add(node: InlineNode, depth: number, inLink: boolean): void {
    this.#flushRun();
    const { kind, title, target, unfinished } = node;
    if (kind === 'html') this.#appendText(node.text);
    else if (kind === 'code' || kind === 'math' || kind === 'comment')
      this.nodes.push(createRenderNode(kind, { text: node.text, unfinished }));
    else if (kind === 'lineBreak') this.nodes.push(createRenderNode('br', {}));
    else if (kind === 'image') this.#addImage(node, inLink);
    else if (depth >= MAX_DEPTH) this.#appendText(getText(node));
    else if (kind === 'link') {
      const href = inLink ? undefined : getAllowedHref(node.destination);
      if (href === undefined) this.addAll(node, depth + 1, true);
      else
        this.nodes.push(
          createRenderNode('a', { href, title, target, children: createChildNodes(node, depth, true) }),
        );
    } else if (kind !== 'text') {
      this.nodes.push(
        createRenderNode(kind, { unfinished, children: createChildNodes(node, depth, inLink) }),
      );
    }
  }

  /** Turns a remote image into a link: nothing is loaded. */
  #addImage(node: InlineNode, inLink: boolean): void {
    const { destination, title, target } = node;
    const alt = getText(node);
    const source = getAllowedImageSource(destination);
    if (source !== undefined)
      return void this.nodes.push(createRenderNode('img', { href: source, title, text: alt, target }));
    const href = inLink ? undefined : getAllowedHref(destination);
    const text = alt || shortenAddress(destination);
    if (href === undefined) this.#appendText(text);
    else
      this.nodes.push(
        createRenderNode('a', { href, title, target, children: [createRenderNode('text', { text })] }),
      );
  }

  #appendText(text: string): void {
    const last = this.nodes.at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text !== '') this.nodes.push(createRenderNode('text', { text }));
  }

  #flushRun(): void {
    let from = 0;
    for (const { start, end, value } of findEmails(this.#run)) {
      const text = this.#run.slice(start, end);
      const href = getAllowedHref(value);
      this.#appendText(this.#run.slice(from, href === undefined ? end : start));
      if (href !== undefined)
        this.nodes.push(createRenderNode('a', { href, children: [createRenderNode('text', { text })] }));
      from = end;
    }
    this.#appendText(this.#run.slice(from));
    this.#run = '';
  }

  #markSettled(): void {
    this.#flushRun();
    const last = this.nodes.at(-1);
    this.settledText = last?.kind === 'text' ? last.text : '';
    this.settledCount = this.nodes.length - (this.settledText === '' ? 0 : 1);
  }
}

function createChildNodes(node: InlineNode, depth: number, inLink: boolean): RenderNode[] {
  const builder = new NodeBuilder(undefined);
  builder.addAll(node, depth + 1, inLink);
  return builder.nodes;
}

function createRenderNode(kind: RenderNode['kind'], rest: Partial<Omit<RenderNode, 'kind'>>): RenderNode {
  return { kind, text: '', children: [], href: '', title: undefined, unfinished: false, ...rest };
}

/** Returns the text of a node and all its descendants, at any depth. */
function getText(root: InlineNode): string {
  let text = '';
  let node: InlineNode | undefined = root;
  while (node) {
    if (node.kind !== 'comment') text += node.text;
    if (node.first) node = node.first;
    else {
      while (node && node !== root && !node.next) node = node.parent;
      node = node === root ? undefined : node?.next;
    }
  }
  return text;
}
