import type { LinkTarget } from './scan/linkScan';
import type { TagName } from './scan/tag';

type InlineNodeKind =
  | TagName
  | 'comment'
  | 'text'
  | 'html'
  | 'lineBreak'
  | 'code'
  | 'math'
  | 'em'
  | 'strong'
  | 'link'
  | 'image';

/** A node of the inline parser's tree: a text, or an element whose children form a linked list. */
export class InlineNode {
  kind: InlineNodeKind;
  text: string;
  /** Closed by the end of the text so far, not by markup. */
  unfinished = false;
  destination = '';
  title: string | undefined;
  /** Their origin: the same for all uses of a reference. */
  target: LinkTarget | undefined;
  parent: InlineNode | undefined;
  previous: InlineNode | undefined;
  next: InlineNode | undefined;
  first: InlineNode | undefined;
  last: InlineNode | undefined;

  constructor(kind: InlineNodeKind, text = '') {
    this.kind = kind;
    this.text = text;
  }

  appendNode(child: InlineNode): void {
    child.parent = this;
    child.previous = this.last;
    child.next = undefined;
    if (this.last) this.last.next = child;
    else this.first = child;
    this.last = child;
  }

  removeNode(): void {
    if (this.previous) this.previous.next = this.next;
    else if (this.parent) this.parent.first = this.next;
    if (this.next) this.next.previous = this.previous;
    else if (this.parent) this.parent.last = this.previous;
    this.parent = this.previous = this.next = undefined;
  }

  insertAfter(sibling: InlineNode): void {
    this.parent = sibling.parent;
    this.previous = sibling;
    this.next = sibling.next;
    if (sibling.next) sibling.next.previous = this;
    else if (sibling.parent) sibling.parent.last = this;
    sibling.next = this;
  }

  /** Moves the siblings between `from` and `to` (or all after `from`) into this node. */
  enclose(from: InlineNode, to: InlineNode | undefined): void {
    let node = from.next;
    while (node && node !== to) {
      const { next } = node;
      node.removeNode();
      this.appendNode(node);
      node = next;
    }
    this.insertAfter(from);
  }
}
