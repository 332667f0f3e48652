import { MarkdownStream, renderMarkdown } from '../../../src/webview/markdown/markdownStream';
import { DomMarkdown } from '../../../src/webview/markdown/serialize/domMarkdown';

export { MarkdownStream, renderMarkdown };

/** Replaces a formula's source by what the hook was passed. */
const hooks = {
  formula(element: HTMLElement, tex: string, display: boolean): void {
    element.replaceChildren(`${element.textContent}${display ? '⟦' : '⟨'}${tex}${display ? '⟧' : '⟩'}`);
  },
};

/** Renders a text in pieces that end at the offsets. */
export function renderStreamed(text: string, offsets: readonly number[]): HTMLElement {
  const container = document.createElement('div');
  const markdown = new MarkdownStream(container, hooks);
  let from = 0;
  for (const offset of [...offsets, text.length]) {
    markdown.appendMarkdown(text.slice(from, offset));
    from = offset;
  }
  markdown.end();
  return container;
}

export function render(text: string): HTMLElement {
  const container = document.createElement('div');
  renderMarkdown(container, text, hooks);
  return container;
}

/** Renders a text without drawing its formulas. */
export function renderPlain(text: string): HTMLElement {
  const container = document.createElement('div');
  renderMarkdown(container, text);
  return container;
}

/** Returns the formulas of a text, display formulas in brackets. */
export function findFormulas(text: string): string[] {
  const found: string[] = [];
  const formula = (_: HTMLElement, tex: string, display: boolean) => {
    found.push(display ? `[${tex}]` : tex);
  };
  renderMarkdown(document.createElement('div'), text, { formula });
  return found;
}

/** Returns the texts of a text's code blocks. */
export function findCode(text: string): string[] {
  const found: (() => string)[] = [];
  const container = document.createElement('div');
  const codeBlock = (pre: HTMLElement, _: string, code: () => string) => {
    found.push(code);
    return pre;
  };
  renderMarkdown(container, text, { codeBlock });
  return found.map((code) => code());
}

/** Returns the examples that are rendered differently than expected. */
export function findDifferences(examples: readonly { name: string; markdown: string; html: string }[]) {
  return examples.flatMap(({ name, markdown, html }) => {
    const [expected, actual] = [toCanonicalHtml(html), toCanonical(render(markdown))];
    return actual === expected ? [] : [{ name, markdown, expected, actual }];
  });
}

/** Returns the texts that render differently when streamed in pieces that end at the offsets. */
export function findStreamingDifferences(cuts: readonly { text: string; offsets: readonly number[] }[]) {
  return cuts.flatMap(({ text, offsets }) => {
    const [whole, streamed] = [render(text), renderStreamed(text, offsets)];
    if (streamed.isEqualNode(whole)) return [];
    return [{ text, offsets, whole: whole.innerHTML, streamed: streamed.innerHTML }];
  });
}

/** Returns an element's content in canonical form, for comparison with other HTML. */
export function toCanonical(root: Node): string {
  const parts: string[] = [];
  for (const child of root.childNodes) parts.push(toCanonicalNode(child, false));
  return parts.join('').trim();
}

function toCanonicalHtml(html: string): string {
  return toCanonical(new DOMParser().parseFromString(html, 'text/html').body);
}

const BLOCK = /^(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|pre|hr|div|details|summary)$/;

function toCanonicalNode(node: Node, verbatim: boolean): string {
  if (node instanceof Text) return getText(node, verbatim);
  if (node instanceof Comment) return `<!--${node.data.replace(/\s+/g, ' ')}-->`;
  if (!(node instanceof Element)) return '';
  const tag = node.localName;
  const inside = [...node.childNodes]
    .map((child) => toCanonicalNode(child, verbatim || tag === 'pre'))
    .join('');
  // Sections and groups of lines are specific to the renderer.
  if (node.matches('.md-section, .md-items, .md-code-section, .md-lines')) return inside;
  if (/^(?:br|hr|img|input)$/.test(tag)) return `<${tag}${formatAttributes(node)}>`;
  return `<${tag}${formatAttributes(node)}>${BLOCK.test(tag) && tag !== 'pre' ? inside.trim() : inside}</${tag}>`;
}

function getText(node: Text, verbatim: boolean): string {
  const escaped = node.data.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (verbatim) return escaped;
  let result = escaped.replace(/[ \t\n]+/g, ' ');
  const isBlock = (sibling: Node | null) => sibling instanceof Element && BLOCK.test(sibling.localName);
  if (isBlock(node.previousSibling)) result = result.trimStart();
  if (isBlock(node.nextSibling)) result = result.trimEnd();
  return result;
}

function formatAttributes(element: Element): string {
  const result: string[] = [];
  for (const { name, value } of element.attributes) {
    if (name === 'rel' || name === 'aria-label') continue;
    if (name === 'class') {
      const align = /\balign-(\w+)/.exec(value)?.[1];
      const math = /\bmd-math.*/.exec(value)?.[0];
      const language = /\blanguage-\S+/.exec(value)?.[0];
      if (align) result.push(`align="${align}"`);
      if (math) result.push(`class="${math}"`);
      if (language) result.push(`class="${language}"`);
    } else result.push(`${name}="${value}"`);
  }
  return result
    .sort()
    .map((attribute) => ` ${attribute}`)
    .join('');
}

/** Returns what is shown of an unfinished text, appended at once or by character. */
export function renderUnfinished(text: string, byCharacter: boolean): string {
  const container = document.createElement('div');
  const markdown = new MarkdownStream(container);
  for (const part of byCharacter ? text : [text]) markdown.appendMarkdown(part);
  return toCanonical(container);
}

/** Returns the content after each character. */
export function getStates(text: string): string[] {
  const container = document.createElement('div');
  const markdown = new MarkdownStream(container);
  return Array.from(text, (character) => {
    markdown.appendMarkdown(character);
    return container.textContent;
  });
}

/** The innermost blocks that can be complete while the content around them grows; lines of code are text nodes. */
const FINISHED = 'p, h1, h2, h3, h4, h5, h6, hr, li, tr, th, pre, .md-html';

/**
 * Streams a text by characters. Returns every node that was complete and then replaced, removed or changed: there must
 * be none, so that a selection, a focused button or a scrolled block in it is kept.
 */
export function findLostNodes(text: string): string[] {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  const markdown = new MarkdownStream(container);
  const finished = new Map<Node, string>();
  for (const character of text) {
    markdown.appendMarkdown(character);
    for (const node of findFinishedNodes(container)) {
      if (!finished.has(node)) finished.set(node, node.textContent ?? '');
    }
  }
  markdown.end();
  const lost: string[] = [];
  for (const [node, before] of finished) {
    if (!container.contains(node)) lost.push(`gone: ${before}`);
    else if (node.textContent !== before) lost.push(`changed: ${before} → ${node.textContent}`);
  }
  if (finished.size === 0) lost.push('nothing was finished');
  return lost;
}

function findFinishedNodes(container: HTMLElement): Node[] {
  const blocks = [...container.querySelectorAll(FINISHED)].filter((block) => hasFollower(block, container));
  const lines = [...container.querySelectorAll('.md-lines')].flatMap((group) => [...group.childNodes]);
  return [...blocks, ...lines.filter((line) => line.textContent?.endsWith('\n'))];
}

/** Returns whether something follows it or an ancestor: it isn't at the end, where the text grows. */
function hasFollower(element: Element, root: HTMLElement): boolean {
  for (let node: Element = element; node !== root; node = node.parentElement ?? root) {
    if (node.nextSibling) return true;
  }
  return false;
}

/** Returns the indices of the blocks of `start` that `end` changes. */
export function findChangedBlocks(start: string, end: string): number[] {
  const container = document.createElement('div');
  const markdown = new MarkdownStream(container);
  markdown.appendMarkdown(start);
  const blocks = [...container.querySelectorAll(FINISHED)];
  const observer = new MutationObserver(() => undefined);
  observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
  markdown.appendMarkdown(end);
  markdown.end();
  const targets = observer.takeRecords().map(({ target }) => target);
  const isIn = (block: Element) => targets.some((target) => block.contains(target));
  return blocks.flatMap((block, index) => (isIn(block) ? [index] : []));
}

const ALLOWED_ELEMENTS = new Set(
  [
    'div p h1 h2 h3 h4 h5 h6 hr blockquote ul ol li pre code span table thead tbody tr th td a em strong del br img input',
    'sub sup kbd mark u ins details summary',
  ].flatMap((names) => names.split(' ')),
);
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  'a href': /^(?:https?:\/\/|mailto:)/i,
  'a rel': /^noreferrer noopener$/,
  'a title': /^/,
  'img src': /^data:image\/(?:png|jpeg|gif|webp);base64,/i,
  'img alt': /^/,
  'img title': /^/,
  'ol start': /^\d+$/,
  'input type': /^checkbox$/,
  'input disabled': /^$/,
  'input checked': /^$/,
  'input aria-label': /^(?:Done|To do)$/,
  'code class': /^language-[\p{L}\p{N}_+#.-]+$/u,
  'span class': /^md-(?:code-section(?: md-closed)?|lines|math(?: md-display)?)$/,
  'div class': /^md-(?:section|items)(?: md-closed)?$|^md-math md-display$/,
  'div role': /^presentation$/,
  'p class': /^md-html$/,
  'li class': /^md-task$/,
  'details class': /^md-details$/,
  'th class': /^align-(?:left|center|right)$/,
  'td class': /^align-(?:left|center|right)$/,
};

/** Returns elements and attributes that are never allowed, checking what changed after each character. */
export function findViolations(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const container = document.createElement('div');
    const markdown = new MarkdownStream(container);
    const observer = new MutationObserver(() => undefined);
    observer.observe(container, { subtree: true, childList: true, attributes: true });
    for (const character of text) {
      markdown.appendMarkdown(character);
      for (const { type, target, addedNodes } of observer.takeRecords()) {
        if (type === 'attributes') collectViolations(target as Element, found);
        for (const node of addedNodes) collectAllViolations(node, found);
      }
    }
    markdown.end();
    collectAllViolations(container, found);
  }
  return [...found];
}

/** Looks at an element and all those inside. */
function collectAllViolations(node: Node, found: Set<string>): void {
  if (!(node instanceof Element)) return;
  collectViolations(node, found);
  for (const element of node.querySelectorAll('*')) collectViolations(element, found);
}

function collectViolations(element: Element, found: Set<string>): void {
  if (!ALLOWED_ELEMENTS.has(element.localName)) found.add(`<${element.localName}>`);
  for (const { name, value } of element.attributes) {
    const key = `${element.localName} ${name}`;
    if (!ATTRIBUTES[key]?.test(value)) found.add(`${key}="${value}"`);
  }
}

/** Renders a text while every way to create nodes from a string of HTML throws. */
export function renderWithoutHtmlParser(text: string): string {
  const ways: readonly (readonly [object, string])[] = [
    [Element.prototype, 'innerHTML'],
    [Element.prototype, 'outerHTML'],
    [Element.prototype, 'insertAdjacentHTML'],
    [Element.prototype, 'setHTML'],
    [Element.prototype, 'setHTMLUnsafe'],
    [Range.prototype, 'createContextualFragment'],
    [DOMParser.prototype, 'parseFromString'],
    [Document.prototype, 'write'],
  ];
  const kept = ways.map(
    ([owner, name]) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)] as const,
  );
  const refuse = () => {
    throw new Error('HTML is parsed.');
  };
  for (const [owner, name, descriptor] of kept) {
    if (descriptor) Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
  }
  try {
    return renderStreamed(text, [5, 10, 50]).textContent;
  } finally {
    for (const [owner, name, descriptor] of kept)
      if (descriptor) Object.defineProperty(owner, name, descriptor);
  }
}

/** Processes a text as the page does: rendered at once and in pieces, and copied. */
export function processText(text: string): void {
  const shown = render(text);
  renderStreamed(
    text,
    // The number of pieces is the same for any text: unsettled text is parsed again with each.
    Array.from({ length: 20 }, (_, index) => Math.floor((index * text.length) / 20)),
  );
  new DomMarkdown().writeBlocks(shown);
}

/** Returns how long (ms) a text takes at once, the time of its slowest piece of 5,000 characters, and its nesting depth. */
export function measureText(text: string): { whole: number; longest: number; depth: number } {
  const whole = measureTime(() => render(text));
  const markdown = openStream();
  const longest = Math.max(
    appendPieces(markdown, text, 5_000),
    measureTime(() => markdown.end()),
  );
  return { whole, longest, depth: measureDepth(text.slice(0, 20_000)) };
}

export function openStream(): MarkdownStream {
  return new MarkdownStream(document.createElement('div'), hooks);
}

/** Appends a text in pieces of `size` characters. Returns the time (ms) of the slowest. */
export function appendPieces(markdown: MarkdownStream, text: string, size: number): number {
  let longest = 0;
  for (let from = 0; from < text.length; from += size) {
    const piece = text.slice(from, from + size);
    longest = Math.max(
      longest,
      measureTime(() => markdown.appendMarkdown(piece)),
    );
  }
  return longest;
}

function measureTime(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Renders a text in pieces of 1,000 characters. Returns its nesting depth. */
export function measureDepth(text: string): number {
  const container = renderStreamed(
    text,
    Array.from({ length: text.length / 1_000 }, (_, index) => index * 1_000),
  );
  let depth = 0;
  const walker = document.createTreeWalker(container);
  for (let node = walker.nextNode(), level = 1; node; ) {
    depth = Math.max(depth, level);
    if (walker.firstChild()) level++;
    else {
      while (!walker.nextSibling() && walker.parentNode() && walker.currentNode !== container) level--;
      if (walker.currentNode === container) break;
    }
    node = walker.currentNode;
  }
  return depth;
}

/** Returns how many children browsers count while a text is rendered. */
export function measureCounting(text: string): number {
  const before = Object.getOwnPropertyDescriptor(Element.prototype, 'childElementCount') ?? {};
  let counted = 0;
  Object.defineProperty(Element.prototype, 'childElementCount', {
    configurable: true,
    get(this: Element) {
      const count: number = before.get?.call(this);
      counted += count;
      return count;
    },
  });
  render(text);
  Object.defineProperty(Element.prototype, 'childElementCount', before);
  return counted;
}

/** Renders pictures into the page; returns for each whether it is shown once it is loaded, or its alternative text is. */
export async function showPictures(data: readonly string[]): Promise<string[]> {
  document.body.replaceChildren();
  const shown = renderPlain(data.map((base64) => `![a](data:image/png;base64,${base64})`).join(' '));
  document.body.replaceChildren(shown);
  const images = [...shown.querySelectorAll('img')];
  await Promise.all(
    images.map((image) => {
      if (!image.hasAttribute('src')) return undefined;
      return new Promise((resolve) => {
        image.addEventListener('load', resolve, { once: true });
        image.addEventListener('error', resolve, { once: true });
      });
    }),
  );
  return images.map((image) => {
    if (image.getBoundingClientRect().height === 0) return 'hidden';
    return image.hasAttribute('src') ? 'picture' : 'text';
  });
}

/** Returns the length of all addresses and titles of a text, rendered at once and in pieces. */
export function measureTargets(text: string, pieces: number): number[] {
  const offsets = Array.from({ length: pieces }, (_, index) => Math.floor((index * text.length) / pieces));
  return [renderPlain(text), renderStreamed(text, offsets)].map((shown) => {
    const targets = [...shown.querySelectorAll('[href], [title]')];
    return targets.reduce(
      (sum, each) => sum + `${each.getAttribute('href') ?? ''}${each.getAttribute('title') ?? ''}`.length,
      0,
    );
  });
}

/** Counts what browsers do for a text with pictures: the pictures that are shown, looked at for room, and decoded. */
export async function countPictureWork(
  text: string,
): Promise<{ shown: number; seen: number; decoded: number }> {
  document.body.replaceChildren();
  let [seen, decoded] = [0, 0];
  const connected = Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected') ?? {};
  const images = Object.getOwnPropertyDescriptor(Document.prototype, 'images') ?? {};
  const { atob } = window;
  Object.defineProperty(Node.prototype, 'isConnected', {
    configurable: true,
    get(this: Node) {
      seen++;
      return connected.get?.call(this);
    },
  });
  Object.defineProperty(Document.prototype, 'images', {
    configurable: true,
    get(this: Document) {
      const all: HTMLCollection = images.get?.call(this);
      seen += all.length;
      return all;
    },
  });
  window.atob = (data) => {
    decoded++;
    return atob(data);
  };
  const rendered = renderPlain(text);
  document.body.replaceChildren(rendered);
  const elements = [...rendered.querySelectorAll('img')];
  await Promise.allSettled(elements.filter(({ src }) => src).map((image) => image.decode()));
  Object.defineProperty(Node.prototype, 'isConnected', connected);
  Object.defineProperty(Document.prototype, 'images', images);
  window.atob = atob;
  return { shown: elements.filter(({ src }) => src).length, seen, decoded };
}

/** Returns what the browser says is the size of a picture. */
export async function getNaturalSize(base64: string): Promise<number[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await new Promise((resolve) => {
    image.addEventListener('load', resolve, { once: true });
    image.addEventListener('error', resolve, { once: true });
  });
  return [image.naturalWidth, image.naturalHeight];
}

/** Draws a picture of a kind that has no encoder in Node. */
export function drawPicture(kind: 'jpeg' | 'webp', width: number, height: number): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.fillRect(0, 0, width, height);
  const url = canvas.toDataURL(`image/${kind}`);
  return url.slice(url.indexOf(',') + 1);
}
