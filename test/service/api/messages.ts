import { randomBytes } from 'node:crypto';
import { isIssueFault } from '../faults/faults';
import { isPublished } from '../history';
import { HttpError } from '../http/http';
import type { Conversation } from '../records';
import { addConversation, addMessage, listConversationMessages, type ServiceState } from '../state';
import type { PendingStream } from '../streams/pendingStream';
import { addFailedReply, createWholeReply, streamReply } from '../streams/replies';
import {
  type Answer,
  type ApiCall,
  findOrThrow,
  type Route,
  readConversationFilter,
  Validation,
} from './apiCall';
import { paginate } from './pages';
import { toMessage } from './shapes';

const MAX_CODE_POINTS = 2000;
const QUOTA_DAYS = 30;
const STREAM_URL_SECONDS = 300;

/** Validates and stores a user's message. A message without a conversation opens one with the first bot. */
function acceptMessage({ state, body }: ApiCall, isWebSearch: boolean): PendingStream {
  const fields = new Validation(body);
  const content = fields.requireString('content');
  if (Array.from(content).length > MAX_CODE_POINTS) {
    fields.fail('content', `The content field must not be greater than ${MAX_CODE_POINTS} characters.`);
  }
  const conversationId = fields.optionalString('conversation_id');
  fields.check();
  if (conversationId !== undefined) findOrThrow(state.conversations, conversationId, 'conversation');
  checkQuota(state);
  const conversation_id = conversationId ?? openConversation(state, content).id;
  const question = addMessage(state, {
    conversation_id,
    content,
    machine: false,
    is_web_search: isWebSearch,
  });
  return { question, script: state.scripts.shift(), read: false };
}

/** Opens a conversation with the first bot for a message without one. */
function openConversation(state: ServiceState, content: string): Conversation {
  const firstLine = Array.from(content.trim().split('\n')[0] ?? '');
  const name = state.settings.nullNames ? '' : firstLine.slice(0, 60).join('');
  return addConversation(state, name, state.settings.bots[0]?.id ?? '');
}

function checkQuota(state: ServiceState): void {
  const since = state.now() - QUOTA_DAYS * 24 * 60 * 60 * 1000;
  const sent = state.acceptedAt.filter((at) => at > since).length;
  if (sent < state.settings.quota) {
    state.acceptedAt.push(state.now());
    if (state.acceptedAt.length > state.settings.limits.messages) state.acceptedAt.shift();
    return;
  }
  const { quota } = state.settings;
  throw new HttpError(
    402,
    `You have used all ${quota} messages of your plan's last ${QUOTA_DAYS} days. Wait or upgrade your plan.`,
  );
}

async function streamMessage(call: ApiCall): Promise<Answer | undefined> {
  const { state, exchange, body } = call;
  const fields = new Validation(body);
  const redirect = fields.optionalBoolean('redirect', true);
  fields.check();
  const pending = acceptMessage(call, false);
  const fault = state.faults.take('POST /messages/stream', isIssueFault);
  if (fault?.name === 'answer-stream') {
    await streamReply(state, pending, exchange.res);
    return undefined;
  }
  const token = randomBytes(24).toString('base64url');
  state.streams.set(token, pending);
  const path = `/streams/${token}`;
  const lifetime = fault?.name === 'url-expired' ? -60 : STREAM_URL_SECONDS;
  const target = `${path}?${state.signer.createQuery({ method: 'GET', path }, lifetime)}`;
  const origin = state.settings.streamOnApi ? state.origins.api : state.origins.stream;
  if (!redirect && fault?.name !== 'answer-redirect')
    return { body: { data: { stream_url: origin + target } } };
  const relative = fault?.name === 'answer-redirect' && fault.relative;
  return { status: 302, headers: { Location: relative ? target : origin + target }, body: {} };
}

export const messageRoutes: readonly Route[] = [
  {
    operation: 'GET /messages',
    handle(call) {
      const { state, query } = call;
      const { newestFirst, messagePageSize } = state.settings;
      const id = readConversationFilter(call, 'GET /messages');
      const messages = id ? listConversationMessages(state, id) : [...state.messages.values()];
      const published = messages.filter((message) => isPublished(state, message));
      const ordered = newestFirst ? published.reverse() : published;
      const { data, ...rest } = paginate(call, ordered, messagePageSize);
      const items = data.map((message) => toMessage(state, query, message, 'list'));
      return { body: state.settings.wrapMessages ? { data: items, ...rest } : items };
    },
  },
  {
    operation: 'GET /messages/{id}',
    handle({ state, query, id }) {
      const message = findOrThrow(state.messages, id, 'message', (found) => isPublished(state, found));
      return { body: { data: toMessage(state, query, message, 'single') } };
    },
  },
  {
    operation: 'POST /messages',
    async handle(call) {
      const { state, query } = call;
      const fields = new Validation(call.body);
      const isWebSearch = fields.optionalBoolean('is_web_search', false);
      fields.check();
      const pending = acceptMessage(call, isWebSearch);
      const fault = state.faults.take('POST /messages', isIssueFault);
      if (fault?.name === 'overloaded') {
        addFailedReply(state, pending, fault.text ?? 'The bot is overloaded. Try again later.');
        throw new HttpError(500, 'Server Error');
      }
      const reply = await createWholeReply(state, pending, call.exchange.res);
      return { body: { data: toMessage(state, query, reply, 'single') } };
    },
  },
  { operation: 'POST /messages/stream', handle: streamMessage },
];
