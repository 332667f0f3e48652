import { toHtml } from '../../../src/chat/export/markdownHtml';
import { TreeElement, TreeText, treeDocument } from '../../../src/chat/export/markupTree';
import type { MarkdownHooks } from '../../../src/shared/markdown/base/hooks';
import { isText, type MarkdownElement } from '../../../src/shared/markdown/base/markdownNodes';
import { MarkdownRenderer } from '../../../src/shared/markdown/markdownRenderer';
import { MarkdownStream } from '../../../src/webview/markdown/markdownStream';

/** The same for the page and the tree. */
const hooks = {
  formula(element: MarkdownElement, tex: string) {
    const text = element.firstChild;
    if (text && isText(text)) text.data = `⟨${tex}⟩`;
  },
  picture: (image: MarkdownElement, source: string) => image.setAttribute('src', source),
  checkbox: (checkbox: MarkdownElement, checked: boolean) =>
    checkbox.setAttribute('aria-label', `${checked}`),
} satisfies MarkdownHooks;

/** Returns the texts that the export parses otherwise than the page, after any of their pieces or at the end. */
export function findTreeDifferences(cuts: readonly { text: string; offsets: readonly number[] }[]) {
  return cuts.flatMap(({ text, offsets }) => {
    const [container, root] = [document.createElement('div'), new TreeElement('div')];
    const stream = new MarkdownStream(container, hooks);
    const renderer = new MarkdownRenderer(treeDocument, root, hooks);
    const isEqual = () => toDom(root).isEqualNode(container);
    let from = 0;
    for (const offset of [...offsets, text.length]) {
      stream.appendMarkdown(text.slice(from, offset));
      renderer.appendMarkdown(text.slice(from, offset));
      if (!isEqual())
        return [{ text: text.slice(0, offset), page: container.outerHTML, tree: toDom(root).outerHTML }];
      from = offset;
    }
    stream.end();
    renderer.end();
    return isEqual() ? [] : [{ text, page: container.outerHTML, tree: toDom(root).outerHTML }];
  });
}

/** Returns the texts whose exported HTML a browser reads otherwise than it was written. */
export function findMisreadHtml(texts: readonly string[]) {
  return texts.flatMap((text) => {
    const written = toHtml(text);
    const { innerHTML } = new DOMParser().parseFromString(`<body><div>${written}</div>`, 'text/html').body;
    const read = normalizeHtml(innerHTML.slice('<div>'.length, -'</div>'.length));
    return read === normalizeHtml(written) ? [] : [{ text, written, read }];
  });
}

/** Spells out what HTML may write in several ways. */
function normalizeHtml(html: string): string {
  return html
    .replaceAll('<details open="">', '<details open>')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&quot;', '"');
}

function toDom(element: TreeElement): Element {
  const dom = document.createElement(element.name);
  if (element.className !== '') dom.className = element.className;
  for (const [name, value] of element.attributes) dom.setAttribute(name, value);
  for (const node of element) {
    if (!(node instanceof TreeText)) dom.append(toDom(node));
    else if (node.nodeType === 3) dom.append(document.createTextNode(node.data));
    else dom.append(document.createComment(node.data));
  }
  return dom;
}
