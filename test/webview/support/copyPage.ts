import { renderMarkdown } from '../../../src/webview/markdown/markdownStream';
import { DomMarkdown } from '../../../src/webview/markdown/serialize/domMarkdown';
import { canonical } from '../markdown/pageScript';

function render(text: string): HTMLElement {
  const container = document.createElement('div');
  renderMarkdown(container, text);
  return container;
}

/** The texts that show something else once they have been drawn, written as Markdown and drawn again. */
export function roundTripDifferences(texts: readonly string[]) {
  return texts.flatMap((text) => {
    const shown = render(text);
    const written = new DomMarkdown().writeBlocks(shown);
    const [before, after] = [canonical(shown), canonical(render(written))];
    // Nothing can be written for a paragraph that shows nothing.
    return before.replaceAll('<p></p>', '') === after ? [] : [{ text, written, before, after }];
  });
}
