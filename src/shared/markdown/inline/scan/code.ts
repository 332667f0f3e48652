const BACKTICKS = /`+/g;

/** The code spans of a text. */
export class CodeScanner {
  readonly #text: string;
  /** Lengths of backtick runs that don't occur any more. */
  readonly #unclosed = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the length of the run of backticks at a position. */
  countBackticks(position: number): number {
    BACKTICKS.lastIndex = position;
    return BACKTICKS.exec(this.#text)?.[0].length ?? 1;
  }

  /** Returns the code after a run of backticks that ends at `from`, and where its span ends; undefined if it isn't closed. */
  scan(from: number, length: number): { readonly value: string; readonly end: number } | undefined {
    if (this.#unclosed.has(length)) return undefined;
    BACKTICKS.lastIndex = from;
    for (let run = BACKTICKS.exec(this.#text); run; run = BACKTICKS.exec(this.#text)) {
      if (run[0].length !== length) continue;
      return { value: normalizeCode(this.#text.slice(from, run.index)), end: run.index + length };
    }
    this.#unclosed.add(length);
    return undefined;
  }
}

/** Returns a code span's content as it is shown: in one line, without the space inside the backticks. */
export function normalizeCode(text: string): string {
  const line = text.replace(/\n/g, ' ');
  return line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '' ? line.slice(1, -1) : line;
}
