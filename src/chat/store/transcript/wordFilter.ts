import { foldText } from '../../../shared/text/searchText';

const CHUNK_START = '{"type":"chunk","turnId":"';
const CHUNK_TEXT_START = '","text":"';
const CHUNK_END = '"}';
/** An escaped surrogate in JSON, whose other half may be in the next chunk. */
const SURROGATE = '\\ud';

/**
 * Checks quickly, without parsing records, whether a transcript may have a turn with all the words: it has false
 * positives, but no false negatives. The words are folded. Lines are added in order.
 */
export class WordFilter {
  readonly #needles: readonly string[];
  /** The texts of the replies so far, as JSON without quotation marks, by their turns' IDs. */
  readonly #replies = new Map<string, string>();
  #isCandidate = false;

  constructor(words: readonly string[]) {
    this.#needles = words.map(toJsonText);
    this.#isCandidate = this.#needles.some((needle) => needle.includes(SURROGATE));
  }

  /** Whether the lines added so far have decided that the transcript is a candidate, without the texts of replies. */
  get isDecided(): boolean {
    return this.#isCandidate;
  }

  /** Whether the lines added so far may have the words. Looks through the texts of all replies. */
  get isCandidate(): boolean {
    if (this.#isCandidate) return true;
    for (const text of this.#replies.values()) if (this.#mayContain(text)) return true;
    return false;
  }

  add(lines: string): void {
    // What a power loss damaged may have several records in a line.
    if (lines.includes('\0')) this.#isCandidate = true;
    for (const line of lines.split('\n')) {
      if (this.#isCandidate) return;
      if (line.startsWith(CHUNK_START)) this.#addChunk(line);
      else this.#addOther(line);
    }
  }

  #addChunk(line: string): void {
    const idEnd = line.indexOf(CHUNK_TEXT_START, CHUNK_START.length);
    const text = line.slice(idEnd + CHUNK_TEXT_START.length, -CHUNK_END.length);
    if (idEnd > 0 && line.endsWith(CHUNK_END) && !text.includes('"')) {
      this.#addText(line.slice(CHUNK_START.length, idEnd), text);
    } else this.#addParsed(line);
  }

  #addOther(line: string): void {
    if (this.#mayContain(line)) this.#isCandidate = true;
    // A reply's text usually comes in chunks; a word may begin here and end in one.
    else if (line.includes('"kind":"reply"') && !line.includes('"text":""')) this.#addParsed(line);
  }

  #addParsed(line: string): void {
    try {
      const { turnId, text, turn } = JSON.parse(line);
      if (typeof text === 'string') this.#addText(toJsonText(turnId), toJsonText(text));
      else if (typeof turn?.text === 'string') this.#addText(toJsonText(turn.id), toJsonText(turn.text));
    } catch {
      // A damaged line has no text.
    }
  }

  #addText(turnId: string, text: string): void {
    this.#replies.set(turnId, (this.#replies.get(turnId) ?? '') + text);
  }

  #mayContain(text: string): boolean {
    const folded = foldText(text);
    return this.#needles.every((needle) => folded.includes(needle)) || folded.includes(SURROGATE);
  }
}

/** Returns a text as it is within the quotation marks of JSON. */
function toJsonText(text: unknown): string {
  return JSON.stringify(text).slice(1, -1);
}
