import type { MarkdownElement, MarkdownText } from './markdownNodes';

/** Lets the page, or the export, extend the blocks of a reply. */
export interface MarkdownHooks<
  E extends MarkdownElement = MarkdownElement,
  T extends MarkdownText = MarkdownText,
> {
  /**
   * Creates the element around a code block, once. Gets the <pre>, its language (the first word of the info string, may
   * be ''), a function that returns the block's current text, and the whole info string. Returns the element to put in
   * its place.
   */
  codeBlock?(pre: E, language: string, text: () => string, info: string): E;
  /**
   * Called when a line of a code block is complete. The page may replace the line's text node by other nodes with the
   * same text, now or later.
   */
  codeLine?(pre: E, line: T): void;
  /** Creates the element around a table, once. Returns the element to put in its place. */
  table?(table: E): E;
  /**
   * Called when a formula is complete: the element shows its source, and `tex` is the source without its marks.
   * The page may replace the element's content, now or later.
   */
  formula?(element: E, tex: string, display: boolean): void;
  /**
   * Sets the source of an image, if it may be shown: otherwise its alternative text is all there is. `target`: the same object
   * for all uses of a reference.
   */
  picture?(image: E, source: string, target: object): void;
  /** Called for the checkbox of a task. */
  checkbox?(checkbox: E, checked: boolean): void;
}
