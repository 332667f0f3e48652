import { createParser } from 'eventsource-parser';
import * as v from 'valibot';

/** The maximum length of an incomplete event, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

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
    // As a browser's `onmessage`, it ignores events with a name of their own, such as pings.
    onEvent: ({ event, data }) => {
      if (event === undefined || event === 'message') this.#handleData(data);
    },
    onError: ({ type }) => {
      // Ignore an invalid retry or an unknown field, as the standard requires.
      if (type === 'max-buffer-size-exceeded') this.#state = 'tooLarge';
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  #state: 'open' | 'closing' | 'complete' | 'tooLarge' = 'open';
  #skipped = false;
  #text = '';
  #length = 0;
  #endsWithCr = false;

  /**
   * `complete` after `[END]`, `tooLarge` after an event or reply over its limit; nothing is read after
   * either.
   */
  get state(): 'open' | 'complete' | 'tooLarge' {
    return this.#state === 'closing' ? 'open' : this.#state;
  }

  /** Whether an event was skipped because it is neither a chunk nor a marker. */
  get skipped(): boolean {
    return this.#skipped;
  }

  /** Takes the next bytes and returns the text of the chunks that they complete. */
  feed(bytes: Uint8Array): string {
    this.#feedText(this.#decoder.decode(bytes, { stream: true }));
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** Call when the stream has closed: an `[END]` that lacks only its blank line still counts. */
  close(): void {
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
    this.#parser.feed(fresh.replace(/\r\n?/g, '\n'));
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
    if (!chunk.success) this.#skipped = true;
    else if (this.#length + chunk.output.chunk.length > MAX_REPLY_LENGTH) this.#state = 'tooLarge';
    else {
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
