import type { FileExistence } from './fileExistence';
import { type FileMention, mentions, type NamedFile, namedFile } from './fileReference';

/** A mention in a text node of a reply. */
interface Place extends FileMention {
  readonly node: Text;
}

/** Idle time (ms) that must be left to begin with another part of a reply. */
const ENOUGH = 2;

/** Makes links of the paths in replies that have ended, where the host says that there is such a file. */
export class PathLinks {
  readonly #files: FileExistence;
  readonly #openFile: (file: NamedFile) => void;
  readonly #targets = new WeakMap<Element, NamedFile>();
  /** Parts of replies to look through when the page is idle. */
  readonly #unread: Element[] = [];
  /** Parts where the person has text selected: they are touched when the selection is elsewhere. */
  readonly #held = new Map<Element, readonly Place[]>();

  constructor(files: FileExistence, openFile: (file: NamedFile) => void) {
    this.#files = files;
    this.#openFile = openFile;
    document.addEventListener('click', (event) => this.#open(event));
    document.addEventListener('keydown', (event) => event.key === 'Enter' && this.#open(event));
    document.addEventListener('selectionchange', () => this.#release());
  }

  /** Takes the body of a reply that has ended. */
  add(body: Element): void {
    if (this.#unread.length === 0) this.#readWhenIdle();
    this.#unread.push(...body.children);
  }

  #readWhenIdle(): void {
    requestIdleCallback((deadline) => {
      do {
        const part = this.#unread.shift();
        if (part?.isConnected) void this.#link(part);
      } while (this.#unread.length > 0 && deadline.timeRemaining() > ENOUGH);
      if (this.#unread.length > 0) this.#readWhenIdle();
    });
  }

  async #link(part: Element): Promise<void> {
    const places = findPlaces(part);
    const exist = await Promise.all(places.map(({ file }) => this.#files.exists(file.path)));
    const found = places.filter((_, index) => exist[index]);
    if (found.length === 0) return;
    if (isSelected(part)) this.#held.set(part, found);
    else this.#wrap(found);
  }

  /** From the last to the first, so that the earlier ones of a text node stay where they are. */
  #wrap(places: readonly Place[]): void {
    for (const { node, start, end, file } of places.toReversed()) {
      if (!node.isConnected) continue;
      const path = node.splitText(start);
      path.splitText(end - start);
      const link = document.createElement('a');
      link.className = 'path-link';
      link.role = 'link';
      link.tabIndex = 0;
      path.replaceWith(link);
      link.append(path);
      this.#targets.set(link, file);
    }
  }

  #release(): void {
    for (const [part, places] of this.#held) {
      if (isSelected(part)) continue;
      this.#held.delete(part);
      this.#wrap(places);
    }
  }

  #open(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest('.path-link') : null;
    const file = link && this.#targets.get(link);
    if (!file) return;
    event.preventDefault();
    this.#openFile(file);
  }
}

/** Whole inline code that names a file, and paths in prose; never in blocks of code nor in links. */
function findPlaces(part: Element): Place[] {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches('a, pre, .code-block, math')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const places: Place[] = [];
  if (part.matches('pre, .code-block')) return places;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const { data } = node;
    if (node.parentElement?.localName !== 'code') {
      for (const mention of mentions(data)) places.push({ node, ...mention });
    } else if (!/\s/.test(data)) {
      const file = namedFile(data);
      if (file) places.push({ node, start: 0, end: data.length, file });
    }
  }
  return places;
}

function isSelected(part: Element): boolean {
  const selection = document.getSelection();
  return selection?.type === 'Range' && selection.containsNode(part, true);
}
