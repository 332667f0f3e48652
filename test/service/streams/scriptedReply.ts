import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyEnd } from '../bots/bot';

/** An event of a scripted reply: a chunk, raw bytes, or the end of the connection. */
export type ReplyEvent = string | { readonly raw: string | Uint8Array } | { readonly cut: 'close' | 'reset' };

/** A reply driven by the test. Events sent before the stream is opened are queued. */
export interface ScriptedReply {
  /** Resolves when the client reads the stream: headers and `[START]` are sent. */
  readonly opened: Promise<void>;
  chunk(text: string): void;
  /**
   * Sends chunks with `gapMs` between them, starting when the stream is open; resolves after the last one.
   */
  chunks(texts: readonly string[], gapMs?: number): Promise<void>;
  /** Sends raw bytes in the stream's body. They aren't part of the stored message. */
  raw(bytes: string | Uint8Array): void;
  /** Sends `[END]` and closes the connection. */
  end(end?: ReplyEnd): void;
  /** Ends the body without `[END]` and closes the connection (FIN). */
  close(): void;
  /** Resets the connection (RST). */
  reset(): void;
  /** Resolves when the client has disconnected or the reply has ended. */
  readonly closed: Promise<void>;
}

/** The service's side of a scripted reply. */
export interface Script {
  readonly reply: ScriptedReply;
  readonly opened: () => void;
  /** The client has disconnected; the reply may go on. */
  readonly disconnected: () => void;
  /** The reply has ended. */
  readonly closed: () => void;
  events(signal: AbortSignal): AsyncGenerator<ReplyEvent, ReplyEnd, void>;
}

export function createScript(): Script {
  const queue: (ReplyEvent | { readonly end: ReplyEnd })[] = [];
  const opened = createSignal();
  const closed = createSignal();
  let isOver = false;
  let wake: (() => void) | undefined;

  const push = (event: ReplyEvent | { readonly end: ReplyEnd }) => {
    queue.push(event);
    wake?.();
  };

  const reply: ScriptedReply = {
    opened: opened.promise,
    closed: closed.promise,
    chunk: push,
    raw: (bytes) => push({ raw: bytes }),
    end: (end = {}) => push({ end }),
    close: () => push({ cut: 'close' }),
    reset: () => push({ cut: 'reset' }),
    async chunks(texts, gapMs = 0) {
      await opened.promise;
      let due = performance.now();
      for (const text of texts) {
        if (isOver) return;
        push(text);
        due += gapMs;
        if (due > performance.now()) await sleep(due - performance.now());
      }
    },
  };

  return {
    reply,
    opened: opened.fire,
    disconnected: closed.fire,
    closed() {
      isOver = true;
      closed.fire();
    },
    async *events(signal) {
      signal.addEventListener('abort', () => wake?.(), { once: true });
      while (!signal.aborted) {
        const event = queue.shift();
        if (event === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (typeof event === 'object' && 'end' in event) {
          return event.end;
        } else {
          yield event;
        }
      }
      return {};
    },
  };
}

function createSignal(): { readonly promise: Promise<void>; readonly fire: () => void } {
  let fire: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire: () => fire?.() };
}
