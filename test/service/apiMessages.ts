import { randomBytes } from 'node:crypto';
import {
  type Answer,
  type ApiCall,
  find,
  includesSources,
  paginate,
  type Route,
  Validation,
} from './apiCall';
import { isIssueFault } from './faults';
import { HttpError } from './http';
import { signDownload } from './objectStore';
import type { PendingStream } from './pendingStream';
import type { Message } from './records';
import { streamReply, wholeReply } from './replies';
import { addConversation, addMessage, messagesOf, type ServiceState } from './state';

const maxCodePoints = 2000;
const quotaDays = 30;
const streamUrlSeconds = 300;

/** Sources as responses carry them; a document that was deleted since is left out. */
export function toSources(state: ServiceState, documentIds: readonly string[]) {
  return {
    data: documentIds.flatMap((id) => {
      const document = state.documents.get(id);
      if (!document) return [];
      const url = signDownload(state, document.key);
      return [
        {
          type: 'document',
          document_id: id,
          document_name: document.name,
          document_url: url,
          created_at: document.created_at,
        },
      ];
    }),
  };
}

function toMessage({ state, query }: ApiCall, { sources, ...message }: Message) {
  return includesSources(query, '') ? { ...message, sources: toSources(state, sources) } : message;
}

/** Validates and keeps a person's message. A message without a conversation opens one with the first bot. */
function acceptMessage({ state, body }: ApiCall, isWebSearch: boolean): PendingStream {
  const fields = new Validation(body);
  const content = fields.required('content');
  if (Array.from(content).length > maxCodePoints) {
    fields.fail('content', `The content field must not be greater than ${maxCodePoints} characters.`);
  }
  const conversationId = fields.optionalString('conversation_id');
  fields.check();
  if (conversationId !== undefined) find(state.conversations, conversationId, 'conversation');
  checkQuota(state);
  const name = Array.from(content.trim().split('\n')[0] ?? '').slice(0, 60);
  const conversation_id = conversationId ?? addConversation(state, name.join(''), state.bots[0]?.id ?? '').id;
  const question = addMessage(state, {
    conversation_id,
    content,
    machine: false,
    is_web_search: isWebSearch,
  });
  return { question, script: state.scripts.shift(), read: false };
}

function checkQuota(state: ServiceState): void {
  const since = state.now() / 1000 - quotaDays * 24 * 60 * 60;
  const sent = [...state.messages.values()].filter((each) => !each.machine && each.created_at > since).length;
  if (sent < state.settings.quota) return;
  const { quota } = state.settings;
  throw new HttpError(
    402,
    `You have used all ${quota} messages of your plan's last ${quotaDays} days. Wait or upgrade your plan.`,
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
  const lifetime = fault?.name === 'url-expired' ? -60 : streamUrlSeconds;
  const target = `${path}?${state.signer.query({ method: 'GET', path }, lifetime)}`;
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
      const id = query.get('conversation_id');
      const messages = id
        ? messagesOf(state, find(state.conversations, id, 'conversation').id)
        : [...state.messages.values()];
      const { data, meta } = paginate(messages, query);
      const items = data.map((message) => toMessage(call, message));
      return { body: state.settings.wrapMessages ? { data: items, meta } : items };
    },
  },
  {
    operation: 'GET /messages/{id}',
    handle: (call) => ({
      body: { data: toMessage(call, find(call.state.messages, call.id, 'message')) },
    }),
  },
  {
    operation: 'POST /messages',
    async handle(call) {
      const fields = new Validation(call.body);
      const isWebSearch = fields.optionalBoolean('is_web_search', false);
      fields.check();
      const pending = acceptMessage(call, isWebSearch);
      const left = new AbortController();
      call.exchange.res.once('close', () => left.abort());
      const reply = await wholeReply(call.state, pending, left.signal);
      return { body: { data: toMessage(call, reply) } };
    },
  },
  { operation: 'POST /messages/stream', handle: streamMessage },
];
