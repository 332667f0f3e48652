import { type ApiCall, find, includesSources, paginate, type Route, Validation } from './apiCall';
import { toSources } from './apiMessages';
import type { Conversation } from './records';
import { addConversation, messagesOf, type ServiceState } from './state';

function readConversation({ state, body }: ApiCall): { name: string; botId: string } {
  const fields = new Validation(body);
  const name = fields.required('name');
  const botId = fields.required('bot_id');
  if (botId && !state.bots.some((bot) => bot.id === botId)) {
    fields.fail('bot_id', 'The selected bot id is invalid.');
  }
  fields.check();
  return { name, botId };
}

function toResponse({ state, query }: ApiCall, conversation: Conversation) {
  if (!includesSources(query, 'sources')) return { body: { data: conversation } };
  const ids = messagesOf(state, conversation.id).flatMap((message) => message.sources);
  return { body: { data: { ...conversation, sources: toSources(state, [...new Set(ids)]) } } };
}

function deleteConversation(state: ServiceState, id: string): void {
  state.conversations.delete(id);
  for (const records of [state.messages, state.documents]) {
    for (const record of [...records.values()]) {
      if (record.conversation_id === id) records.delete(record.id);
    }
  }
}

function matches(keyword: string | null, name: string): boolean {
  return !keyword || name.toLowerCase().includes(keyword.toLowerCase());
}

/** Behind the switch `lists`: what the account has. */
export const listRoutes: readonly Route[] = [
  {
    operation: 'GET /bots',
    handle({ state, query }) {
      const bots = state.bots.filter((bot) => matches(query.get('keyword'), bot.name));
      return {
        body: paginate(
          bots.map(({ id, name, description }) => ({ id, name, description })),
          query,
        ),
      };
    },
  },
  {
    operation: 'GET /conversations',
    handle({ state, query }) {
      const botId = query.get('bot_id');
      const newestFirst = [...state.conversations.values()].reverse();
      return {
        body: paginate(
          newestFirst.filter(
            ({ name, bot_id }) => (!botId || bot_id === botId) && matches(query.get('keyword'), name),
          ),
          query,
        ),
      };
    },
  },
];

export const conversationRoutes: readonly Route[] = [
  {
    operation: 'POST /conversations',
    handle(call) {
      const { name, botId } = readConversation(call);
      return { body: { data: addConversation(call.state, name, botId) } };
    },
  },
  {
    operation: 'GET /conversations/{id}',
    handle: (call) => toResponse(call, find(call.state.conversations, call.id, 'conversation')),
  },
  {
    operation: 'POST /conversations/{id}',
    handle(call) {
      const conversation = find(call.state.conversations, call.id, 'conversation');
      const { name, botId } = readConversation(call);
      conversation.name = name;
      conversation.bot_id = botId;
      return toResponse(call, conversation);
    },
  },
  {
    operation: 'DELETE /conversations/{id}',
    handle(call) {
      const conversation = find(call.state.conversations, call.id, 'conversation');
      const response = toResponse(call, conversation);
      deleteConversation(call.state, conversation.id);
      return response;
    },
  },
];
