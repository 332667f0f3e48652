import { findLatestReply } from '../../chat/remote/latestReply';
import type { Bot, Message } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { isBlank } from '../../client/plainText';
import { ServiceClient, type ServiceClientOptions } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';
import {
  AgentError,
  type AgentRequest,
  type RequestInput,
  type RequestOutput,
} from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import type { ToolInput, ToolOutput } from '../../shared/agents/agentTools';
import { Confirmations } from '../../shared/agents/confirmations';
import { checkQuestion } from '../../shared/agents/questionLimit';
import type { Backend, BackendCall } from '../backend';
import { inspectLocalFile } from './filesToUpload';
import { findBotOfService, readBots, unlessUnsupported } from './findBotOfService';
import { describeFailure, toAgentError } from './serviceFailure';

/** Pages that are read of a list: the user's bots, conversations and documents. */
const MAX_PAGES = 10;
/** Messages of a conversation that are read. */
const MAX_MESSAGE_PAGES = 20;
/** In UTF-16 code units. */
const MAX_NAME_LENGTH = 60;

export interface AloneOptions extends Pick<ServiceClientOptions, 'baseUrl' | 'fetch'> {
  readonly apiKey: string;
  /** The questions that this server sends at most. */
  readonly maxMessages: number;
  /** The folder that counts as the workspace. */
  readonly folder: string;
}

type Handlers = {
  readonly [R in AgentRequest]: (input: RequestInput<R>, call: BackendCall) => Promise<RequestOutput<R>>;
};

/** Asks the service itself, where no VS Code runs. Stores nothing. */
export class AloneBackend implements Backend {
  readonly #client: ServiceClient;
  readonly #options: AloneOptions;
  readonly #confirmations = new Confirmations();
  readonly #handlers: Handlers = {
    list_bots: (_, { signal }) => this.#listBots(signal),
    ask_bot: (input, call) => this.#askBot(input, call),
    search_conversations: (input, { signal }) => this.#searchConversations(input, signal),
    read_conversation: (input, { signal }) => this.#readConversation(input, signal),
    list_documents: (input, { signal }) => this.#listDocuments(input, signal),
    upload_document: (input, call) => this.#uploadDocument(input, call),
    describe_bots: async () => ({ bots: [] }),
    list_prompts: async () => ({ prompts: [] }),
    get_prompt: async () => {
      throw new AgentError({ code: 'refused', message: 'There are no prompts without VS Code.' });
    },
  };
  #messages = 0;

  /** Throws ServiceError `refusedUrl` for a base URL that `parseBaseUrl` refuses. */
  constructor(options: AloneOptions) {
    this.#options = options;
    const { baseUrl, fetch, apiKey } = options;
    this.#client = new ServiceClient({ baseUrl, fetch, apiKey: async () => apiKey });
  }

  async request<R extends AgentRequest>(
    name: R,
    input: RequestInput<R>,
    call: BackendCall,
  ): Promise<RequestOutput<R>> {
    try {
      return await this.#handlers[name](input, call);
    } catch (error) {
      if (call.signal.aborted) throw new AgentError({ code: 'refused', message: agentTexts.stopped });
      throw toAgentError(error);
    }
  }

  async close(): Promise<void> {
    // Every request ends with its signal.
  }

  async #listBots(signal: AbortSignal): Promise<ToolOutput<'list_bots'>> {
    const bots = await readBots(this.#client, signal);
    const note = 'The service doesn’t list its bots. Ask the user for the ID of a bot.';
    return bots ? { bots: bots.map(toBotOutput) } : { bots: [], note };
  }

  async #askBot(input: ToolInput<'ask_bot'>, call: BackendCall): Promise<ToolOutput<'ask_bot'>> {
    const { signal, onProgress } = call;
    const question = checkQuestion(input.question);
    const { maxMessages } = this.#options;
    if (this.#messages >= maxMessages) {
      const message = `This server has sent ${maxMessages} questions, which is its limit (--max-messages). Nothing was sent. Ask the user before going on.`;
      throw new AgentError({ code: 'refused', message });
    }
    // Before anything is awaited, so that questions at the same time can't exceed the limit.
    this.#messages++;
    let mayHaveCounted = false;
    try {
      const { id: conversationId, bot } = await this.#openConversation(input, question, signal);
      if (input.documentIds?.length) {
        await this.#client.updateConversation(
          conversationId,
          { name: createName(question), botId: bot.id, documentIds: input.documentIds },
          signal,
        );
      }
      mayHaveCounted = true;
      let answer = '';
      const common = () => ({ answer, bot: toBotOutput(bot), conversationId });
      try {
        for await (const text of this.#client.streamReply(
          { conversationId, content: question },
          { signal },
        )) {
          answer += text;
          onProgress(answer.length);
        }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        mayHaveCounted = !error.maySend;
        if (answer === '') throw toAgentError(error, 'question');
        const note = describeFailure(error, 'question');
        return { ...common(), ending: 'interrupted', sources: [], cost: { messages: 1 }, note };
      }
      const reply = await findLatestReply(this.#client, conversationId, signal);
      const credits = reply?.usage?.credits;
      return {
        ...common(),
        ending: 'complete',
        sources: toSources(reply),
        cost: { messages: 1, ...(credits !== undefined && { credits }) },
      };
    } finally {
      if (!mayHaveCounted) this.#messages--;
    }
  }

  async #openConversation(
    { conversationId, bot: named }: ToolInput<'ask_bot'>,
    question: string,
    signal: AbortSignal,
  ): Promise<{ readonly id: string; readonly bot: Bot }> {
    if (conversationId) {
      const { id, botId } = await this.#client.getConversation(conversationId, signal);
      const bots = await readBots(this.#client, signal);
      return { id, bot: bots?.find((bot) => bot.id === botId) ?? { id: botId, name: botId } };
    }
    const bot = await findBotOfService(this.#client, named ?? '', signal);
    const { id } = await this.#client.createConversation(
      { name: createName(question), botId: bot.id },
      signal,
    );
    return { id, bot };
  }

  async #searchConversations(
    { query }: ToolInput<'search_conversations'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search_conversations'>> {
    const keyword = query.trim() || undefined;
    const { items } = await this.#client.listConversations({ keyword }, signal);
    return {
      conversations: items.map(({ id, name, botId, createdAt }) => ({
        ...{ id, name },
        ...(botId && { bot: botId }),
        ...toTime(createdAt),
      })),
    };
  }

  async #readConversation(
    { conversationId }: ToolInput<'read_conversation'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'read_conversation'>> {
    const { id, name, botId, createdAt } = await this.#client.getConversation(conversationId, signal);
    const read = (page: number | undefined) => this.#client.listMessages({ conversationId, page }, signal);
    const messages = await collectItems(readPages(read, { maxPages: MAX_MESSAGE_PAGES }));
    const own = messages
      .filter((message) => message.conversationId === undefined || message.conversationId === conversationId)
      .toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
    return {
      conversation: { id, name, ...(botId && { bot: botId }), ...toTime(createdAt) },
      messages: own.map((message) => ({
        from: message.machine ? 'bot' : 'user',
        text: message.content,
        ...toTime(message.createdAt),
        ...(message.sources.length > 0 && { sources: toSources(message) }),
      })),
    };
  }

  async #listDocuments(
    { conversationId }: ToolInput<'list_documents'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'list_documents'>> {
    const read = (page: number | undefined) => this.#client.listDocuments({ conversationId, page }, signal);
    const documents = await unlessUnsupported(collectItems(readPages(read, { maxPages: MAX_PAGES })));
    if (!documents) return { documents: [], note: agentTexts.noDocumentList };
    return {
      documents: documents.map(({ id, name, status }) => ({ id, name, ...(status && { status }) })),
    };
  }

  async #uploadDocument(
    input: ToolInput<'upload_document'>,
    { signal, agentCanAsk, confirmed }: BackendCall,
  ): Promise<ToolOutput<'upload_document'>> {
    const { name, contentType, opened, concerns } = await inspectLocalFile(this.#options.folder, input.path);
    try {
      if (concerns.length > 0 && !this.#confirmations.use(confirmed, input)) {
        const reasons = concerns.join(', ');
        if (agentCanAsk)
          throw this.#confirmations.ask(input, `Upload ${input.path} to the service? Note that ${reasons}.`);
        const message = `${input.path} was not uploaded: ${reasons}, and nobody can be asked.`;
        throw new AgentError({ code: 'refused', message });
      }
      const { id } = await this.#openConversation({ ...input, question: '' }, name, signal);
      const { url, key } = await this.#client.createSignedUpload({ fileName: name, contentType }, signal);
      await this.#client.putFile({ url, contentType, file: opened.body }, { signal });
      const registration = { key, conversationId: id, fileName: name };
      const document = await this.#client.createDocument(registration, signal).catch((error: unknown) => {
        throw toAgentError(error, 'document');
      });
      const note = agentTexts.converting;
      return {
        conversationId: id,
        document: {
          name,
          ...(document && { id: document.id }),
          ...(document?.status && { status: document.status }),
        },
        note,
      };
    } finally {
      await opened.close();
    }
  }
}

function toBotOutput({ id, name, model }: Bot): ToolOutput<'ask_bot'>['bot'] {
  return { id, name: name || id, ...(model !== undefined && { model }) };
}

function toSources(message: Message | undefined): ToolOutput<'ask_bot'>['sources'] {
  return (message?.sources ?? []).map(({ documentId, documentName, documentUrl, type }) => ({
    name: documentName ?? documentUrl ?? type ?? 'unnamed',
    ...(documentId !== undefined && { documentId }),
    ...(documentUrl !== undefined && { url: documentUrl }),
  }));
}

/** `seconds`: Unix time. */
function toTime(seconds: number | undefined): { at?: string } {
  return seconds === undefined ? {} : { at: new Date(seconds * 1000).toISOString() };
}

function createName(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const name = line
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Surrogate}$/u, '')
    .trim();
  return isBlank(name) ? 'Question of an agent' : name;
}
