import * as v from 'valibot';
import { DEFAULT_DEADLINES, type Deadlines } from './abortScope';
import { parseBaseUrl } from './baseUrl';
import { Exchange } from './exchange';
import type { ExchangeContext, ExchangeRequest, RequestLogEntry } from './exchangeRequest';
import type { Fetch, FetchInit } from './fetch';
import { RateLimit } from './rateLimit';
import { withRetries } from './retry';
import { ServiceClock } from './serviceClock';
import { ServiceError } from './serviceError';

export interface ServiceClientOptions {
  /** The whole `{base_url}`, including `/api/v1`. */
  readonly baseUrl: string;
  /** Called for each request; returns undefined if no key is stored. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly fetch: Fetch;
  /** Called once for each request, when it has ended. */
  readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
  readonly deadlines?: Partial<Deadlines> | undefined;
}

export interface ApiCall {
  /** Method and path template, such as `GET /messages/{id}`. */
  readonly operation: string;
  /** The path with its IDs filled in: see `pathSegment`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly headerDeadline?: number;
}

/** Common to all operations of the API: URL, key, JSON, validation, and retries. */
export class Api {
  readonly context: ExchangeContext;
  readonly deadlines: Deadlines;
  readonly #baseUrl: string;
  readonly #apiKey: () => Promise<string | undefined>;

  /** Throws ServiceError `refusedUrl` for a base URL that `parseBaseUrl` refuses. */
  constructor({ baseUrl, apiKey, fetch, onRequest, deadlines }: ServiceClientOptions) {
    const parsed = parseBaseUrl(baseUrl);
    if (!parsed.ok) {
      const details = {
        operation: 'base URL',
        message: parsed.problem,
        reason: parsed.problem,
        maySend: true,
      };
      throw new ServiceError('refusedUrl', details);
    }
    this.context = {
      fetch,
      apiOrigin: parsed.origin,
      rateLimit: new RateLimit(),
      clock: new ServiceClock(),
      onRequest,
    };
    this.deadlines = { ...DEFAULT_DEADLINES, ...deadlines };
    this.#baseUrl = parsed.url;
    this.#apiKey = apiKey;
  }

  /** Sends a request and parses the JSON response; a GET is retried after a passing failure. */
  async requestJson<T>(
    call: ApiCall,
    schema: v.GenericSchema<unknown, T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#runCall(call, signal, async (exchange, response) =>
      parseAs(schema, await exchange.readJson(response), exchange),
    );
  }

  /**
   * Sends a request that succeeds with any 2xx status, and parses the response; returns undefined if the body
   * is missing, incomplete or has an unexpected form, because the service has accepted the request in any
   * case.
   */
  async requestAccepted<T>(
    call: ApiCall,
    schema: v.GenericSchema<unknown, T>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    return this.#runCall(call, signal, async (exchange, response) => {
      try {
        const result = v.safeParse(schema, await exchange.readJson(response));
        return result.success ? result.output : undefined;
      } catch (error) {
        if (error instanceof ServiceError) return undefined;
        throw error;
      }
    });
  }

  /** Sends a request and ignores the response of a success. */
  async send(call: ApiCall, signal: AbortSignal | undefined): Promise<void> {
    return this.#runCall(call, signal, async () => undefined);
  }

  /**
   * Prepares a request without sending it. Throws ServiceError `keyMissing`, or `unauthorized` for an
   * impossible key.
   */
  async prepareExchange(call: ApiCall, signal: AbortSignal | undefined): Promise<Exchange> {
    const { operation, path, query = {}, body, headerDeadline = this.deadlines.firstHeader } = call;
    const method = operation.slice(0, operation.indexOf(' ')) as FetchInit['method'];
    const url = new URL(this.#baseUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return this.createExchange(
      {
        operation,
        method,
        url: url.href,
        headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        key: await this.#requireKey(operation),
        withKey: true,
        repeat: method === 'GET' ? 'always' : 'unlessSent',
        headerDeadline,
      },
      signal,
    );
  }

  /** Creates an exchange with this client's fetch, log and deadlines. */
  createExchange(request: Omit<ExchangeRequest, 'bodyDeadline'>, signal: AbortSignal | undefined): Exchange {
    return new Exchange(this.context, { ...request, bodyDeadline: this.deadlines.body }, signal);
  }

  /** Returns the key, if there is one: to redact it from the responses of other origins. */
  async getKey(): Promise<string | undefined> {
    return (await this.#apiKey())?.trim() || undefined;
  }

  async #runCall<T>(
    call: ApiCall,
    signal: AbortSignal | undefined,
    read: (exchange: Exchange, response: Response) => Promise<T>,
  ): Promise<T> {
    const attempt = async (): Promise<T> => {
      const exchange = await this.prepareExchange(call, signal);
      try {
        const response = await exchange.send();
        await exchange.throwUnlessOk(response);
        const result = await read(exchange, response);
        exchange.markSucceeded();
        return result;
      } finally {
        exchange.closeConnection();
      }
    };
    return call.operation.startsWith('GET ') ? withRetries(attempt, signal) : attempt();
  }

  async #requireKey(operation: string): Promise<string> {
    const key = await this.getKey();
    if (key === undefined) {
      throw new ServiceError('keyMissing', { operation, message: 'no API key is stored', maySend: true });
    }
    // Checked here because a transport would quote the whole header in its error.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      const message = 'the API key has characters that no header can contain';
      throw new ServiceError('unauthorized', { operation, message, maySend: true });
    }
    return key;
  }
}

/** Parses a response by its schema, or throws `invalidResponse` that names the field. */
export function parseAs<T>(schema: v.GenericSchema<unknown, T>, body: unknown, exchange: Exchange): T {
  const result = v.safeParse(schema, body, { abortEarly: true });
  if (result.success) return result.output;
  const field = v.getDotPath(result.issues[0]) ?? 'data';
  throw exchange.createError('invalidResponse', `the response has no valid "${field}"`, { reason: 'field' });
}

/**
 * Encodes an ID as a path segment. Throws ServiceError `notFound` for an ID that would lead to another path, or
 * that no URL can contain.
 */
export function encodePathSegment(id: string, operation: string): string {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(id)) {
    throw new ServiceError('notFound', { operation, message: 'invalid id', maySend: true });
  }
  return encodeURIComponent(id);
}
