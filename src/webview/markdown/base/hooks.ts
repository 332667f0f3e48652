/** Lets the page extend the blocks of a reply. */
export interface MarkdownHooks {
  /**
   * Creates the element around a code block, once. Gets the <pre>, its language (the first word of the info string, may
   * be ''), a function that returns the block's current text, and the whole info string. Returns the element to put in
   * its place.
   */
  codeBlock?(pre: HTMLElement, language: string, text: () => string, info: string): HTMLElement;
  /**
   * Called when a line of a code block is complete. The page may replace the line's text node by other nodes with the
   * same text, now or later.
   */
  codeLine?(pre: HTMLElement, line: Text): void;
  /** Creates the element around a table, once. Returns the element to put in its place. */
  table?(table: HTMLElement): HTMLElement;
  /**
   * Called when a formula is complete: the element shows its source, and `tex` is the source without its marks.
   * The page may replace the element's content, now or later.
   */
  formula?(element: HTMLElement, tex: string, display: boolean): void;
}
