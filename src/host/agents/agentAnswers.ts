import * as vscode from 'vscode';
import { searchConversations } from '../../chat/conversations/searchConversations';
import type { ChatServices } from '../../chat/createChat';
import { setInitialFocus } from '../../chat/documents/initialFocus';
import { isResponseLost } from '../../chat/documents/matchDocuments';
import { listDocuments } from '../../chat/documents/readDocuments';
import type { EarlierAnswers } from '../../chat/earlierAnswers/earlierAnswers';
import { type Conversation, findReply, mayBeSameBot } from '../../chat/model/conversation';
import type { Failure } from '../../chat/model/failure';
import { toFailure } from '../../chat/model/failure';
import type { ReplySource, ReplyTurn, Turn } from '../../chat/model/turn';
import type { Connect } from '../../chat/remote/service';
import type { Document, Bot as ListedBot } from '../../client/models';
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
import { getDailyAgentMessages, isSuggestingEarlierAnswers } from '../base/settings';
import { createLink } from '../conversations/links';
import { getWorkspace } from '../platform/workspacePlace';
import { formatFailure } from '../service/failureText';
import type { ConfiguredService } from '../service/serviceList';
import type { AgentBudget } from './agentBudget';
import type { RunningCall } from './agentConnection';
import type { AgentConsent } from './agentConsent';
import { type AgentServices, ask } from './ask';
import { getBotDescriptions } from './botDescriptions';
import {
  createQuestionPlan,
  findAgentConversation,
  findBotOfAnyService,
  isOfAgent,
  listAllBots,
  listOfAll,
  type QuestionPlan,
} from './questionPlan';
import { AgentRefusal } from './refusal';

/** What agents are answered with. Uploads and prompts are features of their own, which `hostServices.ts` connects. */
export type AnswerServices = AgentServices &
  Pick<ChatServices, 'remote'> & {
    readonly connect: Connect;
    readonly budget: AgentBudget;
    readonly consent: AgentConsent;
    readonly getEarlierAnswers: () => Promise<EarlierAnswers>;
    readonly uploadFile: (
      conversationId: string,
      uri: vscode.Uri,
      signal: AbortSignal,
    ) => Promise<string | undefined>;
    /** What the workspace says of its bots. */
    readonly listBotNotes: () => Promise<
      readonly { readonly id: string; readonly baseUrl?: string; readonly description: string }[]
    >;
    readonly listPrompts: () => Promise<RequestOutput<'list_prompts'>['prompts']>;
    readonly getPrompt: (input: RequestInput<'get_prompt'>) => Promise<string | undefined>;
  };

type Answers = {
  readonly [R in AgentRequest]: (input: RequestInput<R>, call: RunningCall) => Promise<RequestOutput<R>>;
};

const MAX_CONVERSATIONS = 50;
/** Conversations of other workspaces that are read to find those of agents. */
const MAX_READ = 100;
/**
 * In UTF-16 code units of JSON: the longest conversation that an agent gets; earlier messages are left out. The server sends it twice,
 * as text and as data, of up to 3 bytes per unit (`MAX_RESULT_BYTES`).
 */
const MAX_CONVERSATION_LENGTH = 1_500_000;
/** After a 402 without a time: until the oldest day of the last 30 no longer counts. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Questions of agents that got an earlier answer, and are sent when they are asked again. */
const MAX_ANSWERED_EARLIER = 100;

/** Answers the requests of MCP servers from this window's conversations and its service. */
export class AgentAnswers {
  readonly #services: AnswerServices;
  /** So that an agent that asks the same again isn’t answered the same for ever. */
  readonly #answeredEarlier = new Set<string>();
  readonly #answers: Answers = {
    list_bots: () => this.#listBots(),
    ask_bot: (input, call) => this.#askBot(input, call),
    search_conversations: (input, { signal }) => this.#search(input, signal),
    read_conversation: (input) => this.#read(input),
    list_documents: (input, { signal }) => this.#listDocuments(input, signal),
    upload_document: (input, { signal }) => this.#upload(input, signal),
    describe_bots: async () => ({
      bots: [...getBotDescriptions()].map(([bot, description]) => ({ bot, description })),
    }),
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
    const { bots, listBotNotes } = this.#services;
    const lists = await listAllBots(this.#services);
    const own = getBotDescriptions();
    const notes = await listBotNotes();
    const [first] = lists;
    const describe = (id: string, name: string, { baseUrl }: ConfiguredService) => {
      const line = own.get(id) ?? own.get(name);
      if (line !== undefined) return { description: line, describedBy: 'user' as const };
      // What the workspace says comes second, and is marked.
      const note = notes.find(
        (each) => each.id === id && (each.baseUrl ?? first?.service.baseUrl) === baseUrl,
      );
      return note && { description: note.description, describedBy: 'workspace' as const };
    };
    return {
      bots: lists.flatMap(({ service, listed }) => {
        const defaultBot = bots.getDefault(service.baseUrl);
        const all: readonly ListedBot[] = listed ?? (defaultBot ? [defaultBot] : []);
        return all.map(({ id, name, model }) => ({
          id,
          name: name || id,
          ...(model !== undefined && { model }),
          ...(service === first?.service && id === defaultBot?.id && { isDefault: true }),
          ...(lists.length > 1 && { service: service.name }),
          ...describe(id, name, service),
        }));
      }),
      ...(lists.some(({ listed }) => !listed) && { note: agentTexts.noBotList }),
    };
  }

  async #askBot(input: ToolInput<'ask_bot'>, call: RunningCall): Promise<ToolOutput<'ask_bot'>> {
    const { chat, budget, consent } = this.#services;
    const question = checkQuestion(input.question);
    const { bot: named = '', conversationId = '' } = input;
    const plan = await createQuestionPlan(this.#services, { question, bot: named, conversationId });
    const earlier = await this.#findEarlierAnswer(input, plan, call).catch((error: unknown) => {
      call.signal.throwIfAborted();
      // Only a hint: the bot can be asked.
      chat.reportError(error);
      return undefined;
    });
    if (earlier) return earlier;
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
      const { id } = plan.conversation ?? chat.createConversation(plan.bot);
      consent.allow(call.agent, id);
      await setInitialFocus(this.#services, id, input.documentIds ?? [], call.signal).catch(
        (error: unknown) => {
          mayHaveCounted = false;
          throw error;
        },
      );
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
      if (reply.text === '' && failure)
        throw createFailureError(failure, failure.maySend ? agentTexts.nothingSent : agentTexts.maySent);
      return toAnswer(reply, plan.bot, id, this.#services.chat.findConversation(id));
    } catch (error) {
      const isAskedByAgent = error instanceof AgentError && error.problem.confirmation !== undefined;
      if (error instanceof AgentRefusal || isAskedByAgent) mayHaveCounted = false;
      throw error;
    } finally {
      cancellation.dispose();
      if (!mayHaveCounted) await counted.release();
    }
  }

  /**
   * Returns the earlier answer to a question that means the same, if the agent may read it: once for each question. A question that
   * continues a conversation or names documents means something of its own.
   */
  async #findEarlierAnswer(
    { askAnyway, documentIds = [] }: ToolInput<'ask_bot'>,
    { question, bot, conversation }: QuestionPlan,
    { agent, signal, confirmed }: RunningCall,
  ): Promise<ToolOutput<'ask_bot'> | undefined> {
    const { chat, getEarlierAnswers } = this.#services;
    const isOwn = conversation !== undefined || documentIds.length > 0;
    if (askAnyway || isOwn || confirmed !== undefined || !isSuggestingEarlierAnswers()) return undefined;
    const key = JSON.stringify([agent, bot.id, bot.baseUrl, question]);
    if (this.#answeredEarlier.has(key)) return undefined;
    const answers = await getEarlierAnswers();
    const found = await answers.findAnswer(question, {
      bot,
      workspaceId: getWorkspace()?.id,
      isAllowed: ({ isOfAgent }, summary) =>
        mayBeSameBot(summary.bot, bot) && (isOfAgent === true || isOfWorkspace(summary)),
      signal,
    });
    const earlier = found && (await chat.readConversation(found.conversationId));
    const reply = findReply(earlier, found?.replyId ?? '');
    if (!found || !earlier || !reply || reply.text === '') return undefined;
    this.#answeredEarlier.add(key);
    const [oldest] = this.#answeredEarlier;
    if (this.#answeredEarlier.size > MAX_ANSWERED_EARLIER && oldest) this.#answeredEarlier.delete(oldest);
    const answer = toAnswer(reply, { id: bot.id, name: reply.bot }, found.conversationId, earlier);
    const at = new Date(found.at).toISOString();
    return {
      ...answer,
      cost: { messages: 0 },
      earlierQuestion: { text: found.question, at },
      note: agentTexts.earlierAnswer,
    };
  }

  async #search(
    { query }: ToolInput<'search_conversations'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search_conversations'>> {
    const { chat } = this.#services;
    await chat.load();
    if (query.trim() === '') {
      const newest = await this.#listReadable(signal);
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

  /** Lists the newest conversations that agents may read. */
  async #listReadable(signal: AbortSignal): Promise<ConversationSummary[]> {
    const { chat } = this.#services;
    const listed: ConversationSummary[] = [];
    let read = 0;
    for (const summary of chat.listConversations()) {
      if (listed.length === MAX_CONVERSATIONS) break;
      signal.throwIfAborted();
      if (!isOfWorkspace(summary)) {
        if (++read > MAX_READ) continue;
        const conversation = await chat.readConversation(summary.id).catch(chat.reportError);
        if (!conversation || !isOfAgent(conversation)) continue;
      }
      listed.push(summary);
    }
    return listed;
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
    const conversation = summary && (await chat.readConversation(conversationId));
    if (!conversation || !isReadable(summary, conversation)) throw refuse(agentTexts.noConversation);
    const all = conversation.turns.flatMap(toMessages);
    let length = 0;
    const kept = all.toReversed().filter((message) => {
      // A control character is six of JSON.
      length += JSON.stringify(message).length;
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
    const { chat, connect, bots } = this.#services;
    let place: Conversation['remote'];
    if (conversationId) {
      await chat.load();
      const conversation = await chat.readConversation(conversationId);
      if (!conversation || !isReadable(chat.getSummary(conversationId), conversation))
        throw refuse(agentTexts.noConversation);
      place = conversation.remote;
      if (!place) return { documents: [] };
    }
    if (!place && bots.serviceList.all.length > 1) return this.#listAllDocuments(signal);
    const service = connect(place?.baseUrl);
    const documents = await listDocuments(service, place?.id, signal);
    if (!documents) return { documents: [], note: agentTexts.noDocumentList };
    return { documents: documents.map(toDocumentOutput) };
  }

  async #listAllDocuments(signal: AbortSignal): Promise<ToolOutput<'list_documents'>> {
    const { connect } = this.#services;
    const lists = await listOfAll(this.#services, (baseUrl) =>
      listDocuments(connect(baseUrl), undefined, signal),
    );
    return {
      documents: lists.flatMap(({ service: { name: service }, listed = [] }) =>
        listed.map((document) => ({ ...toDocumentOutput(document), service })),
      ),
      ...(lists.some(({ listed }) => !listed) && { note: agentTexts.noDocumentListOfSome }),
    };
  }

  async #upload(
    input: ToolInput<'upload_document'>,
    signal: AbortSignal,
  ): Promise<ToolOutput<'upload_document'>> {
    const { chat, uploadFile } = this.#services;
    const { path, bot = '', conversationId } = input;
    const uri = toFileUri(path);
    const { id } = conversationId
      ? await findAgentConversation(this.#services, conversationId)
      : chat.createConversation(await findBotOfAnyService(this.#services, bot));
    const turnId = await uploadFile(id, uri, signal);
    if (turnId === undefined) throw refuse(agentTexts.notUploaded);
    const turn = chat.findConversation(id)?.turns.find((each) => each.id === turnId);
    if (turn?.kind !== 'document') throw refuse(agentTexts.uploadRemoved);
    const end = isResponseLost(turn)
      ? `${agentTexts.mayBeUploaded} ${agentTexts.uploadAgainTo(id)}`
      : agentTexts.nothingUploaded;
    if (turn.failure) throw createFailureError(turn.failure, end);
    if (turn.state !== 'attached') throw refuse(`${agentTexts.uploadCanceled} ${end}`);
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

function toDocumentOutput({ id, name, status }: Document): ToolOutput<'list_documents'>['documents'][number] {
  return { id, name, ...(status && { status }) };
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

/** `end`: what the agent is told of what was sent. */
function createFailureError(failure: Failure, end: string = agentTexts.nothingSent): AgentError {
  const retryAt = failure.retryAt ?? (failure.code === 'quotaReached' ? Date.now() + DAY_MS : undefined);
  const message = `${formatFailure(failure)} ${end}`;
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
