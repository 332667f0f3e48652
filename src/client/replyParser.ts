import { createParser } from 'eventsource-parser';
import * as v from 'valibot';

/** The longest event that is kept while its end is awaited, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/** The longest reply, in UTF-16 code units: some fifty novels, which is no reply. */
const MAX_REPLY_LENGTH = 32 * 1024 * 1024;

const chunkSchema = v.object({ chunk: v.string() });

/**
 * Reads a reply's text out of the bytes of its event stream (docs/service.md: GET {stream_url}), however they are split.
 *
 * Pure: bytes go in by `feed`, text comes out.
 */
export class ReplyParser {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    onEvent: ({ data }) => this.#onData(data),
    onError: ({ type }) => {
      // A retry that is no number or an unknown field is ignored, as the standard asks.
      if (type === 'max-buffer-size-exceeded') this.#state = 'tooLarge';
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  #state: 'open' | 'closing' | 'complete' | 'tooLarge' = 'open';
  #skipped = false;
  #text = '';
  #length = 0;
  #endsWithCr = false;

  /** `complete` once `[END]` came, `tooLarge` once an event or the reply outgrew its cap; nothing is read after either. */
  get state(): 'open' | 'complete' | 'tooLarge' {
    return this.#state === 'closing' ? 'open' : this.#state;
  }

  /** Whether an event was passed over that is neither a chunk nor a mark. */
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

  /** Tells that the stream closed: an `[END]` still counts where only its blank line is missing. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#feedText('\n\n');
  }

  #feedText(text: string): void {
    if (text === '' || this.#state === 'complete' || this.#state === 'tooLarge') return;
    // One kind of line ending: the parser would hold back a CR at the end until it sees what follows, and with it an [END].
    const fresh = this.#endsWithCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#endsWithCr = text.endsWith('\r');
    this.#parser.feed(fresh.replace(/\r\n?/g, '\n'));
  }

  #onData(data: string): void {
    if (this.state !== 'open' || data === '' || data === '[START]') return;
    if (data === '[END]') {
      this.#state = 'complete';
      return;
    }
    // Cut off in the middle: the standard drops it.
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
    // Undefined matches no schema, so that whoever reads it skips the event.
    return undefined;
  }
}
