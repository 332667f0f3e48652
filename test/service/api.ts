import { timingSafeEqual } from 'node:crypto';
import { spoilAnswer } from './answerFaults';
import type { Route } from './apiCall';
import { conversationRoutes, listRoutes } from './apiConversations';
import { documentRoutes } from './apiDocuments';
import { messageRoutes } from './apiMessages';
import { type Exchange, type Handler, HttpError, readBody, sendJson } from './http';
import type { ServiceState } from './state';
import { serveStream } from './streamHost';

export const basePath = '/api/v1';

interface Matcher extends Route {
  readonly method: string;
  readonly path: RegExp;
}

function toMatcher(route: Route): Matcher {
  const [method = '', path = ''] = route.operation.split(' ');
  return { ...route, method, path: new RegExp(`^${basePath}${path.replace('{id}', '([^/]+)')}$`) };
}

/** The API's origin: every operation of the contract behind the bearer key. */
export function createApi(state: ServiceState): Handler {
  // Longer paths first: `messages/stream` isn't a message's id.
  const matchers = [...messageRoutes, ...conversationRoutes, ...documentRoutes]
    .concat(state.settings.lists ? listRoutes : [])
    .sort((a, b) => b.operation.length - a.operation.length)
    .map(toMatcher);
  return async (exchange) => {
    const bytes = await readRecordedBody(state, exchange);
    if (!bytes) return;
    const { pathname } = exchange.url;
    if (pathname.startsWith('/streams/')) {
      authorise(state, exchange);
      return serveStream(state, exchange);
    }
    const known = matchers.filter(({ path }) => path.test(pathname));
    const matcher = known.find(({ method }) => method === exchange.req.method);
    if (matcher && (await spoilAnswer(state, matcher.operation, exchange))) return;
    authorise(state, exchange);
    if (!matcher) {
      const allow = known.map(({ method }) => method).join(', ');
      if (!allow) throw new HttpError(404, 'Not found.');
      return sendJson(exchange.res, 405, { message: 'Method not allowed.' }, { Allow: allow });
    }
    const answer = await matcher.handle({
      state,
      exchange,
      id: decodeURIComponent(matcher.path.exec(pathname)?.[1] ?? ''),
      query: exchange.url.searchParams,
      body: exchange.req.method === 'POST' ? parseBody(exchange, bytes) : {},
    });
    if (answer && !exchange.res.destroyed) {
      sendJson(exchange.res, answer.status ?? 200, answer.body, answer.headers);
    }
  };
}

/** Reads the body and shows the request to the recorder with it; undefined when the client left before its end. */
async function readRecordedBody(state: ServiceState, { req, record }: Exchange): Promise<Buffer | undefined> {
  try {
    const bytes = await readBody(req);
    record.receivedBytes = bytes?.length ?? 0;
    record.body = bytes?.length ? parsed(bytes) : undefined;
    return bytes;
  } finally {
    state.recorder.add(record);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function authorise(state: ServiceState, { req }: Exchange): void {
  const given = Buffer.from(req.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${state.settings.key}`);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new HttpError(401, given.length ? 'The API key is not valid.' : 'No API key was given.');
}

function parseBody({ req, record }: Exchange, bytes: Buffer): Readonly<Record<string, unknown>> {
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
