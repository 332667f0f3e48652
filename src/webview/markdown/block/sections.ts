/** How many elements stand in a section: the browser lays out all siblings of what grows. */
export const SECTION = 24;

/** Groups the children of an element in sections, of which all but the last are closed. */
export class Sections {
  readonly #parent: HTMLElement;
  readonly #className: string;
  #last: HTMLElement | undefined;

  constructor(parent: HTMLElement, className: string) {
    this.#parent = parent;
    this.#className = className;
  }

  add(element: HTMLElement): void {
    if (!this.#last || this.#last.childElementCount >= SECTION) {
      this.#last?.classList.add('md-closed');
      this.#last = document.createElement('div');
      this.#last.className = this.#className;
      // Between a list and its items too, a section means nothing to a screen reader.
      this.#last.role = 'presentation';
      this.#parent.append(this.#last);
    }
    this.#last.append(element);
  }

  /** Opens the section before the last one, if that holds nothing any more. */
  dropEmpty(): void {
    if (this.#last?.childElementCount !== 0) return;
    const before = this.#last.previousElementSibling;
    this.#last.remove();
    this.#last = before instanceof HTMLElement ? before : undefined;
    this.#last?.classList.remove('md-closed');
  }
}
