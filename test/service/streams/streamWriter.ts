import type { ServerResponse } from 'node:http';
import { setImmediate as waitForNextTurn } from 'node:timers/promises';
import type { StreamFault } from '../faults/faults';
import { cut, waitUntilClosed, write } from '../http/connection';

type Cut = Extract<
  StreamFault,
  { name: 'stream-no-end' | 'stream-reset' | 'stream-silence' | 'stream-bad-framing' }
>;
type Insert = Extract<
  StreamFault,
  { name: 'stream-not-json' | 'stream-bad-chunk' | 'stream-huge-event' | 'stream-flood' }
>;
type FaultOf<N extends StreamFault['name']> = Extract<StreamFault, { name: N }>;

const CUT_NAMES = new Set(['stream-no-end', 'stream-reset', 'stream-silence', 'stream-bad-framing']);
const INSERT_NAMES = new Set(['stream-not-json', 'stream-bad-chunk', 'stream-huge-event', 'stream-flood']);

/** What a noisy stream has before each chunk and before `[END]`. The last line is a field of the event after it. */
const NOISE = [
  ': keep-alive\n\n',
  'event: ping\ndata: {}\n\n',
  'event: thinking\ndata: {"chunk":"Let me look that up. "}\n\n',
  'id: 1\n',
].join('');

function formatChunkEvent(text: string): string {
  return `data: ${JSON.stringify({ chunk: text })}\n\n`;
}

/** Writes a reply as the contract's SSE stream, with the injected faults, and with noise that isn't part of it. */
export class StreamWriter {
  /** Whether nothing more can be sent: the stream has ended or was cut, or the client has disconnected. */
  get isOver(): boolean {
    return this.#isOver || this.#res.destroyed;
  }

  readonly #res: ServerResponse;
  readonly #faults: readonly StreamFault[];
  readonly #cut: Cut | undefined;
  readonly #inserts: Set<Insert>;
  readonly #noise: string;
  readonly #endMark: string;
  #chunks = 0;
  #lines = 0;
  #isOver = false;

  constructor(res: ServerResponse, faults: readonly StreamFault[], isNoisy = false) {
    this.#res = res;
    this.#faults = faults;
    this.#cut = faults.find((fault): fault is Cut => CUT_NAMES.has(fault.name));
    this.#noise = isNoisy ? NOISE : '';
    this.#endMark = isNoisy ? '[END]  ' : '[END]';
    this.#inserts = new Set(faults.filter((fault): fault is Insert => INSERT_NAMES.has(fault.name)));
  }

  async start(): Promise<void> {
    this.#res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      Connection: 'close',
    });
    this.#res.flushHeaders();
    const style = this.#findFault('stream-line-endings');
    if (style && style.bom !== false) await this.#send('\uFEFF');
    if (style && style.fields !== false) await this.#send('retry: 1\n');
    if (!this.#findFault('stream-no-start')) await this.#sendEvent('data: [START]\n\n');
    await this.#applyDueFaults();
  }

  async writeChunk(text: string): Promise<void> {
    await this.#sendEvent(this.#noise + formatChunkEvent(text));
    this.#chunks += 1;
    await this.#applyDueFaults();
  }

  /** Writes raw bytes to the body. */
  async writeRaw(bytes: string | Uint8Array): Promise<void> {
    if (!this.isOver) await write(this.#res, bytes);
  }

  /** Applies the faults between the last chunk and `[END]`. */
  async applyFaultsBeforeEnd(): Promise<void> {
    for (const fault of this.#inserts) await this.#insert(fault);
    if (this.#cut) await this.#applyCut(this.#cut);
  }

  /** Sends `[END]` and closes the connection. */
  async end(): Promise<void> {
    const open = this.#findFault('stream-end-without-blank-line');
    await this.#sendEvent(`${this.#noise}data: ${this.#endMark}${open ? (open.lineEnd ?? '\n') : '\n\n'}`);
    const late = this.#findFault('stream-data-after-end');
    if (late) await this.#sendEvent(formatChunkEvent(late.text ?? 'This came after the end.'));
    this.#isOver = true;
    if (this.#findFault('stream-hold-after-end')) await waitUntilClosed(this.#res);
    else this.#res.end();
  }

  /** Ends the body as if it were complete, but without `[END]`, or resets the connection. */
  abandon(how: 'close' | 'reset'): void {
    if (this.isOver) return;
    this.#isOver = true;
    if (how === 'close') this.#res.end();
    else cut(this.#res.req.socket, 'reset');
  }

  async #applyDueFaults(): Promise<void> {
    for (const fault of this.#inserts) {
      if (this.#chunks < (fault.afterChunks ?? 1)) continue;
      await this.#insert(fault);
    }
    const after = this.#cut?.afterChunks ?? (this.#cut?.name === 'stream-silence' ? 1 : undefined);
    if (this.#cut && after !== undefined && this.#chunks >= after) await this.#applyCut(this.#cut);
  }

  async #insert(fault: Insert): Promise<void> {
    this.#inserts.delete(fault);
    switch (fault.name) {
      case 'stream-not-json':
        return this.#sendEvent(`data: ${fault.text ?? 'this is not JSON'}\n\n`);
      case 'stream-bad-chunk':
        return this.#sendEvent(`data: ${JSON.stringify({ chunk: fault.value })}\n\n`);
      case 'stream-huge-event': {
        const block = 'x'.repeat(1_000_000);
        await this.#sendEvent('data: {"chunk":"');
        for (let left = fault.bytes ?? 50_000_000; left > 0 && !this.isOver; left -= block.length) {
          await this.#send(block.slice(0, left));
        }
        return this.#sendEvent('"}\n\n');
      }
      case 'stream-flood': {
        const batch = 100;
        for (let left = fault.events ?? 100_000; left > 0 && !this.isOver; left -= batch) {
          await this.#sendEvent(formatChunkEvent('x ').repeat(Math.min(batch, left)));
        }
      }
    }
  }

  async #applyCut(fault: Cut): Promise<void> {
    if (this.isOver) return;
    if (fault.name === 'stream-no-end') return this.abandon('close');
    if (fault.name === 'stream-reset') return this.abandon('reset');
    this.#isOver = true;
    if (fault.name === 'stream-bad-framing') {
      const { socket } = this.#res.req;
      // Below the HTTP layer: a chunk shorter than its announced size, or a size that isn't a number.
      socket.write(fault.kind === 'garbage' ? 'ZZZ\r\nnot a chunk\r\n' : '400\r\ndata: {"chunk":"cut');
      cut(socket, 'fin');
    }
    await waitUntilClosed(this.#res);
  }

  /**
   * Sends whole lines with the stream's line ending, with comments and fields in between if the fault says
   * so.
   */
  async #sendEvent(text: string): Promise<void> {
    const style = this.#findFault('stream-line-endings');
    if (!style) return this.#send(text);
    const noise = [
      ...(style.comments === false ? [] : [': a comment\n']),
      ...(style.fields === false ? [] : [`id: ${this.#lines}\n`, 'event: message\n', 'unknown: field\n']),
    ];
    await this.#send(
      [...noise, text].join('').replace(/\n/g, () => {
        this.#lines += 1;
        const ending = style.lineEnd ?? 'mixed';
        // CR comes before CRLF: before LF, the two would form a single line ending.
        return ending === 'mixed' ? (['\n', '\r', '\r\n'][this.#lines % 3] as string) : ending;
      }),
    );
  }

  async #send(text: string): Promise<void> {
    if (this.isOver) return;
    if (!this.#findFault('stream-byte-by-byte')) return write(this.#res, text);
    for (const byte of Buffer.from(text)) {
      await write(this.#res, Uint8Array.of(byte));
      await waitForNextTurn();
    }
  }

  #findFault<N extends StreamFault['name']>(name: N): FaultOf<N> | undefined {
    return this.#faults.find((fault): fault is FaultOf<N> => fault.name === name);
  }
}
