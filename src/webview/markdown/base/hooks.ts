/** What the page may add around the blocks of a reply. */
export interface MarkdownHooks {
  /**
   * Builds the element around a code block once: gets the <pre>, its language word (the info string's first
   * word, may be ''), a way to read the block's current text and the whole info string. Returns the element to
   * put in its place.
   */
  codeBlock?(pre: HTMLElement, language: string, text: () => string, info: string): HTMLElement;
  /**
   * A line of a code block is complete. The page may put other nodes with the same text in place of the line's
   * text node, now or later.
   */
  codeLine?(pre: HTMLElement, line: Text): void;
  /**
   * A formula is complete: the element shows its source as it was written, `tex` is what stands between its marks.
   * The page may show something else in it, now or later.
   */
  formula?(element: HTMLElement, tex: string, display: boolean): void;
}
