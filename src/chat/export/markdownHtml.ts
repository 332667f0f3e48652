import { encodeUri } from '../../shared/markdown/inline/scan/linkScan';
import { MarkdownRenderer } from '../../shared/markdown/markdownRenderer';
import { type SafeLink, toSafeLink } from '../../shared/text/safeLink';
import { type MarkupNode, TreeElement, TreeText, treeDocument } from './markupTree';

/** Limit on the total length of a text's link addresses, as a multiple of its length. Percent-encoding can take nine times. */
const MAX_GROWTH = 10;
/** Extra characters of addresses, shared by all texts of a document: in a table, a reference may be much shorter than its address. */
const SHARED_ROOM = 2 ** 20;

/** Elements with blocks or rows in them, and elements that are lines: the HTML has line ends between them. */
const CONTAINER = /^(?:ul|ol|blockquote|details|table|thead|tbody|tr)$/;
const LINE = /^(?:p|h[1-6]|li|th|td|summary|pre)$/;

/** Remaining characters for addresses. */
interface Room {
  left: number;
}

/**
 * Renders Markdown as HTML that has no script, no remote content and no links other than `https:`. It is parsed as in the
 * panel. `keepsLines`: whether what was typed on several lines stays on several lines. `shared`: the same for all texts of
 * a document.
 */
export function toHtml(markdown: string, keepsLines = false, shared = createSharedRoom()): string {
  const root = new TreeElement('div');
  const renderer = new MarkdownRenderer(treeDocument, root, { formula: showTex });
  renderer.appendMarkdown(markdown);
  renderer.end();
  // What the addresses of further links may take. Many references may share a long one.
  const writer = new HtmlWriter(keepsLines, [{ left: MAX_GROWTH * markdown.length }, shared]);
  writer.writeChildren(root);
  return writer.html;
}

export function createSharedRoom(): Room {
  return { left: SHARED_ROOM };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Renders a link to an `https:` address; of any other address, its text only. */
export function renderLink(url: string, text: string): string {
  const href = toSafeLink(url);
  if (href === undefined) return escapeHtml(text);
  return `${openLink(href, text === url ? text : '')}${escapeHtml(text)}</a>`;
}

/**
 * Returns the start of a link. Its address isn't printed again if that is its text (`shown`), unless the host is written
 * in letters that may look like those of another one.
 */
function openLink(href: SafeLink, shown: string): string {
  const isBare = shown.toLowerCase().startsWith(new URL(href).origin);
  return `<a${isBare ? ' class="bare"' : ''} href="${escapeHtml(href)}" rel="noreferrer noopener">`;
}

/** Shows the source of a formula without its marks. */
function showTex(element: TreeElement, tex: string): void {
  if (element.firstChild instanceof TreeText) element.firstChild.data = tex;
}

/** Writes a tree as HTML: elements and attributes by name, and all else escaped. */
class HtmlWriter {
  html = '';
  #isLineStart = true;
  readonly #keepsLines: boolean;
  readonly #rooms: readonly Room[];

  constructor(keepsLines: boolean, rooms: readonly Room[]) {
    this.#keepsLines = keepsLines;
    this.#rooms = rooms;
  }

  writeChildren(parent: TreeElement): void {
    for (const node of parent) this.#writeNode(node);
  }

  #writeNode(node: MarkupNode): void {
    if (node instanceof TreeText) {
      if (node.nodeType === 3) this.#writeText(node);
    } else if (/\bmd-math\b/.test(node.className)) this.#writeFormula(node);
    else if (node.name === 'a') this.#writeLink(node);
    // Nothing is loaded.
    else if (node.name === 'img') this.#add(escapeHtml(node.attributes.get('alt') ?? ''));
    else if (node.name === 'br') this.#add('<br>');
    else if (node.name === 'hr') this.#addLine('<hr>');
    else if (node.name === 'pre') this.#addLine(`<pre><code>${escapeHtml(node.textContent)}</code></pre>`);
    else if (node.name === 'code') this.#add(`<code>${escapeHtml(node.textContent)}</code>`);
    // What only groups lines or blocks.
    else if (node.name === 'div' || node.name === 'span') this.writeChildren(node);
    // The item of a task shows whether it is done.
    else if (node.name !== 'input') this.#writeElement(node);
  }

  #writeElement(element: TreeElement): void {
    // HTML ends a paragraph where <details> or <summary> starts.
    const name = element.name === 'p' && containsDetails(element) ? 'div' : element.name;
    const isContainer = CONTAINER.test(name);
    const isBlock = isContainer || LINE.test(element.name);
    if (isBlock) this.#endLine();
    this.#add(`<${name}${formatAttributes(element)}>${isContainer ? '\n' : ''}`);
    this.writeChildren(element);
    this.#add(`</${name}>${isBlock ? '\n' : ''}`);
  }

  #writeText({ data, previousSibling, parentNode }: TreeText): void {
    const before = previousSibling instanceof TreeElement ? previousSibling.name : '';
    const text = escapeHtml(before === 'input' ? data.trimStart() : data);
    if (!this.#keepsLines || parentNode?.className === 'md-html') this.#add(text);
    // A line end that was marked as such has its <br> already.
    else this.#add(text.replace(/\n/g, (_, at) => (at === 0 && before === 'br' ? '\n' : '<br>\n')));
  }

  #writeFormula({ name, className, textContent }: TreeElement): void {
    const tex = escapeHtml(textContent);
    if (name === 'div') this.#addLine(`<pre class="math"><code>${tex}</code></pre>`);
    else this.#add(`<code class="math${/\bmd-display\b/.test(className) ? ' display' : ''}">${tex}</code>`);
  }

  /** Writes a link to an `https:` address, and any other address after its text. */
  #writeLink(link: TreeElement): void {
    const url = this.#takeRoom(link.attributes.get('href') ?? '');
    const href = toSafeLink(url);
    const text = link.textContent;
    const isAddress = ['', 'http://', 'mailto:'].some((start) => encodeUri(start + text) === url);
    if (href !== undefined) this.#add(openLink(href, isAddress ? text : ''));
    this.writeChildren(link);
    if (href !== undefined) this.#add('</a>');
    else if (url !== '' && !isAddress) this.#add(escapeHtml(` <${url}>`));
  }

  /** Returns an address if there is room for it, which it takes; otherwise ''. */
  #takeRoom(url: string): string {
    const room = this.#rooms.find(({ left }) => left >= url.length);
    if (!room) return '';
    room.left -= url.length;
    return url;
  }

  #addLine(html: string): void {
    this.#endLine();
    this.#add(`${html}\n`);
  }

  #endLine(): void {
    if (!this.#isLineStart) this.#add('\n');
  }

  #add(html: string): void {
    if (html === '') return;
    this.html += html;
    this.#isLineStart = html.endsWith('\n');
  }
}

/** Formats the attributes that an export keeps. */
function formatAttributes(element: TreeElement): string {
  const { name, className, attributes } = element;
  if (name === 'details') return ' open';
  if (name === 'li' && className === 'md-task') return ` class="task${isDone(element) ? ' done' : ''}"`;
  if (name === 'p' && className === 'md-html') return ' class="html"';
  // The policy forbids style attributes.
  if (className.startsWith('align-')) return ` class="${className}"`;
  const start = name === 'ol' ? attributes.get('start') : undefined;
  return start === undefined ? '' : ` start="${escapeHtml(start)}"`;
}

/** Returns whether the item of a task is checked. Its checkbox comes first, maybe in a paragraph. */
function isDone({ firstChild }: TreeElement): boolean {
  const box =
    firstChild instanceof TreeElement && firstChild.name !== 'input' ? firstChild.firstChild : firstChild;
  return box instanceof TreeElement && box.attributes.has('checked');
}

function containsDetails(element: TreeElement): boolean {
  for (const node of element)
    if (node instanceof TreeElement && (/^(?:details|summary)$/.test(node.name) || containsDetails(node)))
      return true;
  return false;
}
