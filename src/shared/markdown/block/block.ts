/** What the parser keeps of a block: enough to tell whether a blank line separates it from the next one. */
export interface Block {
  readonly lastLine: number;
}

/** A block of text. It receives its lines in pieces and renders them on request. */
export interface Leaf extends Block {
  lastLine: number;
  startLine(): void;
  /** Adds text to the line. */
  appendToLine(text: string): void;
  /** Ends the line; returns true if the block ends with it. */
  endLine(): boolean;
  /** Renders the text so far. */
  renderBlock(): void;
  closeBlock(): void;
}
