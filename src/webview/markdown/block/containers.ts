import type { Block } from './block';
import type { ListMarker } from './blockStarts';
import { SECTION, Sections } from './sections';

/** A block that holds blocks, and the element that shows them. */
export abstract class Container implements Block {
  readonly element: HTMLElement;
  /** The block in it that came last. */
  last: Block | undefined;
  readonly #firstLine: number;

  constructor(element: HTMLElement, firstLine: number) {
    this.element = element;
    this.#firstLine = firstLine;
  }

  get lastLine(): number {
    return this.last?.lastLine ?? this.#firstLine;
  }

  /** A block that starts at a line after a blank one makes the list around it loose. */
  makesLoose(_firstLine: number): boolean {
    return false;
  }

  /** Takes a block in; its element, if it has one, comes last. */
  add(block: Block, element: HTMLElement | undefined, _firstLine: number): void {
    this.last = block;
    if (element) this.element.append(element);
  }

  /** Forgets the last block, which turned out to show nothing. */
  remove(element: HTMLElement | undefined, previous: Block | undefined): void {
    this.last = previous;
    element?.remove();
  }

  close(_lastLine: number): void {
    // Most need not know where they end.
  }
}

/** The whole text: its blocks stand in sections, of which all but the last are closed. */
export class DocumentBlock extends Container {
  readonly #sections: Sections;

  constructor(element: HTMLElement) {
    super(element, 0);
    this.#sections = new Sections(element, 'md-section');
  }

  override add(block: Block, element: HTMLElement | undefined, _firstLine: number): void {
    this.last = block;
    if (element) this.#sections.add(element);
  }

  override remove(element: HTMLElement | undefined, previous: Block | undefined): void {
    super.remove(element, previous);
    this.#sections.dropEmpty();
  }
}

export class Quote extends Container {
  #lastLine: number | undefined;

  constructor(firstLine: number) {
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
  #sections: Sections | undefined;
  loose = false;
  /** The paragraphs that stand in its items without an element of their own, as long as it is tight. */
  readonly tight = new Set<{ wrap(): void }>();

  constructor(marker: ListMarker, firstLine: number) {
    super(document.createElement(marker.start === undefined ? 'ul' : 'ol'), firstLine);
    this.marker = marker;
    if (marker.start !== undefined && marker.start !== 1)
      this.element.setAttribute('start', `${marker.start}`);
  }

  override makesLoose(firstLine: number): boolean {
    return !this.loose && this.last !== undefined && this.last.lastLine < firstLine - 1;
  }

  override add(block: Block, element: HTMLElement | undefined, firstLine: number): void {
    if (this.makesLoose(firstLine)) this.loosen();
    this.last = block;
    if (!element) return;
    // The items that a list of usual length has stand in it themselves.
    if (this.element.childElementCount < SECTION) this.element.append(element);
    else {
      this.#sections ??= new Sections(this.element, 'md-items');
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
  /** How many columns its content is indented by. */
  readonly width: number;

  constructor(list: List, width: number, firstLine: number) {
    super(document.createElement('li'), firstLine);
    this.list = list;
    this.width = width;
  }

  override makesLoose(firstLine: number): boolean {
    return !this.list.loose && this.last !== undefined && this.last.lastLine < firstLine - 1;
  }

  override add(block: Block, element: HTMLElement | undefined, firstLine: number): void {
    if (this.makesLoose(firstLine)) this.list.loosen();
    super.add(block, element, firstLine);
  }
}
