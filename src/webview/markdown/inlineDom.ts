import type { InlineNode } from './inlineNodes';

/**
 * Makes `parent` show `next` where it showed `shown` from an index on, before a node that stays. What is the
 * same keeps its DOM nodes, and text that goes on is appended to.
 */
export function patch(
  parent: Node,
  shown: readonly InlineNode[],
  next: readonly InlineNode[],
  before: Node | null,
): void {
  let index = 0;
  while (index < next.length && reuse(shown[index], next[index])) index++;
  for (let rest = index; rest < shown.length; rest++) {
    const dom = shown[rest]?.dom;
    if (dom) parent.removeChild(dom);
  }
  for (; index < next.length; index++) {
    const node = next[index];
    if (node) parent.insertBefore(build(node), before);
  }
}

/** Takes over the DOM node of what was shown, if it can show the new node as well. */
function reuse(shown: InlineNode | undefined, next: InlineNode | undefined): boolean {
  const dom = shown?.dom;
  if (!dom || !next || shown.kind !== next.kind) return false;
  if (next.kind === 'img' && (shown.href !== next.href || shown.text !== next.text)) return false;
  next.dom = dom;
  const text = next.kind === 'code' ? dom.firstChild : dom;
  if (text instanceof Text) setText(text, shown.text, next.text);
  if (dom instanceof HTMLAnchorElement && (shown.href !== next.href || shown.title !== next.title)) {
    setTarget(dom, next);
  }
  patch(dom, shown.children, next.children, null);
  return true;
}

function setText(dom: Text, shown: string, next: string): void {
  if (next === shown) return;
  if (next.startsWith(shown)) dom.appendData(next.slice(shown.length));
  else dom.data = next;
}

function build(node: InlineNode): Node {
  if (node.kind === 'text') {
    node.dom = document.createTextNode(node.text);
    return node.dom;
  }
  const element = document.createElement(node.kind);
  if (node.kind === 'code') element.append(document.createTextNode(node.text));
  if (element instanceof HTMLAnchorElement) setTarget(element, node);
  if (element instanceof HTMLImageElement) {
    element.setAttribute('src', node.href);
    element.setAttribute('alt', node.text);
    if (node.title !== undefined) element.setAttribute('title', node.title);
  }
  for (const child of node.children) element.append(build(child));
  node.dom = element;
  return element;
}

function setTarget(anchor: HTMLAnchorElement, { href, title }: InlineNode): void {
  anchor.setAttribute('href', href);
  anchor.setAttribute('rel', 'noreferrer noopener');
  if (title === undefined) anchor.removeAttribute('title');
  else anchor.setAttribute('title', title);
}
