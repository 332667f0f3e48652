import type { Conversation } from '../records';
import { addConversation, deleteConversation, getUnixSeconds } from '../state';
import { type Answer, type ApiCall, findOrThrow, matchesKeyword, type Route, Validation } from './apiCall';
import { paginate } from './pages';
import { shapeRecord, toConversation } from './shapes';

const MAX_FOCUSED_DOCUMENTS = 1000;

interface ConversationFields {
  readonly name: string;
  readonly botId: string;
  /** Undefined if they stay unchanged. */
  readonly documentIds: readonly string[] | undefined;
}

function readConversation({ state, body }: ApiCall): ConversationFields {
  const fields = new Validation(body);
  const name = fields.requireString('name');
  const botId = fields.requireString('bot_id');
  if (botId && !state.settings.bots.some((bot) => bot.id === botId)) {
    fields.fail('bot_id', 'The selected bot id is invalid.');
  }
  const documentIds = fields.optionalStrings('document_ids', MAX_FOCUSED_DOCUMENTS);
  if (documentIds?.some((id) => !state.documents.has(id))) {
    fields.fail('document_ids', 'The selected document ids are invalid.');
  }
  fields.check();
  return { name, botId, documentIds };
}

/** Returns the contract's response; `sources` are included unless the query says otherwise. */
function toAnswer({ state, query }: ApiCall, conversation: Conversation): Answer {
  return { body: { data: toConversation(state, query, conversation, 'sources') } };
}

export const conversationRoutes: readonly Route[] = [
  {
    operation: 'GET /bots',
    handle(call) {
      const { state, query } = call;
      const bots = state.settings.bots.filter((bot) => matchesKeyword(query, bot.name));
      const { data, ...rest } = paginate(call, bots);
      const created_at = getUnixSeconds(state);
      return {
        body: {
          data: data.map(({ id, name }) =>
            shapeRecord(state, 'bot', { id, name, model: 'local', created_at }),
          ),
          ...rest,
        },
      };
    },
  },
  {
    operation: 'GET /conversations',
    handle(call) {
      const { state, query } = call;
      const botId = query.get('bot_id');
      const newestFirst = [...state.conversations.values()].reverse();
      const found = newestFirst.filter(
        ({ name, bot_id }) => (!botId || bot_id === botId) && matchesKeyword(query, name),
      );
      const { data, ...rest } = paginate(call, found);
      return {
        body: { data: data.map((conversation) => toConversation(state, query, conversation)), ...rest },
      };
    },
  },
  {
    operation: 'POST /conversations',
    handle(call) {
      const { name, botId, documentIds } = readConversation(call);
      const conversation = addConversation(call.state, name, botId);
      conversation.document_ids = documentIds ?? [];
      return { body: { data: toConversation(call.state, call.query, conversation) } };
    },
  },
  {
    operation: 'GET /conversations/{id}',
    handle: (call) => toAnswer(call, findOrThrow(call.state.conversations, call.id, 'conversation')),
  },
  {
    operation: 'POST /conversations/{id}',
    handle(call) {
      const conversation = findOrThrow(call.state.conversations, call.id, 'conversation');
      const { name, botId, documentIds } = readConversation(call);
      conversation.name = name;
      conversation.bot_id = botId;
      conversation.document_ids = documentIds ?? conversation.document_ids;
      return toAnswer(call, conversation);
    },
  },
  {
    operation: 'DELETE /conversations/{id}',
    handle(call) {
      const conversation = findOrThrow(call.state.conversations, call.id, 'conversation');
      const response = toAnswer(call, conversation);
      deleteConversation(call.state, conversation.id);
      return response;
    },
  },
];
