import assert from 'node:assert/strict';
import { DEFAULT_DEADLINES, type Deadlines } from '../../../src/client/abortScope';
import type { Fetch } from '../../../src/client/fetch';
import { type RequestLogEntry, ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError, type ServiceErrorCode } from '../../../src/client/serviceError';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import { WAIT_LIMIT_MS } from '../../service/hang';

/** A unique key to search for: it must appear nowhere except in the header. */
export const KEY = 'sentinel-key-7f3a/9+c=';

/** Creates the extension host's `fetch`, with time for connections of a slow machine. */
export const createPatientFetch = () => createNodeFetch({ connectTimeoutMs: WAIT_LIMIT_MS });

/** The transports of the client, which must behave the same. */
export const TRANSPORTS: readonly { readonly name: string; readonly fetch: Fetch }[] = [
  { name: 'http.request', fetch: createPatientFetch() },
  { name: 'fetch', fetch: globalThis.fetch },
];

export interface TestClient {
  readonly client: ServiceClient;
  readonly log: readonly RequestLogEntry[];
}

export interface TestClientOptions {
  readonly fetch?: Fetch;
  readonly key?: string | undefined;
  readonly deadlines?: Partial<Deadlines>;
}

export function createClient(origin: string, options: TestClientOptions = {}): TestClient {
  const log: RequestLogEntry[] = [];
  const key = 'key' in options ? options.key : KEY;
  const client = new ServiceClient({
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => key,
    fetch: options.fetch ?? createPatientFetch(),
    onRequest: (entry) => log.push(entry),
    // Long enough for a slow machine: a test that needs a deadline to pass sets its own.
    deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
  });
  return { client, log };
}

/**
 * Asserts that the log has these entries, with durations that are possible since `startedAt` (from
 * Date.now()).
 */
export function assertLogged(
  log: readonly RequestLogEntry[],
  expected: readonly Omit<RequestLogEntry, 'durationMs'>[],
  startedAt: number,
): void {
  const most = Date.now() - startedAt;
  for (const { durationMs } of log) {
    assert.ok(durationMs >= 0 && durationMs <= most, `${durationMs} ms of ${most}`);
  }
  assert.deepEqual(
    log.map(({ durationMs: _, ...entry }) => entry),
    expected,
  );
}

/**
 * Returns the ServiceError that a promise rejects with; asserts its code, and that it does not contain the
 * key.
 */
export async function getServiceError(
  promise: Promise<unknown>,
  code: ServiceErrorCode,
): Promise<ServiceError> {
  const error = await promise.then(
    () => assert.fail(`expected ${code}, but it succeeded`),
    (error: unknown) => error,
  );
  if (!(error instanceof ServiceError)) throw error;
  assert.equal(error.code, code, `${error.message} (${error.reason})`);
  assertNoKey(error);
  return error;
}

/** Asserts that the key is nowhere in what an error or a log could show. */
export function assertNoKey(thing: unknown): void {
  const shown = `${thing} ${JSON.stringify(thing)} ${thing instanceof Error ? `${thing.stack} ${thing.cause}` : ''}`;
  assert.ok(!shown.includes(KEY), `the key is shown: ${shown}`);
  assert.ok(!shown.includes(encodeURIComponent(KEY)), `the key is shown: ${shown}`);
}

export interface CollectedReply {
  readonly text: string;
  readonly pieces: readonly string[];
  /** The error with which the loop ended, if it threw. */
  readonly error: ServiceError | undefined;
}

/** Reads a reply until it completes or fails. */
export async function collectReply(reply: AsyncIterable<string>): Promise<CollectedReply> {
  const pieces: string[] = [];
  let error: ServiceError | undefined;
  try {
    for await (const piece of reply) pieces.push(piece);
  } catch (caught) {
    if (!(caught instanceof ServiceError)) throw caught;
    error = caught;
    assertNoKey(error);
  }
  return { text: pieces.join(''), pieces, error };
}
