/** Elements per section: the browser lays out all siblings of an element that grows. */
export const SECTION_SIZE = 24;

/** Groups the children of an element in sections, all closed but the last. */
export class Sections {
  readonly #parent: HTMLElement;
  readonly #className: string;
  #last: HTMLElement | undefined;

  constructor(parent: HTMLElement, className: string) {
    this.#parent = parent;
    this.#className = className;
  }

  add(element: HTMLElement): void {
    if (!this.#last || this.#last.childElementCount >= SECTION_SIZE) {
      this.#last?.classList.add('md-closed');
      this.#last = document.createElement('div');
      this.#last.className = this.#className;
      // Also between a list and its items, screen readers must ignore the section.
      this.#last.role = 'presentation';
      this.#parent.append(this.#last);
    }
    this.#last.append(element);
  }

  /** Removes the last section if it is empty, and reopens the one before. */
  dropEmpty(): void {
    if (this.#last?.childElementCount !== 0) return;
    const before = this.#last.previousElementSibling;
    this.#last.remove();
    this.#last = before instanceof HTMLElement ? before : undefined;
    this.#last?.classList.remove('md-closed');
  }
}
