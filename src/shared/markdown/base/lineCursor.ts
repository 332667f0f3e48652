/**
 * A position in one line, in characters and columns: a tab extends to the next multiple of four columns and may be
 * consumed in part. The line may still be arriving; `complete` tells whether all of it is there.
 */
export class LineCursor {
  readonly line: string;
  readonly complete: boolean;
  offset = 0;
  /** Offset of the next character that isn't a space or tab, and its distance in columns. */
  next = 0;
  indent = 0;
  #column = 0;
  #insideTab = false;

  constructor(line: string, complete: boolean) {
    this.line = line;
    this.complete = complete;
    this.#findNext();
  }

  /** Whether only spaces and tabs are left. */
  get blank(): boolean {
    return this.next === this.line.length;
  }

  /** Whether more of the line is needed to decide anything. */
  get undecided(): boolean {
    return this.blank && !this.complete;
  }

  /** The text from the next character that isn't a space or tab. */
  get trimmed(): string {
    return this.line.slice(this.next);
  }

  /** The remaining text, with the rest of a tab as spaces. */
  get rest(): string {
    if (!this.#insideTab) return this.line.slice(this.offset);
    return ' '.repeat(4 - (this.#column % 4)) + this.line.slice(this.offset + 1);
  }

  get atSpace(): boolean {
    const character = this.line[this.offset];
    return character === ' ' || character === '\t';
  }

  /** Consumes a number of columns. */
  advance(columns: number): void {
    for (let left = columns; left > 0 && this.offset < this.line.length; ) {
      const width = this.line[this.offset] === '\t' ? 4 - (this.#column % 4) : 1;
      const used = Math.min(left, width);
      this.#insideTab = used < width;
      if (!this.#insideTab) this.offset++;
      this.#column += used;
      left -= used;
    }
    this.#findNext();
  }

  /** Consumes the spaces and then a number of characters, none of them a tab. */
  consume(characters: number): void {
    this.#column += this.indent + characters;
    this.offset = this.next + characters;
    this.#insideTab = false;
    this.#findNext();
  }

  #findNext(): void {
    let column = this.#column;
    let next = this.offset;
    for (; next < this.line.length; next++) {
      const character = this.line.charCodeAt(next);
      if (character === 0x20) column++;
      else if (character === 0x09) column += 4 - (column % 4);
      else break;
    }
    this.next = next;
    this.indent = column - this.#column;
  }
}
