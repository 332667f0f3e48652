import { getTex, isDisplay } from '../../text/formulaText';
import { isText, type MarkdownElement, type MarkdownNode, type MarkdownText } from '../base/markdownNodes';
import type { RenderContext } from './renderContext';
import type { RenderNode } from './renderNode';

/**
 * Updates `parent` to show `next` instead of `shown`, before the node `before`. Unchanged nodes keep their DOM nodes,
 * and growing text is appended to.
 */
export function patchNodes(
  parent: MarkdownElement,
  shown: readonly RenderNode[],
  next: readonly RenderNode[],
  before: MarkdownNode | null,
  context: RenderContext,
): void {
  let index = 0;
  while (index < next.length && reuseNode(shown[index], next[index], context)) index++;
  for (let rest = index; rest < shown.length; rest++) {
    const node = shown[rest];
    if (!node?.dom) continue;
    parent.removeChild(node.dom);
    returnRoom(node);
  }
  for (; index < next.length; index++) {
    const node = next[index];
    if (node) parent.insertBefore(createDomNode(node, context), before);
  }
}

/** Reuses the DOM node of a shown node if it can show the new node as well. */
function reuseNode(
  shown: RenderNode | undefined,
  next: RenderNode | undefined,
  context: RenderContext,
): boolean {
  const dom = shown?.dom;
  if (!dom || !next || shown.kind !== next.kind) return false;
  if (next.kind === 'img' && (shown.href !== next.href || shown.text !== next.text)) return false;
  if (next.kind === 'math' && shown.text !== next.text && !continuesFormula(shown, next)) return false;
  const room = shown.target?.room ?? next.target?.room;
  if (room && shown.target !== next.target) return false;
  next.dom = dom;
  if (shown.cost !== undefined) next.cost = shown.cost;
  // The page owns a complete formula.
  if (next.kind === 'math' && !shown.unfinished) return true;
  if (isText(dom)) {
    setNodeText(dom, shown.text, next.text);
    return true;
  }
  const text = next.kind === 'code' || next.kind === 'math' ? dom.firstChild : null;
  if (text && isText(text)) setNodeText(text, shown.text, next.text);
  if (next.kind === 'a' && (shown.href !== next.href || shown.title !== next.title)) {
    setTarget(dom, next);
  }
  if (next.kind === 'math') passFormula(dom, next, context);
  patchNodes(dom, shown.children, next.children, null, context);
  return true;
}

/** Returns whether a formula continues an unfinished one. */
function continuesFormula(shown: RenderNode, next: RenderNode): boolean {
  return shown.unfinished && isDisplay(shown.text) === isDisplay(next.text);
}

function setNodeText(dom: MarkdownText, shown: string, next: string): void {
  if (next === shown) return;
  if (next.startsWith(shown)) dom.appendData(next.slice(shown.length));
  else dom.data = next;
}

function createDomNode(node: RenderNode, context: RenderContext): MarkdownNode {
  const { document, hooks } = context;
  if (node.kind === 'text') {
    node.dom = document.createTextNode(node.text);
    return node.dom;
  }
  if (node.kind === 'comment') {
    node.dom = document.createComment(node.text);
    return node.dom;
  }
  const element = document.createElement(node.kind === 'math' ? 'span' : node.kind);
  if (node.kind === 'code' || node.kind === 'math') element.appendChild(document.createTextNode(node.text));
  if (node.kind === 'a' && takeRoom(node)) setTarget(element, node);
  if (node.kind === 'img') {
    element.setAttribute('alt', node.text);
    hooks.picture?.(element, node.href, node.target ?? node);
    if (node.title !== undefined && takeRoom(node)) element.setAttribute('title', node.title);
  }
  if (node.kind === 'math') {
    element.className = isDisplay(node.text) ? 'md-math md-display' : 'md-math';
    passFormula(element, node, context);
  }
  for (const child of node.children) element.appendChild(createDomNode(child, context));
  node.dom = element;
  return element;
}

/** Passes a complete formula to the page. */
function passFormula(dom: MarkdownElement, { text, unfinished }: RenderNode, { hooks }: RenderContext): void {
  if (!unfinished) hooks.formula?.(dom, getTex(text), isDisplay(text));
}

/** Takes the room for a use of a reference; returns whether there is any. A picture's source has limits of its own. */
function takeRoom(node: RenderNode): boolean {
  const { room } = node.target ?? {};
  if (!room) return true;
  const cost = (node.kind === 'a' ? node.href.length : 0) + (node.title?.length ?? 0);
  if (cost > room.left) return false;
  room.left -= cost;
  node.cost = cost;
  return true;
}

function returnRoom({ target, cost, children }: RenderNode): void {
  if (target?.room && cost !== undefined) target.room.left += cost;
  for (const child of children) returnRoom(child);
}

function setTarget(anchor: MarkdownElement, { href, title }: RenderNode): void {
  anchor.setAttribute('href', href);
  anchor.setAttribute('rel', 'noreferrer noopener');
  if (title === undefined) anchor.removeAttribute('title');
  else anchor.setAttribute('title', title);
}
