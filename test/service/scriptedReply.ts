import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyEnd } from './bots/bot';

/** One thing a scripted reply does: a chunk, bytes of its own, or a connection that is ended under the reply. */
export type ReplyEvent = string | { readonly raw: string | Uint8Array } | { readonly cut: 'close' | 'reset' };

/** A reply that the test drives. What is said before the stream is opened waits for it. */
export interface ScriptedReply {
  /** The client reads the stream: headers and `[START]` are out. */
  readonly opened: Promise<void>;
  chunk(text: string): void;
  /** One chunk after the other, `gapMs` between them, from the moment the stream is open; resolves after the last. */
  chunks(texts: readonly string[], gapMs?: number): Promise<void>;
  /** Bytes of the stream's body as they are. They are no part of the stored message. */
  raw(bytes: string | Uint8Array): void;
  /** `[END]`, and the service closes. */
  end(end?: ReplyEnd): void;
  /** The body ends without `[END]`, and the service closes (FIN). */
  close(): void;
  /** The connection is reset (RST). */
  reset(): void;
  /** The client left, or the reply ended. */
  readonly closed: Promise<void>;
}

/** The service's side of a scripted reply. */
export interface Script {
  readonly reply: ScriptedReply;
  readonly opened: () => void;
  readonly closed: () => void;
  events(signal: AbortSignal): AsyncGenerator<ReplyEvent, ReplyEnd, void>;
}

export function createScript(): Script {
  const queue: (ReplyEvent | { readonly end: ReplyEnd })[] = [];
  const opened = signal();
  const closed = signal();
  let isClosed = false;
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
        if (isClosed) return;
        push(text);
        due += gapMs;
        if (due > performance.now()) await sleep(due - performance.now());
      }
    },
  };

  return {
    reply,
    opened: opened.fire,
    closed() {
      isClosed = true;
      closed.fire();
    },
    async *events(left) {
      left.addEventListener('abort', () => wake?.(), { once: true });
      while (!left.aborted) {
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

function signal(): { readonly promise: Promise<void>; readonly fire: () => void } {
  let fire: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire: () => fire?.() };
}
