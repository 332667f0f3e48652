import type { DelimiterStack } from './delimiters';
import { InlineNode } from './inlineNode';
import type { TagName } from './scan/tag';

interface OpenTag {
  readonly name: TagName;
  readonly node: InlineNode;
  /** Start of its content. */
  readonly start: number;
  /** The delimiters from here down aren't in its content. */
  readonly bottom: DelimiterStack['top'];
  readonly outer: OpenTag | undefined;
}

/** The tags of a text that aren't closed yet. */
export class OpenTags {
  innermost: OpenTag | undefined;
  readonly #root: InlineNode;
  readonly #delimiters: DelimiterStack;
  /** Count of open tags by name, so that no end tag is searched for in vain. */
  readonly #counts = new Map<TagName, number>();

  constructor(root: InlineNode, delimiters: DelimiterStack) {
    this.#root = root;
    this.#delimiters = delimiters;
  }

  openTag(name: TagName, start: number): void {
    const node = new InlineNode('text');
    this.#root.appendNode(node);
    this.innermost = { name, node, start, bottom: this.#delimiters.top, outer: this.innermost };
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes the innermost tag with this name, and those inside it. Returns its start, or undefined if there is none. */
  closeTag(name: TagName): number | undefined {
    if (!this.#counts.get(name)) return undefined;
    while (this.innermost && this.innermost.name !== name) this.#closeInnermost(this.innermost);
    const tag = this.innermost;
    if (tag) this.#closeInnermost(tag);
    return tag?.start;
  }

  /** Closes the tags after a position; `unfinished`: more text may continue inside them. */
  closeAfter(position: number, unfinished = false): void {
    while (this.innermost && this.innermost.start > position)
      this.#closeInnermost(this.innermost, unfinished);
  }

  #closeInnermost({ name, node, bottom, outer }: OpenTag, unfinished = false): void {
    this.#delimiters.pairAbove(bottom, unfinished);
    const element = new InlineNode(name);
    element.unfinished = unfinished;
    element.enclose(node, undefined);
    node.removeNode();
    this.innermost = outer;
    this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
  }
}
