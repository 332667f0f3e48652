import { spoilAnswer } from '../faults/answerFaults';
import { type Exchange, type Handler, sendJson } from '../http/http';
import type { ServiceState } from '../state';
import { createUnseenReply, streamReply } from './replies';

/** Creates the streams' own origin: the signed URL grants access, and an API key is rejected. */
export function createStreamHost(state: ServiceState): Handler {
  return async (exchange) => {
    state.recorder.add(exchange.record);
    if (exchange.req.headers.authorization !== undefined) {
      return sendJson(exchange.res, 400, { message: 'A signed URL takes no Authorization header.' });
    }
    await serveStream(state, exchange);
  };
}

/** Answers GET /streams/{token} with the reply the first time, and with 410 after that. */
export async function serveStream(state: ServiceState, exchange: Exchange): Promise<void> {
  const { req, res, url } = exchange;
  const token = /^\/streams\/([\w-]+)$/.exec(url.pathname)?.[1] ?? '';
  const pending = state.streams.get(token);
  const isThere = pending && state.conversations.has(pending.question.conversation_id);
  if (!isThere || req.method !== 'GET') return sendJson(res, 404, { message: 'No such stream.' });
  if (state.signer.check({ method: 'GET', path: url.pathname }, url.searchParams)) {
    return sendJson(res, 403, { message: "The stream URL's signature is wrong or has expired." });
  }
  if (await spoilAnswer(state, 'GET stream', exchange)) return createUnseenReply(state, pending, res);
  if (pending.read) return sendJson(res, 410, { message: 'This stream was read already.' });
  await streamReply(state, pending, res);
}
