/**
 * A position in one line, in characters and in columns: a tab reaches to the next multiple of four columns
 * and may be consumed in part. A line may still be arriving; `complete` says whether it has all come.
 */
export class LineCursor {
  readonly line: string;
  readonly complete: boolean;
  offset = 0;
  /** Where the next character that is no space or tab stands, and how many columns away it is. */
  next = 0;
  indent = 0;
  #column = 0;
  #insideTab = false;

  constructor(line: string, complete: boolean) {
    this.line = line;
    this.complete = complete;
    this.#findNext();
  }

  /** Nothing but spaces and tabs is left. */
  get blank(): boolean {
    return this.next === this.line.length;
  }

  /** Nothing can be said before more of the line has come. */
  get undecided(): boolean {
    return this.blank && !this.complete;
  }

  /** The text from the next character that is no space or tab. */
  get trimmed(): string {
    return this.line.slice(this.next);
  }

  /** The text from here, with what is left of a tab as spaces. */
  get rest(): string {
    if (!this.#insideTab) return this.line.slice(this.offset);
    return ' '.repeat(4 - (this.#column % 4)) + this.line.slice(this.offset + 1);
  }

  get atSpace(): boolean {
    const character = this.line[this.offset];
    return character === ' ' || character === '\t';
  }

  /** Consumes that many columns. */
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

  /** Consumes the spaces and then that many characters, none of them a tab. */
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
