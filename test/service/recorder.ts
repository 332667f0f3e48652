import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { wasCutByService } from './connection';

export type OriginName = 'api' | 'stream' | 'storage';

/** A request as it arrived. CORS preflights aren't recorded. */
export interface RecordedRequest {
  readonly origin: OriginName;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, on the API only. */
  body?: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of the body, so far. */
  receivedBytes: number;
  /** The connection that carried this request is gone. */
  closed: boolean;
  /** The client left before the answer's end. */
  aborted: boolean;
}

interface Waiter {
  readonly predicate: (request: RecordedRequest) => boolean;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Every request of the three origins, in order, and those who wait for one. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  readonly #ofSocket = new WeakMap<Socket, RecordedRequest[]>();
  readonly #waiters = new Set<Waiter>();

  readonly #maxRequests: number;

  /** Keeps the latest `maxRequests`. */
  constructor(maxRequests = Number.POSITIVE_INFINITY) {
    this.#maxRequests = maxRequests;
  }

  /** Starts to follow a request; `add` shows it to tests, once its body is known where that matters. */
  follow(origin: OriginName, req: IncomingMessage, res: ServerResponse): RecordedRequest {
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
    this.#closesWith(req.socket, request);
    res.once('close', () => {
      request.aborted = !res.writableFinished && !wasCutByService(req.socket);
      this.#look();
    });
    return request;
  }

  add(request: RecordedRequest): void {
    this.requests.push(request);
    if (this.requests.length > this.#maxRequests) this.requests.shift();
    this.#look();
  }

  /** Resolves with the first request, past or to come, that `predicate` accepts; it is asked anew on every change. */
  wait(predicate: Waiter['predicate'], timeoutMs: number): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const expire = () => {
        this.#waiters.delete(waiter);
        const seen = this.requests.map((r) => `${r.origin} ${r.method} ${r.path.split('?')[0]}`).join(', ');
        reject(new Error(`No such request within ${timeoutMs} ms. Seen: ${seen || 'none'}`));
      };
      const waiter = { predicate, resolve, reject, timer: setTimeout(expire, timeoutMs) };
      this.#waiters.add(waiter);
      this.#look();
    });
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.requests.length = 0;
  }

  close(): void {
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer);
      waiter.reject(new Error('The service was closed before such a request came'));
    }
    this.#waiters.clear();
  }

  /** One listener a socket, however many requests a kept-alive connection carries. */
  #closesWith(socket: Socket, request: RecordedRequest): void {
    const carried = this.#ofSocket.get(socket);
    if (carried) {
      carried.push(request);
      if (carried.length > this.#maxRequests) carried.shift();
      return;
    }
    const requests = [request];
    this.#ofSocket.set(socket, requests);
    socket.once('close', () => {
      for (const each of requests) each.closed = true;
      this.#look();
    });
  }

  #look(): void {
    for (const waiter of this.#waiters) {
      const found = this.requests.find(waiter.predicate);
      if (!found) continue;
      clearTimeout(waiter.timer);
      this.#waiters.delete(waiter);
      waiter.resolve(found);
    }
  }
}
