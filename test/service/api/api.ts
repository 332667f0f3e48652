import { timingSafeEqual } from 'node:crypto';
import { spoilAnswer } from '../faults/answerFaults';
import { isLostAnswer } from '../faults/faults';
import { cut } from '../http/connection';
import { type Exchange, type Handler, HttpError, readBody, send, sendJson } from '../http/http';
import type { ServiceState } from '../state';
import { serveStream } from '../streams/streamHost';
import type { Route } from './apiCall';
import { conversationRoutes } from './conversations';
import { documentRoutes } from './documents';
import { folderRoutes } from './folders';
import { messageRoutes } from './messages';
import type { Operation } from './operations';
import { limitRate } from './rateLimit';
import { type BodyStyle, bodyStyles } from './styles';
import { uploadRoutes } from './uploads';

export const basePath = '/api/v1';

interface Matcher extends Route {
  readonly method: string;
  readonly path: RegExp;
}

function toMatcher(route: Route): Matcher {
  const [method = '', path = ''] = route.operation.split(' ');
  return { ...route, method, path: new RegExp(`^${basePath}${path.replace('{id}', '([^/]+)')}$`) };
}

/** Creates the API's origin: all operations of the service, protected by the bearer key. */
export function createApi(state: ServiceState): Handler {
  // Longer paths first: `messages/stream` isn't a message id.
  const matchers = [
    ...messageRoutes,
    ...conversationRoutes,
    ...uploadRoutes,
    ...documentRoutes,
    ...folderRoutes,
  ]
    .filter(({ operation }) => !state.settings.missing.includes(operation))
    .sort((a, b) => b.operation.length - a.operation.length)
    .map(toMatcher);
  return async (exchange) => {
    const bytes = await readRecordedBody(state, exchange);
    if (!bytes) return;
    if (exchange.url.pathname.startsWith('/streams/')) {
      authorize(state, exchange);
      return serveStream(state, exchange);
    }
    const samePath = matchers.filter(({ path }) => path.test(exchange.url.pathname));
    const matcher = samePath.find(({ method }) => method === exchange.req.method);
    try {
      limitRate(state, exchange.res);
      if (matcher && (await spoilAnswer(state, matcher.operation, exchange))) return;
      authorize(state, exchange);
      if (matcher) await runOperation(state, matcher, exchange, bytes);
      else refuseOperation(exchange, samePath);
    } catch (error) {
      if (!(error instanceof HttpError) || !isBare(state, error, matcher?.operation)) throw error;
      if (!exchange.res.headersSent) send(exchange.res, error.status, '');
    }
  };
}

async function runOperation(
  state: ServiceState,
  matcher: Matcher,
  exchange: Exchange,
  bytes: Buffer,
): Promise<void> {
  const { operation, path, method, handle } = matcher;
  const { res, url } = exchange;
  const answer = await handle({
    state,
    exchange,
    id: decodeURIComponent(path.exec(url.pathname)?.[1] ?? ''),
    query: url.searchParams,
    body: method === 'POST' ? parseBody(exchange, bytes) : {},
  });
  if (!answer || res.destroyed) return;
  const status = answer.status ?? 200;
  const fault = state.faults.take(operation, isLostAnswer);
  if (fault?.name === 'answer-held') return;
  if (fault) cut(exchange.req.socket, 'reset');
  else if (state.settings.empty.includes(operation)) send(res, status, '', { 'Content-Type': 'text/html' });
  else sendJson(res, status, styleBody(state, answer.body), answer.headers);
}

function styleBody({ settings }: ServiceState, body: unknown): unknown {
  return Object.entries(bodyStyles).reduce(
    (styled, [name, style]) => (settings.bodies.includes(name as BodyStyle) ? style(styled) : styled),
    body,
  );
}

function refuseOperation({ res }: Exchange, samePath: readonly Matcher[]): void {
  const allow = samePath.map(({ method }) => method).join(', ');
  if (!allow) throw new HttpError(404, 'Not found.');
  res.setHeader('Allow', allow);
  throw new HttpError(405, 'Method not allowed.');
}

/** Whether the error has no body: the contract shows one only for 402, and for 422 on conversations. */
function isBare({ settings }: ServiceState, { status }: HttpError, operation?: Operation): boolean {
  const shown =
    status === 402 ||
    (status === 422 && (operation === 'POST /conversations' || operation === 'POST /conversations/{id}'));
  return settings.bareErrors && !shown;
}

/**
 * Reads the body and adds the request to the recorder; returns undefined if the client disconnected before
 * the end.
 */
async function readRecordedBody(state: ServiceState, exchange: Exchange): Promise<Buffer | undefined> {
  try {
    return await readApiBody(exchange);
  } finally {
    state.recorder.add(exchange.record);
  }
}

/** Reads the body into the exchange's record; returns undefined if the client disconnected before the end. */
export async function readApiBody({ req, record }: Exchange): Promise<Buffer | undefined> {
  const bytes = await readBody(req);
  record.receivedBytes = bytes?.length ?? 0;
  record.body = bytes?.length ? tryParseJson(bytes) : undefined;
  return bytes;
}

function tryParseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Throws HttpError 401 unless the request has the key. */
export function authorize(state: ServiceState, { req }: Exchange): void {
  const given = Buffer.from(req.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${state.settings.key}`);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new HttpError(401, given.length ? 'The API key is not valid.' : 'No API key was given.');
}

/** Returns the body as a JSON object. Throws HttpError 415, 400 or 422 if it isn't one. */
export function parseBody({ req, record }: Exchange, bytes: Buffer): Readonly<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
    throw new HttpError(415, 'The request needs Content-Type: application/json.');
  }
  const { body } = record;
  if (bytes.length && body === undefined) throw new HttpError(400, 'The request body is not valid JSON.');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>;
  }
  throw new HttpError(422, 'The request body must be a JSON object.', {});
}
