import { MarkdownStream, renderMarkdown } from '../../../src/webview/markdown/markdownStream';

export { MarkdownStream, renderMarkdown };

/** Renders a text in pieces that end at the offsets. */
export function stream(text: string, offsets: readonly number[]): HTMLElement {
  const container = document.createElement('div');
  const markdown = new MarkdownStream(container);
  let from = 0;
  for (const offset of [...offsets, text.length]) {
    markdown.append(text.slice(from, offset));
    from = offset;
  }
  markdown.end();
  return container;
}

export function render(text: string): HTMLElement {
  const container = document.createElement('div');
  renderMarkdown(container, text);
  return container;
}

/** The examples that are rendered otherwise than they should. */
export function differences(examples: readonly { name: string; markdown: string; html: string }[]) {
  return examples.flatMap(({ name, markdown, html }) => {
    const [expected, actual] = [canonicalHtml(html), canonical(render(markdown))];
    return actual === expected ? [] : [{ name, markdown, expected, actual }];
  });
}

/** The texts that show something else when they come in pieces, which end at the offsets. */
export function streamingDifferences(cuts: readonly { text: string; offsets: readonly number[] }[]) {
  return cuts.flatMap(({ text, offsets }) => {
    const [whole, streamed] = [render(text), stream(text, offsets)];
    if (streamed.isEqualNode(whole)) return [];
    return [{ text, offsets, whole: whole.innerHTML, streamed: streamed.innerHTML }];
  });
}

/** What an element shows, in one spelling: for a comparison with HTML that others wrote. */
export function canonical(root: Node): string {
  const parts: string[] = [];
  for (const child of root.childNodes) parts.push(canonicalNode(child, false));
  return parts.join('').trim();
}

export function canonicalHtml(html: string): string {
  return canonical(new DOMParser().parseFromString(html, 'text/html').body);
}

const BLOCK = /^(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|pre|hr|div)$/;

function canonicalNode(node: Node, verbatim: boolean): string {
  if (node instanceof Text) return text(node, verbatim);
  if (!(node instanceof Element)) return '';
  const tag = node.localName;
  const inside = [...node.childNodes]
    .map((child) => canonicalNode(child, verbatim || tag === 'pre'))
    .join('');
  // Sections and groups of lines are the renderer's own.
  if (node.matches('.md-section, .md-lines')) return inside;
  if (/^(?:br|hr|img|input)$/.test(tag)) return `<${tag}${attributes(node)}>`;
  return `<${tag}${attributes(node)}>${BLOCK.test(tag) && tag !== 'pre' ? inside.trim() : inside}</${tag}>`;
}

function text(node: Text, verbatim: boolean): string {
  const escaped = node.data.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (verbatim) return escaped;
  let result = escaped.replace(/[ \t\n]+/g, ' ');
  const isBlock = (sibling: Node | null) => sibling instanceof Element && BLOCK.test(sibling.localName);
  if (isBlock(node.previousSibling)) result = result.trimStart();
  if (isBlock(node.nextSibling)) result = result.trimEnd();
  return result;
}

function attributes(element: Element): string {
  const result: string[] = [];
  for (const { name, value } of element.attributes) {
    if (name === 'rel' || name === 'aria-label') continue;
    if (name === 'class') {
      const align = /\balign-(\w+)/.exec(value)?.[1];
      const language = /\blanguage-\S+/.exec(value)?.[0];
      if (align) result.push(`align="${align}"`);
      if (language) result.push(`class="${language}"`);
    } else result.push(`${name}="${value}"`);
  }
  return result
    .sort()
    .map((attribute) => ` ${attribute}`)
    .join('');
}
