import { DomMarkdown } from './domMarkdown';

/** Returns the selection in the transcript as Markdown; a fully selected message or reply is copied as its source. */
export function selectionToMarkdown(
  selection: Selection | null,
  sourceOf: (turnId: string) => string | undefined,
): string {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return '';
  const range = selection.getRangeAt(0);
  const writer = new DomMarkdown(range);
  const written: string[] = [];
  for (const body of document.querySelectorAll('.transcript .bubble, .transcript .markdown')) {
    if (!range.intersectsNode(body)) continue;
    const text = turnToMarkdown(body, range, writer, sourceOf);
    if (text !== '') written.push(text);
  }
  return written.join('\n\n');
}

function turnToMarkdown(
  body: Element,
  range: Range,
  writer: DomMarkdown,
  sourceOf: (turnId: string) => string | undefined,
): string {
  const turn = body.closest<HTMLElement>('[data-turn]')?.dataset.turn ?? '';
  const source = isWhole(body, range) && sourceOf(turn);
  return source || writer.writeBlocks(body);
}

/** Returns whether all of a text is in the range; the toolbars of code blocks and tables don't count. */
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
