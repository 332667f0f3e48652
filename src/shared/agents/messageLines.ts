/** Far longer than any request: a question has at most 200,000 characters. In UTF-16 code units. */
export const MAX_REQUEST_LENGTH = 1_000_000;
/** The longest result: a conversation. In UTF-16 code units. */
export const MAX_RESULT_LENGTH = 32_000_000;

/** Splits a stream of text into messages, one JSON value per line. */
export class MessageLines {
  /** Of a line, in UTF-16 code units. */
  maxLength: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(maxLength: number) {
    this.maxLength = maxLength;
  }

  /** Returns the values of the lines that this text completes. Throws for one that is too long or isn't JSON. */
  feed(text: string): unknown[] {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    const values = lines.map((line) => {
      this.#append(line);
      const whole = this.#pieces.join('');
      this.#pieces = [];
      this.#length = 0;
      return JSON.parse(whole) as unknown;
    });
    this.#append(rest);
    return values;
  }

  #append(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.maxLength) throw new Error('A message is too long');
    if (piece !== '') this.#pieces.push(piece);
  }
}

/** Returns a message as one line. */
export function toMessageLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
