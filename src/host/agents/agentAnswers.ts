import * as vscode from 'vscode';
import { searchConversations } from '../../chat/conversations/searchConversations';
import type { ChatServices } from '../../chat/createChat';
import { type Conversation, findBaseUrl, getServiceName } from '../../chat/model/conversation';
import type { Failure } from '../../chat/model/failure';
import { toFailure } from '../../chat/model/failure';
import type { ReplySource, ReplyTurn, Turn } from '../../chat/model/turn';
import type { Connect } from '../../chat/remote/service';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import {
  AgentError,
  type AgentRequest,
  type RequestInput,
  type RequestOutput,
} from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import type { ToolInput, ToolOutput } from '../../shared/agents/agentTools';
import { checkQuestion } from '../../shared/agents/questionLimit';
import type { ConversationSummary } from '../../shared/view/viewModel';
import { toInertText } from '../base/inertText';
import { getDailyAgentMessages } from '../base/settings';
import { createLink } from '../conversations/links';
import { getWorkspace } from '../platform/workspacePlace';
import { formatFailure } from '../service/failureText';
import type { AgentBudget } from './agentBudget';
import type { RunningCall } from './agentConnection';
import type { AgentConsent } from './agentConsent';
import { type AgentServices, ask } from './ask';
import { createQuestionPlan, findAgentConversation, findBot, isOfAgent } from './questionPlan';
import { AgentRefusal } from './refusal';

/** What agents are answered with. Uploads and prompts are features of their own, which `hostServices.ts` connects. */
export type AnswerServices = AgentServices &
  Pick<ChatServices, 'remote'> & {
    readonly connect: Connect;
    readonly budget: AgentBudget;
    readonly consent: AgentConsent;
    readonly uploadFile: (conversationId: string, uri: vscode.Uri) => Promise<string | undefined>;
    readonly listPrompts: () => Promise<RequestOutput<'list_prompts'>['prompts']>;
    readonly getPrompt: (input: RequestInput<'get_prompt'>) => Promise<string | undefined>;
  };

type Answers = {
  readonly [R in AgentRequest]: (input: RequestInput<R>, call: RunningCall) => Promise<RequestOutput<R>>;
};

const MAX_PAGES = 10;
const MAX_CONVERSATIONS = 50;
/** In UTF-16 code units: the longest conversation that an agent gets; earlier messages are left out. */
const MAX_CONVERSATION_LENGTH = 10_000_000;
/** After a 402 without a time: until the oldest day of the last 30 no longer counts. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Answers the requests of MCP servers from this window's conversations and its service. */
export class AgentAnswers {
  readonly #services: AnswerServices;
  readonly #answers: Answers = {
    list_bots: () => this.#listBots(),
    ask_bot: (input, call) => this.#askBot(input, call),
    search_conversations: (input, { signal }) => this.#search(input, signal),
    read_conversation: (input) => this.#read(input),
    list_documents: (input, { signal }) => this.#listDocuments(input, signal),
    upload_document: (input) => this.#upload(input),
    list_prompts: async () => ({ prompts: await this.#services.listPrompts() }),
    get_prompt: async (input) => {
      const text = await this.#services.getPrompt(input);
      if (text === undefined) throw refuse(agentTexts.noPrompt);
      return { text };
    },
  };

  constructor(services: AnswerServices) {
    this.#services = services;
  }

  /** Throws AgentError, or an error that is a fault of Parley. */
  async answer<R extends AgentRequest>(
    name: R,
    input: RequestInput<R>,
    call: RunningCall,
  ): Promise<RequestOutput<R>> {
    try {
      return await this.#answers[name](input, call);
    } catch (error) {
      if (error instanceof vscode.CancellationError) throw refuse(agentTexts.stopped);
      if (error instanceof AgentRefusal) throw refuse(error.message);
      if (error instanceof ServiceError) throw createFailureError(toFailure(error, Date.now()));
      throw error;
    }
  }

  async #listBots(): Promise<ToolOutput<'list_bots'>> {
    const { bots } = this.#services;
    const defaultBot = bots.getDefault();
    const listed = await bots.list();
    const all = listed ?? (defaultBot ? [defaultBot] : []);
    return {
      bots: all.map((bot) => ({
        id: bot.id,
        name: bot.name || bot.id,
        ...('model' in bot && typeof bot.model === 'string' && { model: bot.model }),
        ...(bot.id === defaultBot?.id && { isDefault: true }),
      })),
      ...(!listed && { note: agentTexts.noBotList }),
    };
  }

  async #askBot(input: ToolInput<'ask_bot'>, call: RunningCall): Promise<ToolOutput<'ask_bot'>> {
    const { chat, budget, consent } = this.#services;
    const question = checkQuestion(input.question);
    const { bot: named = '', conversationId = '' } = input;
    const plan = await createQuestionPlan(this.#services, { question, bot: named, conversationId });
    const limit = getDailyAgentMessages();
    // Counted before the user is asked, so that a loop can't ask them more often either.
    const counted = await budget.count(limit);
    if (!counted) {
      const message = agentTexts.dailyLimit(limit);
      throw new AgentError({ code: 'retryLater', message, retryAt: getTomorrow() });
    }
    let mayHaveCounted = true;
    const cancellation = toCancellation(call.signal);
    try {
      await consent.request(plan, call);
      const { id } = plan.conversation ?? chat.create(plan.bot);
      consent.allow(id);
      await this.#setDocuments(id, input.documentIds ?? [], call.signal).catch((error: unknown) => {
        mayHaveCounted = false;
        throw error;
      });
      let characters = 0;
      const asked = {
        conversationId: id,
        text: question,
        via: 'tool',
        agent: toInertText(call.agent),
      } as const;
      const reply = await ask(this.#services, asked, cancellation.token, (text) => {
        characters += text.length;
        call.onProgress(characters);
      });
      const { failure } = reply;
      mayHaveCounted = !failure?.maySend;
      if (reply.text === '' && failure) throw createFailureError(failure, !failure.maySend);
      return toAnswer(reply, plan.bot, id, this.#services.chat.find(id));
    } catch (error) {
      const isAskedByAgent = error instanceof AgentError && error.problem.confirmation !== undefined;
      if (error instanceof AgentRefusal || isAskedByAgent) mayHaveCounted = false;
      throw error;
    } finally {
      cancellation.dispose();
      if (!mayHaveCounted) await counted.release();
    }
  }

  /** Sets the documents that the bot may answer from. Throws ServiceError. */
  async #setDocuments(id: string, documentIds: readonly string[], signal: AbortSignal): Promise<void> {
    if (documentIds.length === 0) return;
    const { chat, remote, connect } = this.#services;
    const service = connect(findBaseUrl(chat.find(id)));
    const remoteId = await remote.ensureCreated(id, service, signal);
    const conversation = chat.find(id);
    if (!conversation?.bot) return;
    const name = getServiceName(conversation);
    await service.client.updateConversation(
      remoteId,
      { name, botId: conversation.bot.id, documentIds },
      signal,
    );
  }

  async #search(
    { query }: ToolInput<'search_conversations'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search_conversations'>> {
    const { chat } = this.#services;
    await chat.load();
    if (query.trim() === '') {
      const newest = chat.list().filter(isOfWorkspace).slice(0, MAX_CONVERSATIONS);
      return { conversations: newest.map(toConversationOutput) };
    }
    const found = new Map<string, ToolOutput<'search_conversations'>['conversations'][number]>();
    for await (const hit of searchConversations(this.#scanReadable(signal, query), query, signal)) {
      const summary = chat.getSummary(hit.conversationId);
      const excerpt = `${hit.before}${hit.match}${hit.after}`;
      if (summary && !found.has(hit.conversationId))
        found.set(hit.conversationId, { ...toConversationOutput(summary), excerpt });
      if (found.size === MAX_CONVERSATIONS) break;
    }
    return { conversations: [...found.values()] };
  }

  async *#scanReadable(signal: AbortSignal, query: string): AsyncGenerator<Conversation> {
    const { chat } = this.#services;
    for await (const conversation of chat.scan(signal, query)) {
      if (isReadable(chat.getSummary(conversation.id), conversation)) yield conversation;
    }
  }

  async #read({ conversationId }: ToolInput<'read_conversation'>): Promise<ToolOutput<'read_conversation'>> {
    const { chat } = this.#services;
    await chat.load();
    const summary = chat.getSummary(conversationId);
    const conversation = summary && (await chat.read(conversationId));
    if (!conversation || !isReadable(summary, conversation)) throw refuse(agentTexts.noConversation);
    const all = conversation.turns.flatMap(toMessages);
    let length = 0;
    const kept = all.toReversed().filter(({ text }) => {
      length += text.length;
      return length <= MAX_CONVERSATION_LENGTH;
    });
    const leftOut = all.length - kept.length;
    return {
      conversation: toConversationOutput(summary),
      messages: kept.toReversed(),
      ...(leftOut > 0 && { leftOut }),
    };
  }

  async #listDocuments(
    { conversationId }: ToolInput<'list_documents'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'list_documents'>> {
    const { chat, connect } = this.#services;
    let place: Conversation['remote'];
    if (conversationId) {
      await chat.load();
      const conversation = await chat.read(conversationId);
      if (!conversation || !isReadable(chat.getSummary(conversationId), conversation))
        throw refuse(agentTexts.noConversation);
      place = conversation.remote;
      if (!place) return { documents: [] };
    }
    const service = connect(place?.baseUrl);
    const documents = await service.capabilities.use('GET /documents', () =>
      collectItems(
        readPages((page) => service.client.listDocuments({ conversationId: place?.id, page }, signal), {
          maxPages: MAX_PAGES,
        }),
      ),
    );
    if (!documents) return { documents: [], note: agentTexts.noDocumentList };
    return {
      documents: documents.map(({ id, name, status }) => ({ id, name, ...(status && { status }) })),
    };
  }

  async #upload(input: ToolInput<'upload_document'>): Promise<ToolOutput<'upload_document'>> {
    const { chat, uploadFile } = this.#services;
    const { path, bot = '', conversationId } = input;
    const uri = toFileUri(path);
    const { id } = conversationId
      ? await findAgentConversation(this.#services, conversationId)
      : chat.create(await findBot(this.#services, bot));
    const turnId = await uploadFile(id, uri);
    if (turnId === undefined) throw refuse(agentTexts.notUploaded);
    const turn = chat.find(id)?.turns.find((each) => each.id === turnId);
    if (turn?.kind !== 'document') throw refuse(agentTexts.uploadRemoved);
    if (turn.failure) throw createFailureError(turn.failure);
    if (turn.state !== 'attached') throw refuse(agentTexts.uploadCanceled);
    return {
      conversationId: id,
      document: {
        name: turn.name,
        ...(turn.documentId !== undefined && { id: turn.documentId }),
        ...(turn.status !== undefined && { status: turn.status }),
      },
      note: agentTexts.converting,
    };
  }
}

/** Agents read what was asked in this workspace, and what agents asked; nothing of the user's other work. */
function isReadable(summary: ConversationSummary | undefined, conversation: Conversation): boolean {
  return summary !== undefined && (isOfWorkspace(summary) || isOfAgent(conversation));
}

function isOfWorkspace({ workspace }: ConversationSummary): boolean {
  return workspace?.id === getWorkspace()?.id;
}

function toFileUri(path: string): vscode.Uri {
  // Windows would log in to the named server with the user's name.
  if (/^[/\\]{2}/.test(path)) throw refuse(agentTexts.otherMachine);
  const isAbsolute = /^([/\\]|[a-z]:[/\\])/i.test(path);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (isAbsolute) return folder && folder.scheme !== 'file' ? folder.with({ path }) : vscode.Uri.file(path);
  if (!folder) throw refuse(agentTexts.noFolder);
  return vscode.Uri.joinPath(folder, path);
}

function toConversationOutput(summary: ConversationSummary): ToolOutput<'read_conversation'>['conversation'] {
  const { id, name, bot, at } = summary;
  return { id, name, bot: bot.name, at: new Date(at).toISOString() };
}

function toMessages(turn: Turn): ToolOutput<'read_conversation'>['messages'] {
  if (turn.kind === 'document') return [];
  const { text, at } = turn;
  const common = { text, at: new Date(at).toISOString() };
  if (turn.kind === 'message') return [{ from: 'user', ...common }];
  const { ending, sources } = turn;
  return [
    {
      from: 'bot',
      ...common,
      ...(ending && { ending }),
      ...(sources && { sources: sources.map(toSource) }),
    },
  ];
}

function toAnswer(
  { text, ending = 'interrupted', failure, sources = [], usage }: ReplyTurn,
  { id, name }: { readonly id: string; readonly name: string },
  conversationId: string,
  conversation: Conversation | undefined,
): ToolOutput<'ask_bot'> {
  const credits = usage?.credits;
  return {
    answer: text,
    ending,
    bot: { id, name },
    conversationId,
    conversationLink: conversation ? createLink(conversation) : '',
    sources: sources.map(toSource),
    cost: { messages: failure?.maySend ? 0 : 1, ...(credits !== undefined && { credits }) },
    ...(ending !== 'complete' && {
      note: agentTexts.incomplete(failure && formatFailure(failure)),
    }),
  };
}

function toSource({ id, name, url }: ReplySource) {
  return { name, ...(id !== undefined && { documentId: id }), ...(url !== undefined && { url }) };
}

/** `mayHaveCounted`: a question may have reached the service. */
function createFailureError(failure: Failure, mayHaveCounted = false): AgentError {
  const retryAt = failure.retryAt ?? (failure.code === 'quotaReached' ? Date.now() + DAY_MS : undefined);
  const message = `${formatFailure(failure)} ${mayHaveCounted ? agentTexts.maySent : agentTexts.nothingSent}`;
  return new AgentError({
    code: retryAt === undefined ? 'refused' : 'retryLater',
    message,
    ...(retryAt !== undefined && { retryAt }),
  });
}

function getTomorrow(): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
}

function refuse(message: string): AgentError {
  return new AgentError({ code: 'refused', message });
}

function toCancellation(signal: AbortSignal): vscode.CancellationTokenSource {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else signal.addEventListener('abort', () => source.cancel(), { once: true });
  return source;
}
