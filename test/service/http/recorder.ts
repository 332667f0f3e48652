import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
  closed: boolean;
  /** The client disconnected before the end of the response. */
  aborted: boolean;
}

interface Waiter {
  readonly predicate: (request: RecordedRequest) => boolean;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Records every request to the three origins in order, and resolves waits for one. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  readonly #requestsBySocket = new WeakMap<Socket, RecordedRequest[]>();
  readonly #waiters = new Set<Waiter>();

  readonly #maxRequests: number;

  /** Keeps the latest `maxRequests`. */
  constructor(maxRequests = Number.POSITIVE_INFINITY) {
    this.#maxRequests = maxRequests;
  }

  /** Starts to track a request; `add` shows it to tests, after its body is read where that matters. */
  track(origin: OriginName, req: IncomingMessage, res: ServerResponse): RecordedRequest {
    const request: RecordedRequest = {
      origin,
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      at: Date.now(),
      receivedBytes: 0,
      closed: false,
      aborted: false,
    };
    this.#trackClose(req.socket, request);
    res.once('close', () => {
      request.aborted = !res.writableFinished && !wasCutByService(req.socket);
      this.#notifyWaiters();
    });
    return request;
  }

  add(request: RecordedRequest): void {
    this.requests.push(request);
    if (this.requests.length > this.#maxRequests) this.requests.shift();
    this.#notifyWaiters();
  }

  /**
   * Resolves to the first past or future request that `predicate` accepts; `predicate` runs again on each
   * change.
   */
  waitFor(predicate: Waiter['predicate'], timeoutMs: number): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const expire = () => {
        this.#waiters.delete(waiter);
        const seen = this.requests.map((r) => `${r.origin} ${r.method} ${r.path.split('?')[0]}`).join(', ');
        reject(new Error(`No such request within ${timeoutMs} ms. Seen: ${seen || 'none'}`));
      };
      const waiter = { predicate, resolve, reject, timer: setTimeout(expire, timeoutMs) };
      this.#waiters.add(waiter);
      this.#notifyWaiters();
    });
  }

  /** Clears the recorded requests. */
  clear(): void {
    this.requests.length = 0;
  }

  close(): void {
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer);
      waiter.reject(new Error('The service was closed before such a request came'));
    }
    this.#waiters.clear();
  }

  /** Adds one listener per socket, however many requests a kept-alive connection carries. */
  #trackClose(socket: Socket, request: RecordedRequest): void {
    const existing = this.#requestsBySocket.get(socket);
    if (existing) {
      existing.push(request);
      if (existing.length > this.#maxRequests) existing.shift();
      return;
    }
    const requests = [request];
    this.#requestsBySocket.set(socket, requests);
    socket.once('close', () => {
      for (const carried of requests) carried.closed = true;
      this.#notifyWaiters();
    });
  }

  #notifyWaiters(): void {
    for (const waiter of this.#waiters) {
      const found = this.requests.find(waiter.predicate);
      if (!found) continue;
      clearTimeout(waiter.timer);
      this.#waiters.delete(waiter);
      waiter.resolve(found);
    }
  }
}
