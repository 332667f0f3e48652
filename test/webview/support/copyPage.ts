import { renderMarkdown } from '../../../src/webview/markdown/markdownStream';
import { DomMarkdown } from '../../../src/webview/markdown/serialize/domMarkdown';
import { createRangeTest } from '../../../src/webview/markdown/serialize/rangeTest';
import { toCanonical } from '../markdown/pageScript';

function render(text: string): HTMLElement {
  const container = document.createElement('div');
  renderMarkdown(container, text);
  return container;
}

/** Returns the texts that render differently after being rendered, converted to Markdown and rendered again. */
export function roundTripDifferences(texts: readonly string[]) {
  return texts.flatMap((text) => {
    const shown = render(text);
    const written = new DomMarkdown().writeBlocks(shown);
    const [before, after] = [toCanonical(shown), toCanonical(render(written))];
    // An empty paragraph can't be written.
    return before.replaceAll('<p></p>', '') === after ? [] : [{ text, written, before, after }];
  });
}

/** Returns the nodes on which the range test and the browser differ, for ranges between all nodes of a rendered text. */
export function findRangeDifferences(text: string): string[] {
  const shown = render(text);
  document.body.replaceChildren(shown);
  const nodes = [...listNodes(shown)];
  const different = new Set<string>();
  const ends = nodes.flatMap((node) => {
    const length = node instanceof CharacterData ? node.length : node.childNodes.length;
    return [...new Set([0, Math.ceil(length / 2), length])].map((offset) => [node, offset] as const);
  });
  for (const [start, startOffset] of ends) {
    for (const [end, endOffset] of ends) {
      const range = document.createRange();
      range.setStart(start, startOffset);
      if (range.comparePoint(end, endOffset) < 0) continue;
      range.setEnd(end, endOffset);
      const isInRange = createRangeTest(range);
      for (const node of nodes) {
        if (isInRange(node) !== range.intersectsNode(node)) different.add(`${range}: ${node.textContent}`);
      }
    }
  }
  return [...different];
}

function* listNodes(parent: Node): Generator<Node> {
  for (const child of parent.childNodes) {
    yield child;
    yield* listNodes(child);
  }
}

/** Writes a rendered text without its first and last character. */
export function writeInside(text: string): string {
  const shown = render(text);
  document.body.replaceChildren(shown);
  const nodes = [...listNodes(shown)].filter((node) => node instanceof Text);
  const range = document.createRange();
  range.setStart(nodes[0] ?? shown, 1);
  range.setEnd(nodes.at(-1) ?? shown, (nodes.at(-1)?.length ?? 1) - 1);
  return new DomMarkdown(range).writeBlocks(shown);
}
