import { renderMarkdown } from '../../../src/webview/markdown/markdownStream';
import { DomMarkdown } from '../../../src/webview/markdown/serialize/domMarkdown';
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
