import type { MarkdownDocument, MarkdownElement } from '../base/markdownNodes';
import type { Block } from './block';
import type { ListMarker } from './blockStarts';
import { SECTION_SIZE, Sections } from './sections';

/** A block that contains blocks, with its element. */
export abstract class Container implements Block {
  readonly element: MarkdownElement;
  /** The last block in it. */
  last: Block | undefined;
  readonly #firstLine: number;

  constructor(element: MarkdownElement, firstLine: number) {
    this.element = element;
    this.#firstLine = firstLine;
  }

  get lastLine(): number {
    return this.last?.lastLine ?? this.#firstLine;
  }

  /** Returns whether a block starting at a line makes the list loose: it comes after a blank line. */
  makesLoose(_firstLine: number): boolean {
    return false;
  }

  /** Adds a block, and its element if it has one. */
  add(block: Block, element: MarkdownElement | undefined, _firstLine: number): void {
    this.last = block;
    if (element) this.element.appendChild(element);
  }

  /** Removes the last block, which turned out to be empty. */
  remove(element: MarkdownElement | undefined, previous: Block | undefined): void {
    this.last = previous;
    element?.remove();
  }

  close(_lastLine: number): void {
    // Most containers don't need the line.
  }
}

/** The whole text: its blocks are in sections, all closed but the last. */
export class DocumentBlock extends Container {
  readonly #sections: Sections;

  constructor(document: MarkdownDocument, element: MarkdownElement) {
    super(element, 0);
    this.#sections = new Sections(document, element, 'md-section');
  }

  override add(block: Block, element: MarkdownElement | undefined, _firstLine: number): void {
    this.last = block;
    if (element) this.#sections.add(element);
  }

  override remove(element: MarkdownElement | undefined, previous: Block | undefined): void {
    super.remove(element, previous);
    this.#sections.dropEmpty();
  }
}

export class Quote extends Container {
  #lastLine: number | undefined;

  constructor(document: MarkdownDocument, firstLine: number) {
    super(document.createElement('blockquote'), firstLine);
  }

  override get lastLine(): number {
    return this.#lastLine ?? super.lastLine;
  }

  override close(lastLine: number): void {
    this.#lastLine = lastLine;
  }
}

export class List extends Container {
  readonly marker: ListMarker;
  readonly #document: MarkdownDocument;
  #sections: Sections | undefined;
  /** Number of items: browsers count the children of an element one by one. */
  #itemCount = 0;
  loose = false;
  /** While the list is tight: the paragraphs in its items that have no element of their own. */
  readonly tight = new Set<{ wrap(): void }>();

  constructor(document: MarkdownDocument, marker: ListMarker, firstLine: number) {
    super(document.createElement(marker.start === undefined ? 'ul' : 'ol'), firstLine);
    this.#document = document;
    this.marker = marker;
    if (marker.start !== undefined && marker.start !== 1)
      this.element.setAttribute('start', `${marker.start}`);
  }

  override makesLoose(firstLine: number): boolean {
    return !this.loose && this.last !== undefined && this.last.lastLine < firstLine - 1;
  }

  override add(block: Block, element: MarkdownElement | undefined, firstLine: number): void {
    if (this.makesLoose(firstLine)) this.loosen();
    this.last = block;
    if (!element) return;
    // Lists of usual length contain their items directly.
    if (this.#itemCount++ < SECTION_SIZE) this.element.appendChild(element);
    else {
      this.#sections ??= new Sections(this.#document, this.element, 'md-items');
      this.#sections.add(element);
    }
  }

  loosen(): void {
    this.loose = true;
    for (const paragraph of this.tight) paragraph.wrap();
    this.tight.clear();
  }

  override close(): void {
    this.tight.clear();
  }
}

export class Item extends Container {
  readonly list: List;
  /** Indentation of its content in columns. */
  readonly width: number;

  constructor(document: MarkdownDocument, list: List, width: number, firstLine: number) {
    super(document.createElement('li'), firstLine);
    this.list = list;
    this.width = width;
  }

  override makesLoose(firstLine: number): boolean {
    return !this.list.loose && this.last !== undefined && this.last.lastLine < firstLine - 1;
  }

  override add(block: Block, element: MarkdownElement | undefined, firstLine: number): void {
    if (this.makesLoose(firstLine)) this.list.loosen();
    super.add(block, element, firstLine);
  }
}
