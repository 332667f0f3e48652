import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { noteMove, Wait } from '../hang';
import type { Limits } from '../limits';
import { wasCutByService } from './connection';

export type OriginName = 'api' | 'stream' | 'storage';

/** A request as received. CORS preflights aren't recorded. */
export interface RecordedRequest {
  readonly origin: OriginName;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; only for the API. */
  body?: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The bytes of the body received so far. */
  receivedBytes: number;
  /** The connection of this request is closed. */
  readonly closed: boolean;
  /** The client disconnected before the end of the response. */
  aborted: boolean;
}

interface Waiter {
  readonly predicate: (request: RecordedRequest) => boolean;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** How often a wait is checked for whether it is in vain, in ms. */
const POLL_MS = 50;

/** Records the latest requests to the three origins in order, and resolves waits for one. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  readonly #watchedSockets = new WeakSet<Socket>();
  readonly #waiters = new Set<Waiter>();
  readonly #limits: Pick<Limits, 'requests' | 'requestBytes'>;
  /** The bytes of the kept bodies. */
  #bytes = 0;

  constructor(limits: Pick<Limits, 'requests' | 'requestBytes'>) {
    this.#limits = limits;
  }

  /** Starts to track a request; `add` shows it to tests, after its body is read where that matters. */
  track(origin: OriginName, req: IncomingMessage, res: ServerResponse): RecordedRequest {
    const { socket } = req;
    const request: RecordedRequest = {
      origin,
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      at: Date.now(),
      receivedBytes: 0,
      get closed() {
        return socket.closed;
      },
      aborted: false,
    };
    this.#watchClose(socket);
    res.once('close', () => {
      request.aborted = !res.writableFinished && !wasCutByService(socket);
      this.#notifyWaiters();
    });
    return request;
  }

  add(request: RecordedRequest): void {
    this.requests.push(request);
    this.#bytes += getBodySize(request);
    while (this.requests.length > this.#limits.requests || this.#bytes > this.#limits.requestBytes) {
      const oldest = this.requests.shift();
      if (oldest) this.#bytes -= getBodySize(oldest);
    }
    this.#notifyWaiters();
  }

  /**
   * Resolves to the first past or future request that `predicate` accepts; `predicate` runs again on each
   * change. Rejects when nothing has moved for `hangMs`.
   */
  waitFor(predicate: Waiter['predicate'], hangMs?: number): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const wait = new Wait(hangMs);
      const expire = () => {
        if (!wait.isInVain) return;
        clearInterval(waiter.timer);
        this.#waiters.delete(waiter);
        const seen = this.requests.map((r) => `${r.origin} ${r.method} ${r.path.split('?')[0]}`).join(', ');
        reject(new Error(`No such request, and nothing moves. Seen: ${seen || 'none'}`));
      };
      const waiter = { predicate, resolve, reject, timer: setInterval(expire, POLL_MS) };
      this.#waiters.add(waiter);
      this.#notifyWaiters();
    });
  }

  /** Clears the recorded requests. */
  clear(): void {
    this.requests.length = 0;
    this.#bytes = 0;
  }

  close(): void {
    for (const waiter of this.#waiters) {
      clearInterval(waiter.timer);
      waiter.reject(new Error('The service was closed before such a request came'));
    }
    this.#waiters.clear();
  }

  /** Adds one listener per socket, however many requests a kept-alive connection carries. */
  #watchClose(socket: Socket): void {
    if (this.#watchedSockets.has(socket)) return;
    this.#watchedSockets.add(socket);
    socket.once('close', () => this.#notifyWaiters());
  }

  #notifyWaiters(): void {
    noteMove();
    for (const waiter of this.#waiters) {
      const found = this.requests.find(waiter.predicate);
      if (!found) continue;
      clearInterval(waiter.timer);
      this.#waiters.delete(waiter);
      waiter.resolve(found);
    }
  }
}

function getBodySize({ body, receivedBytes }: RecordedRequest): number {
  return body === undefined ? 0 : receivedBytes;
}
