/** What the parser keeps of a block: enough to tell whether a blank line comes between it and the next one. */
export interface Block {
  /** The number of its last line. */
  readonly lastLine: number;
}

/** A block of text. It gets its lines piece by piece and shows them when asked. */
export interface Leaf extends Block {
  lastLine: number;
  startLine(): void;
  /** Adds text to the line. */
  append(text: string): void;
  /** Ends the line; true when the block ends with it. */
  endLine(): boolean;
  /** Shows what has come. */
  show(): void;
  /** The block is complete. */
  close(): void;
}
