import type {
  MarkdownDocument,
  MarkdownElement,
  MarkdownNode,
  MarkdownText,
} from '../../shared/markdown/base/markdownNodes';

/** A node of a text that is rendered without a browser. */
abstract class TreeNode implements MarkdownNode {
  abstract readonly nodeType: number;
  parentNode: TreeElement | null = null;
  previousSibling: MarkupNode | null = null;
  nextSibling: MarkupNode | null = null;
}

/** A text or a comment. */
export class TreeText extends TreeNode implements MarkdownText {
  readonly nodeType: number;
  data: string;

  constructor(nodeType: 3 | 8, data: string) {
    super();
    this.nodeType = nodeType;
    this.data = data;
  }

  get length(): number {
    return this.data.length;
  }

  appendData(text: string): void {
    this.data += text;
  }
}

export class TreeElement extends TreeNode implements MarkdownElement {
  readonly nodeType = 1;
  readonly name: string;
  /** All but the class. */
  readonly attributes = new Map<string, string>();
  className = '';
  firstChild: MarkupNode | null = null;
  lastChild: MarkupNode | null = null;

  constructor(name: string) {
    super();
    this.name = name;
  }

  *[Symbol.iterator](): Generator<MarkupNode> {
    for (let node = this.firstChild; node; node = node.nextSibling) yield node;
  }

  get childElementCount(): number {
    let count = 0;
    for (const node of this) if (node instanceof TreeElement) count++;
    return count;
  }

  get previousElementSibling(): TreeElement | null {
    let node = this.previousSibling;
    while (node && !(node instanceof TreeElement)) node = node.previousSibling;
    return node;
  }

  /** The text in it, without comments. */
  get textContent(): string {
    let text = '';
    for (const node of this)
      if (node instanceof TreeElement) text += node.textContent;
      else if (node.nodeType === 3) text += node.data;
    return text;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    if (name === 'class') this.className = '';
    else this.attributes.delete(name);
  }

  appendChild(node: MarkupNode): void {
    this.insertBefore(node, null);
  }

  insertBefore(node: MarkupNode, before: MarkupNode | null): void {
    node.parentNode?.removeChild(node);
    const previous = before ? before.previousSibling : this.lastChild;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = before;
    if (previous) previous.nextSibling = node;
    else this.firstChild = node;
    if (before) before.previousSibling = node;
    else this.lastChild = node;
  }

  removeChild(node: MarkupNode): void {
    if (node.previousSibling) node.previousSibling.nextSibling = node.nextSibling;
    else this.firstChild = node.nextSibling;
    if (node.nextSibling) node.nextSibling.previousSibling = node.previousSibling;
    else this.lastChild = node.previousSibling;
    node.parentNode = node.previousSibling = node.nextSibling = null;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

export type MarkupNode = TreeText | TreeElement;

/** Creates the nodes of a tree, in place of a browser's `document`. */
export const treeDocument: MarkdownDocument = {
  createElement: (name) => new TreeElement(name),
  createTextNode: (text) => new TreeText(3, text),
  createComment: (text) => new TreeText(8, text),
};
