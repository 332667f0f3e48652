// The parts of the DOM that the renderer uses, so that it needs no browser: the page passes the browser's `document`, and the
// export a small tree that is written as HTML. The types fit both, so the page calls the DOM directly.

export interface MarkdownNode {
  /** 1: an element, 3: a text, 8: a comment. */
  readonly nodeType: number;
  readonly nextSibling: MarkdownNode | null;
  readonly parentNode: { insertBefore(node: MarkdownNode, before: MarkdownNode | null): unknown } | null;
}

/** A text or a comment. */
export interface MarkdownText extends MarkdownNode {
  data: string;
  readonly length: number;
  appendData(text: string): void;
}

export interface MarkdownElement extends MarkdownNode {
  className: string;
  readonly firstChild: MarkdownNode | null;
  readonly previousElementSibling: MarkdownElement | null;
  readonly childElementCount: number;
  readonly textContent: string;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  appendChild(node: MarkdownNode): unknown;
  insertBefore(node: MarkdownNode, before: MarkdownNode | null): unknown;
  removeChild(node: MarkdownNode): unknown;
  remove(): void;
}

/** Creates nodes. */
export interface MarkdownDocument {
  createElement(name: string): MarkdownElement;
  createTextNode(text: string): MarkdownText;
  createComment(text: string): MarkdownText;
}

/** Returns whether a node is a text or a comment. */
export function isText(node: MarkdownNode): node is MarkdownText {
  return node.nodeType !== 1;
}
