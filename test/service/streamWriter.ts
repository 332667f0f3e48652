import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closed, cut, write } from './connection';
import type { StreamFault } from './faults';

type Cut = Extract<
  StreamFault,
  { name: 'stream-no-end' | 'stream-reset' | 'stream-silence' | 'stream-bad-framing' }
>;
type Insert = Extract<
  StreamFault,
  { name: 'stream-not-json' | 'stream-bad-chunk' | 'stream-huge-event' | 'stream-flood' }
>;
type FaultOf<N extends StreamFault['name']> = Extract<StreamFault, { name: N }>;

const cuts = new Set(['stream-no-end', 'stream-reset', 'stream-silence', 'stream-bad-framing']);
const inserts = new Set(['stream-not-json', 'stream-bad-chunk', 'stream-huge-event', 'stream-flood']);

export function chunkEvent(text: string): string {
  return `data: ${JSON.stringify({ chunk: text })}\n\n`;
}

/** Writes one reply as the contract's SSE stream, with the faults that were asked for. */
export class StreamWriter {
  /** Nothing more can be said: ended, cut, or the client left. */
  get over(): boolean {
    return this.#over || this.#res.destroyed;
  }

  readonly #res: ServerResponse;
  readonly #faults: readonly StreamFault[];
  readonly #cut: Cut | undefined;
  readonly #inserts: Set<Insert>;
  #chunks = 0;
  #lines = 0;
  #over = false;

  constructor(res: ServerResponse, faults: readonly StreamFault[]) {
    this.#res = res;
    this.#faults = faults;
    this.#cut = faults.find((fault): fault is Cut => cuts.has(fault.name));
    this.#inserts = new Set(faults.filter((fault): fault is Insert => inserts.has(fault.name)));
  }

  async start(): Promise<void> {
    this.#res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      Connection: 'close',
    });
    this.#res.flushHeaders();
    const style = this.#fault('stream-line-endings');
    if (style && style.bom !== false) await this.#send('\uFEFF');
    if (style && style.fields !== false) await this.#send('retry: 1\n');
    if (!this.#fault('stream-no-start')) await this.#event('data: [START]\n\n');
    await this.#disturb();
  }

  async chunk(text: string): Promise<void> {
    await this.#event(chunkEvent(text));
    this.#chunks += 1;
    await this.#disturb();
  }

  /** Bytes of the body as they are. */
  async raw(bytes: string | Uint8Array): Promise<void> {
    if (!this.over) await write(this.#res, bytes);
  }

  /** What the faults do between the last chunk and `[END]`. */
  async beforeEnd(): Promise<void> {
    for (const fault of this.#inserts) await this.#insert(fault);
    if (this.#cut) await this.#cutShort(this.#cut);
  }

  /** `[END]`, and the service closes. */
  async end(): Promise<void> {
    const open = this.#fault('stream-end-without-blank-line');
    await this.#event(open ? `data: [END]${open.lineEnd ?? '\n'}` : 'data: [END]\n\n');
    const late = this.#fault('stream-data-after-end');
    if (late) await this.#event(chunkEvent(late.text ?? 'This came after the end.'));
    this.#over = true;
    if (this.#fault('stream-hold-after-end')) await closed(this.#res);
    else this.#res.end();
  }

  /** The body ends as if it were complete, without `[END]`; or the connection is reset. */
  abandon(how: 'close' | 'reset'): void {
    if (this.over) return;
    this.#over = true;
    if (how === 'close') this.#res.end();
    else cut(this.#res.req.socket, 'reset');
  }

  async #disturb(): Promise<void> {
    for (const fault of this.#inserts) {
      if (this.#chunks < (fault.afterChunks ?? 1)) continue;
      await this.#insert(fault);
    }
    const after = this.#cut?.afterChunks ?? (this.#cut?.name === 'stream-silence' ? 1 : undefined);
    if (this.#cut && after !== undefined && this.#chunks >= after) await this.#cutShort(this.#cut);
  }

  async #insert(fault: Insert): Promise<void> {
    this.#inserts.delete(fault);
    switch (fault.name) {
      case 'stream-not-json':
        return this.#event(`data: ${fault.text ?? 'this is not JSON'}\n\n`);
      case 'stream-bad-chunk':
        return this.#event(`data: ${JSON.stringify({ chunk: fault.value })}\n\n`);
      case 'stream-huge-event': {
        const piece = 'x'.repeat(1_000_000);
        await this.#event('data: {"chunk":"');
        for (let left = fault.bytes ?? 50_000_000; left > 0 && !this.over; left -= piece.length) {
          await this.#send(piece.slice(0, left));
        }
        return this.#event('"}\n\n');
      }
      case 'stream-flood': {
        const batch = 100;
        for (let left = fault.events ?? 100_000; left > 0 && !this.over; left -= batch) {
          await this.#event(chunkEvent('x ').repeat(Math.min(batch, left)));
        }
      }
    }
  }

  async #cutShort(fault: Cut): Promise<void> {
    if (this.over) return;
    if (fault.name === 'stream-no-end') return this.abandon('close');
    if (fault.name === 'stream-reset') return this.abandon('reset');
    this.#over = true;
    if (fault.name === 'stream-bad-framing') {
      const { socket } = this.#res.req;
      // Below the HTTP layer: a chunk that promises more than it brings, or a size that is no number.
      socket.write(fault.kind === 'garbage' ? 'ZZZ\r\nnot a chunk\r\n' : '400\r\ndata: {"chunk":"cut');
      cut(socket, 'fin');
    }
    await closed(this.#res);
  }

  /** Whole lines in the stream's own line ending, with comments and fields between them where asked for. */
  async #event(text: string): Promise<void> {
    const style = this.#fault('stream-line-endings');
    if (!style) return this.#send(text);
    const noise = [
      ...(style.comments === false ? [] : [': a comment\n']),
      ...(style.fields === false ? [] : [`id: ${this.#lines}\n`, 'event: message\n', 'unknown: field\n']),
    ];
    await this.#send(
      [...noise, text].join('').replace(/\n/g, () => {
        this.#lines += 1;
        const ending = style.lineEnd ?? 'mixed';
        // CR goes before CRLF: before LF the two would be one line's end.
        return ending === 'mixed' ? (['\n', '\r', '\r\n'][this.#lines % 3] as string) : ending;
      }),
    );
  }

  async #send(text: string): Promise<void> {
    if (this.over) return;
    if (!this.#fault('stream-byte-by-byte')) return write(this.#res, text);
    for (const byte of Buffer.from(text)) {
      await write(this.#res, Uint8Array.of(byte));
      await nextTurn();
    }
  }

  #fault<N extends StreamFault['name']>(name: N): FaultOf<N> | undefined {
    return this.#faults.find((fault): fault is FaultOf<N> => fault.name === name);
  }
}
