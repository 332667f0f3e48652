import { DomMarkdown } from './domMarkdown';

/** Returns the selection in the transcript as Markdown; a fully selected reply is copied as its source. */
export function selectionToMarkdown(
  selection: Selection | null,
  sourceOf: (turnId: string) => string | undefined,
): string {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return '';
  const range = selection.getRangeAt(0);
  const written: string[] = [];
  for (const body of document.querySelectorAll('.transcript .bubble, .transcript .markdown')) {
    if (!range.intersectsNode(body)) continue;
    const text = body.matches('.bubble')
      ? messageToMarkdown(body, range)
      : replyToMarkdown(body, range, sourceOf);
    if (text !== '') written.push(text);
  }
  return written.join('\n\n');
}

function replyToMarkdown(
  body: Element,
  range: Range,
  sourceOf: (turnId: string) => string | undefined,
): string {
  const source = body instanceof HTMLElement && isWhole(body, range) && sourceOf(body.dataset.turn ?? '');
  return source || new DomMarkdown(range).writeBlocks(body);
}

/** Messages are shown as they were typed, except for code fences. */
function messageToMarkdown(bubble: Element, range: Range): string {
  const parts = [...bubble.children].map((part) => {
    const text = new DomMarkdown(range).getVerbatim(part);
    return part.matches('pre') && text !== '' ? `\`\`\`\n${text}\n\`\`\`` : text;
  });
  return parts.filter((text) => text !== '').join('\n\n');
}

/** Returns whether all of a text is in the range; the toolbars of code blocks don't count. */
function isWhole(body: Element, range: Range): boolean {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Element)
      return node.matches('.code-bar') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    return node.textContent?.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
  });
  const first = walker.nextNode();
  if (!(first instanceof Text)) return false;
  let last = first;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) last = node;
  const start = first.data.search(/\S/);
  return range.comparePoint(first, start) === 0 && range.comparePoint(last, last.data.trimEnd().length) === 0;
}
