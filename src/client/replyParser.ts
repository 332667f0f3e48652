import { createParser } from 'eventsource-parser';
import * as v from 'valibot';

/** The maximum length of an incomplete event, in UTF-16 code units. Parsing the JSON of 8 MB can take more than a second. */
const MAX_EVENT_LENGTH = 1024 * 1024;

/** Limit on lines between one event and the next; blank and meaningless lines don't count. */
const MAX_EVENT_LINES = 10_000;

/** Limit on unreadable events in a reply; parsing each one throws an error. */
const MAX_SKIPPED_EVENTS = 10_000;

/** Whole lines that mean nothing in a reply: comments, IDs, retry times and unknown fields. The parser makes an error of some. */
const MEANINGLESS_LINES = /(?<=^|\n)(?!data[:\n]|event[:\n]|\n)[^\n]*\n/g;

/** The maximum length of a reply, in UTF-16 code units; far longer than any real reply. */
const MAX_REPLY_LENGTH = 32 * 1024 * 1024;

/** Longer than `[START]` with blanks around it. */
const MAX_MARKER_LENGTH = 100;

const chunkSchema = v.object({ chunk: v.string() });

/**
 * Extracts a reply's text from the bytes of its event stream (docs/service.md: GET {stream_url}), however
 * they are split.
 *
 * Pure: `feed` takes bytes and returns text.
 */
export class ReplyParser {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      this.#eventLines = 0;
      // As a browser's `onmessage`, it ignores events with a name of their own, such as pings.
      if (event === undefined || event === 'message') this.#handleData(data);
    },
    onError: ({ type }) => {
      // Ignore an invalid retry or an unknown field, as the standard requires.
      if (type === 'max-buffer-size-exceeded') this.#state = 'tooLarge';
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  #state: 'open' | 'closing' | 'complete' | 'tooLarge' = 'open';
  #skippedEvents = 0;
  #eventLines = 0;
  #text = '';
  #length = 0;
  #endsWithCr = false;
  #isWithinLine = false;

  /**
   * `complete` after `[END]`, `tooLarge` after an event or reply over its limit, or too much that is unreadable; nothing is
   * read after either.
   */
  get state(): 'open' | 'complete' | 'tooLarge' {
    return this.#state === 'closing' ? 'open' : this.#state;
  }

  /** Whether an event was skipped because it is neither a chunk nor a marker. */
  get skipped(): boolean {
    return this.#skippedEvents > 0;
  }

  /** Takes the next bytes and returns the text of the chunks that they complete. */
  feed(bytes: Uint8Array): string {
    this.#feedText(this.#decoder.decode(bytes, { stream: true }));
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** Call when the stream has closed: an `[END]` that lacks only its blank line still counts. */
  endReply(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#feedText('\n\n');
  }

  #feedText(text: string): void {
    if (text === '' || this.#state === 'complete' || this.#state === 'tooLarge') return;
    // Normalize line endings: the parser would hold back a trailing CR until the next character, and with it
    // an [END].
    const fresh = this.#endsWithCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#endsWithCr = text.endsWith('\r');
    this.#feedLines(fresh.replace(/\r\n?/g, '\n'));
  }

  #feedLines(text: string): void {
    // A line that began before this text, or doesn't end in it, is left to the parser.
    const start = this.#isWithinLine ? text.indexOf('\n') + 1 || text.length : 0;
    const lines = text.slice(0, start) + text.slice(start).replace(MEANINGLESS_LINES, '');
    if (this.#isWithinLine && text.startsWith('\n')) this.#eventLines++;
    this.#eventLines += lines.match(/[^\n]\n/g)?.length ?? 0;
    if (text !== '') this.#isWithinLine = !text.endsWith('\n');
    this.#parser.feed(lines);
    if (this.#eventLines > MAX_EVENT_LINES && this.state === 'open') this.#state = 'tooLarge';
  }

  #handleData(data: string): void {
    const marker = data.length < MAX_MARKER_LENGTH ? data.trim() : data;
    if (this.state !== 'open' || marker === '' || marker === '[START]') return;
    if (marker === '[END]') {
      this.#state = 'complete';
      return;
    }
    // Incomplete event: the standard drops it.
    if (this.#state === 'closing') return;
    const chunk = v.safeParse(chunkSchema, parseJson(data));
    if (!chunk.success) {
      this.#skippedEvents++;
      if (this.#skippedEvents > MAX_SKIPPED_EVENTS) this.#state = 'tooLarge';
    } else if (this.#length + chunk.output.chunk.length > MAX_REPLY_LENGTH) {
      this.#state = 'tooLarge';
    } else {
      this.#text += chunk.output.chunk;
      this.#length += chunk.output.chunk.length;
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema accepts undefined, so the event is skipped.
    return undefined;
  }
}
