import type { MarkdownDocument, MarkdownElement } from '../base/markdownNodes';

/** Elements per section: the browser lays out all siblings of an element that grows. */
export const SECTION_SIZE = 24;

/** Groups the children of an element in sections, all closed but the last. */
export class Sections {
  readonly #document: MarkdownDocument;
  readonly #parent: MarkdownElement;
  readonly #className: string;
  #last: MarkdownElement | undefined;

  constructor(document: MarkdownDocument, parent: MarkdownElement, className: string) {
    this.#document = document;
    this.#parent = parent;
    this.#className = className;
  }

  add(element: MarkdownElement): void {
    if (!this.#last || this.#last.childElementCount >= SECTION_SIZE) {
      if (this.#last) this.#last.className = `${this.#className} md-closed`;
      this.#last = this.#document.createElement('div');
      this.#last.className = this.#className;
      // Also between a list and its items, screen readers must ignore the section.
      this.#last.setAttribute('role', 'presentation');
      this.#parent.appendChild(this.#last);
    }
    this.#last.appendChild(element);
  }

  /** Removes the last section if it is empty, and reopens the one before. */
  dropEmpty(): void {
    if (this.#last?.childElementCount !== 0) return;
    const before = this.#last.previousElementSibling;
    this.#last.remove();
    this.#last = before ?? undefined;
    if (before) before.className = this.#className;
  }
}
