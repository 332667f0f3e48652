import * as v from 'valibot';

/**
 * What agents can ask of Parley, as the MCP server tells them (docs/agents.md). The descriptions are in English, for models.
 * The same schemas check the socket between the server and a window.
 */

/** In UTF-16 code units. Ids of Parley and of the service are shorter. */
const MAX_ID_LENGTH = 1000;
/** In UTF-16 code units: a text that is far too long still gets an error with its count. */
const MAX_QUESTION_LENGTH = 200_000;
const MAX_PATH_LENGTH = 8192;
const MAX_QUERY_LENGTH = 1000;
/** The documents that one question can name. */
const MAX_DOCUMENTS = 50;

const id = v.pipe(v.string(), v.maxLength(MAX_ID_LENGTH));

function describe(text: string) {
  return v.description<string, string>(text);
}

const conversationIdInput = v.pipe(
  id,
  describe('Id of a conversation, as ask_bot, search_conversations or upload_document returned it.'),
);

const botOutput = v.object({
  id: v.string(),
  name: v.string(),
  model: v.exactOptional(v.string()),
  isDefault: v.exactOptional(v.boolean()),
  /** The name of its service, if there are several. */
  service: v.exactOptional(v.string()),
  /** What it knows, in a line. */
  description: v.exactOptional(v.string()),
  /** Who wrote the description: the user, or a file of the workspace. */
  describedBy: v.exactOptional(v.picklist(['user', 'workspace'])),
});

const sourceOutput = v.object({
  name: v.string(),
  documentId: v.exactOptional(v.string()),
  url: v.exactOptional(v.string()),
});

const conversationOutput = v.object({
  id: v.string(),
  name: v.string(),
  bot: v.exactOptional(v.string()),
  /** ISO 8601. */
  at: v.exactOptional(v.string()),
});

const documentOutput = v.object({
  id: v.exactOptional(v.string()),
  name: v.string(),
  status: v.exactOptional(v.string()),
  /** The name of its service, if there are several. */
  service: v.exactOptional(v.string()),
});

const messageOutput = v.object({
  from: v.picklist(['user', 'bot']),
  text: v.string(),
  at: v.exactOptional(v.string()),
  /** Missing for a message of the user. */
  ending: v.exactOptional(v.string()),
  sources: v.exactOptional(v.array(sourceOutput)),
});

/** The input and the output of each tool, by its name. */
export const agentTools = {
  list_bots: {
    input: v.object({}),
    output: v.object({ bots: v.array(botOutput), note: v.exactOptional(v.string()) }),
  },
  ask_bot: {
    input: v.object({
      question: v.pipe(
        v.string(),
        v.maxLength(MAX_QUESTION_LENGTH),
        describe(
          'The whole question, in at most 2000 characters. The bot sees nothing else of your conversation.',
        ),
      ),
      bot: v.exactOptional(
        v.pipe(
          id,
          describe(
            'Name or ID of the bot, from list_bots; “NAME (SERVICE)” if several services have it. Default: the user’s default bot.',
          ),
        ),
      ),
      conversationId: v.exactOptional(
        v.pipe(id, describe('Continues this conversation, which the bot remembers. Default: a new one.')),
      ),
      documentIds: v.exactOptional(
        v.pipe(
          v.array(id),
          v.maxLength(MAX_DOCUMENTS),
          v.description(
            'Ids of documents, from list_documents, that the bot may answer from, of its own service. Default: all that it knows.',
          ),
        ),
      ),
      askAnyway: v.exactOptional(
        v.pipe(
          v.boolean(),
          v.description(
            'Sends the question even if it was answered before. Default: an earlier answer is returned instead, which costs nothing.',
          ),
        ),
      ),
    }),
    output: v.object({
      answer: v.string(),
      ending: v.picklist(['complete', 'stopped', 'interrupted', 'failed']),
      bot: botOutput,
      conversationId: v.string(),
      conversationLink: v.exactOptional(v.string()),
      sources: v.array(sourceOutput),
      cost: v.object({ messages: v.number(), credits: v.exactOptional(v.number()) }),
      /** Set if nothing was sent, because this question was answered before. */
      earlierQuestion: v.exactOptional(v.object({ text: v.string(), at: v.string() })),
      note: v.exactOptional(v.string()),
    }),
  },
  search_conversations: {
    input: v.object({
      query: v.pipe(
        v.string(),
        v.maxLength(MAX_QUERY_LENGTH),
        describe('Words that a message or a reply contains, all of them. Empty: the newest conversations.'),
      ),
    }),
    output: v.object({
      conversations: v.array(
        v.object({ ...conversationOutput.entries, excerpt: v.exactOptional(v.string()) }),
      ),
    }),
  },
  read_conversation: {
    input: v.object({ conversationId: conversationIdInput }),
    output: v.object({
      conversation: conversationOutput,
      messages: v.array(messageOutput),
      /** Count of earlier messages that were left out. */
      leftOut: v.exactOptional(v.number()),
    }),
  },
  list_documents: {
    input: v.object({
      conversationId: v.exactOptional(
        v.pipe(
          id,
          describe(
            'Lists the documents of this conversation. Default: all that the user can see, of all services.',
          ),
        ),
      ),
    }),
    output: v.object({ documents: v.array(documentOutput), note: v.exactOptional(v.string()) }),
  },
  upload_document: {
    input: v.object({
      path: v.pipe(
        v.string(),
        v.nonEmpty(),
        v.maxLength(MAX_PATH_LENGTH),
        describe('Path of a file inside the workspace, relative to its folder or absolute.'),
      ),
      conversationId: v.exactOptional(
        v.pipe(id, describe('Uploads to this conversation. Default: a new one.')),
      ),
      bot: v.exactOptional(v.pipe(id, describe('Name or ID of the bot for a new conversation.'))),
    }),
    output: v.object({
      conversationId: v.string(),
      document: documentOutput,
      note: v.exactOptional(v.string()),
    }),
  },
} as const satisfies Readonly<
  Record<string, { readonly input: v.GenericSchema; readonly output: v.GenericSchema }>
>;

export type AgentTool = keyof typeof agentTools;
export type ToolInput<T extends AgentTool> = v.InferOutput<(typeof agentTools)[T]['input']>;
export type ToolOutput<T extends AgentTool> = v.InferOutput<(typeof agentTools)[T]['output']>;
