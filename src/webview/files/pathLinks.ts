import type { FileExistence } from './fileExistence';
import { type FilePath, findFilePaths } from './filePaths';
import { type FileReference, parseFileReference } from './fileReference';

/** A path in a text node of a reply. */
interface Place extends FilePath {
  readonly node: Text;
}

/** Minimum idle time left for starting another part of a reply. */
const MIN_IDLE_MS = 2;

/** Turns paths in completed replies into links, if the host confirms that the files exist. */
export class PathLinks {
  readonly #files: FileExistence;
  readonly #openFile: (file: FileReference) => void;
  readonly #targets = new WeakMap<Element, FileReference>();
  /** Parts of replies to search when the page is idle. */
  readonly #pending: Element[] = [];
  /** Parts with selected text: they are changed once the selection is elsewhere. */
  readonly #deferred = new Map<Element, readonly Place[]>();

  constructor(files: FileExistence, openFile: (file: FileReference) => void) {
    this.#files = files;
    this.#openFile = openFile;
    document.addEventListener('click', (event) => this.#open(event));
    document.addEventListener('keydown', (event) => event.key === 'Enter' && this.#open(event));
    document.addEventListener('selectionchange', () => this.#wrapDeferred());
  }

  /** Adds the body of a completed reply. */
  addReply(body: Element): void {
    if (this.#pending.length === 0) this.#linkWhenIdle();
    for (const block of body.children) this.#pending.push(block);
  }

  #linkWhenIdle(): void {
    requestIdleCallback((deadline) => {
      do {
        const part = this.#pending.shift();
        if (part?.isConnected) void this.#linkPart(part);
      } while (this.#pending.length > 0 && deadline.timeRemaining() > MIN_IDLE_MS);
      if (this.#pending.length > 0) this.#linkWhenIdle();
    });
  }

  async #linkPart(part: Element): Promise<void> {
    const places = findPlaces(part);
    const exist = await Promise.all(places.map(({ file }) => this.#files.exists(file.path)));
    const found = places.filter((_, index) => exist[index]);
    if (found.length === 0) return;
    if (isSelected(part)) this.#deferred.set(part, found);
    else this.#wrapPlaces(found);
  }

  /** Replaces each text node once: splitting it at each place copies the rest of it each time. */
  #wrapPlaces(places: readonly Place[]): void {
    const byNode = new Map<Text, Place[]>();
    for (const place of places) {
      const inNode = byNode.get(place.node);
      if (inNode) inNode.push(place);
      else byNode.set(place.node, [place]);
    }
    for (const [node, inNode] of byNode) {
      if (!node.isConnected) continue;
      const { data } = node;
      const parts = document.createDocumentFragment();
      let from = 0;
      for (const { start, end, file } of inNode) {
        if (start > from) parts.append(data.slice(from, start));
        parts.append(this.#createLink(data.slice(start, end), file));
        from = end;
      }
      if (from < data.length) parts.append(data.slice(from));
      node.replaceWith(parts);
    }
  }

  #createLink(text: string, file: FileReference): HTMLElement {
    const link = document.createElement('a');
    link.className = 'path-link';
    link.role = 'link';
    link.tabIndex = 0;
    link.append(text);
    this.#targets.set(link, file);
    return link;
  }

  #wrapDeferred(): void {
    for (const [part, places] of this.#deferred) {
      if (isSelected(part)) continue;
      this.#deferred.delete(part);
      this.#wrapPlaces(places);
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

/** Finds inline code that names a file, and paths in prose; skips code blocks and links. */
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
      for (const path of findFilePaths(data)) places.push({ node, ...path });
    } else if (!/\s/.test(data)) {
      const file = parseFileReference(data);
      if (file) places.push({ node, start: 0, end: data.length, file });
    }
  }
  return places;
}

function isSelected(part: Element): boolean {
  const selection = document.getSelection();
  return selection?.type === 'Range' && selection.containsNode(part, true);
}
