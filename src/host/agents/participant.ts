import * as vscode from 'vscode';
import { escapeInline, formatSourceItem } from '../../chat/export/exportMarkdown';
import { type Conversation, findBaseUrl } from '../../chat/model/conversation';
import type { ReplySource, ReplyTurn } from '../../chat/model/turn';
import { getSourceTarget } from '../../chat/remote/replySources';
import { closeLastFence } from '../../chat/text/fences';
import type { ProblemAction } from '../../shared/view/viewModel';
import { toInertText } from '../base/inertText';
import type { InertChatResponse } from '../base/inertUi';
import { joinSentences } from '../base/localizedText';
import { Command } from '../base/names';
import { toProblem } from '../service/failureText';
import { type AgentServices, ask } from './ask';
import { hasDiverged, NOT_SENT, parseMetadata, type ShownRequest, toRequests } from './chatHistory';
import { createMessage } from './messageOf';
import { AgentRefusal, createNoBotRefusal, requireKey } from './refusal';

const { t } = vscode.l10n;

/**
 * The participant `@parley` in VS Code's Chat. A Chat session is a conversation in Parley; the service keeps
 * the bot's memory.
 */
export class Participant implements vscode.ChatFollowupProvider {
  readonly #services: AgentServices;
  /** Conversations that were started in Chat since the window opened, newest last. */
  readonly #started = new Set<string>();

  constructor(services: AgentServices) {
    this.#services = services;
  }

  /** Handles a request; shows an AgentRefusal as an error message with a button. */
  async handle(
    request: Pick<vscode.ChatRequest, 'prompt' | 'references' | 'toolReferences'>,
    { history }: vscode.ChatContext,
    response: InertChatResponse,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    try {
      const shown = toRequests(history);
      const previous = await this.#findPrevious(shown);
      requireKey(await this.#services.setup.checkSetup(previous));
      const text = await createMessage(request);
      const { conversation, reason } = this.#getConversation(previous, shown);
      // Before anything else: Chat collapses what comes before its progress.
      response.progress(toInertText(t('Asking {0}', escapeInline(conversation.bot?.name ?? ''))));
      if (reason !== undefined) response.markdown(`> ${joinSentences(reason, formatNewConversation())}\n\n`);
      return await this.#answer(conversation, text, response, token);
    } catch (error) {
      if (!(error instanceof AgentRefusal)) throw error;
      if (error.remedy) response.button(error.remedy);
      return { errorDetails: { message: escapeInline(error.message) }, metadata: NOT_SENT };
    }
  }

  async provideFollowups({ metadata }: vscode.ChatResult): Promise<vscode.ChatFollowup[]> {
    const place = parseMetadata(metadata);
    const turns = place && this.#services.chat.findConversation(place.conversationId)?.turns;
    const reply = turns?.findLast(
      (turn): turn is ReplyTurn => turn.kind === 'reply' && turn.messageId === place?.messageId,
    );
    if (!reply || reply.text === '') return [];
    if (reply.ending !== 'complete') return [{ prompt: t('Continue where you stopped.') }];
    const [source] = reply.sources ?? [];
    return [
      ...(source ? [{ prompt: t('Which passage in “{0}” supports this?', toInertText(source.name)) }] : []),
      { prompt: t('Explain that in more detail.') },
      { prompt: t('Give an example.') },
    ];
  }

  async #answer(
    conversation: Conversation,
    text: string,
    response: InertChatResponse,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const { id } = conversation;
    const question = { conversationId: id, text, via: 'chat' } as const;
    const reply = await ask(this.#services, question, token, (chunk) => response.markdown(chunk));
    const metadata = { conversationId: id, messageId: reply.messageId };
    const fence = closeLastFence(reply.text).slice(reply.text.length);
    if (fence !== '') response.markdown(fence);
    if (reply.skipped) {
      response.markdown(`\n\n*${t('Parts of this reply couldn’t be read and were left out.')}*`);
    }
    if (reply.sources) showSources(conversation, reply.sources, response);
    response.button({ command: Command.openConversation, title: t('Open in Parley'), arguments: [id] });
    if (!reply.failure) return { metadata };
    const problem = toProblem(reply.failure, true, reply.text !== '', findBaseUrl(conversation));
    for (const action of problem.actions) {
      const remedy = createRemedyCommand(action);
      if (remedy) response.button(remedy);
    }
    const message = joinSentences(problem.text, problem.detail);
    // Chat renders it as Markdown, and a part of it is the service's untrusted text.
    return { metadata, errorDetails: { message: escapeInline(message) } };
  }

  /** Returns the conversation to continue; or a new one, with the reason if the session already had one. */
  #getConversation(
    previous: Conversation | undefined,
    shown: readonly ShownRequest[],
  ): { conversation: Conversation; reason?: string } {
    const { chat, bots } = this.#services;
    const isSetUp = bots.serviceList.serviceOf(previous) !== undefined;
    const reason = previous ? findResetReason(previous, isSetUp, shown) : findLossReason(shown);
    if (previous && reason === undefined) return { conversation: previous };
    const bot = (isSetUp ? previous?.bot : undefined) ?? bots.getDefault();
    if (!bot) throw createNoBotRefusal();
    const conversation = chat.createConversation(bot);
    this.#started.add(conversation.id);
    return { conversation, ...(reason !== undefined && { reason }) };
  }

  async #findPrevious(shown: readonly ShownRequest[]): Promise<Conversation | undefined> {
    const place = shown.map((turn) => turn.place).findLast((candidate) => typeof candidate === 'object');
    const id = place?.conversationId ?? this.#findLostConversation(shown);
    return id === undefined ? undefined : this.#services.chat.openWhole(id);
  }

  /**
   * Finds the conversation of a session in which all replies lost their metadata because they were stopped.
   */
  #findLostConversation(shown: readonly ShownRequest[]): string | undefined {
    const isLost = shown.some(({ place }) => place === 'lost');
    return [...this.#started].findLast((id) => {
      const conversation = this.#services.chat.findConversation(id);
      return isLost && conversation && conversation.turns.length > 0 && !hasDiverged(conversation, shown);
    });
  }
}

function formatNewConversation(): string {
  return t('This is a new conversation: the bot doesn’t remember the earlier messages.');
}

function findResetReason(
  previous: Conversation,
  isSetUp: boolean,
  shown: readonly ShownRequest[],
): string | undefined {
  if (previous.remote?.gone || !isSetUp) {
    return t('The previous conversation isn’t on the service.');
  }
  return hasDiverged(previous, shown)
    ? t('You went back in Chat, but the bot still remembers the later messages.')
    : undefined;
}

function findLossReason(shown: readonly ShownRequest[]): string | undefined {
  const saidBefore = shown.some(({ place }) => place !== 'nowhere');
  return saidBefore ? t('The previous conversation can’t be continued.') : undefined;
}

function showSources(
  conversation: Conversation,
  sources: readonly ReplySource[],
  response: InertChatResponse,
): void {
  response.markdown(`\n\n**${t('Sources')}**\n`);
  for (const source of sources) {
    const target = getSourceTarget(conversation, source);
    if (target?.kind === 'file') {
      response.markdown('\n- ');
      response.anchor(vscode.Uri.parse(target.uri, true), toInertText(source.name));
    } else response.markdown(`\n${formatSourceItem({ ...source, name: toInertText(source.name) })}`);
  }
}

/** Creates the command for an action that works the same in Chat as in the panel. */
function createRemedyCommand(action: ProblemAction): vscode.Command | undefined {
  switch (action) {
    case 'setApiKey':
      return { command: Command.setApiKey, title: t('Set API Key') };
    case 'setBaseUrl':
      return { command: Command.setBaseUrl, title: t('Set Service URL') };
    case 'manageServices':
      return { command: Command.manageServices, title: t('Manage Services…') };
    case 'showLog':
      return { command: Command.showLog, title: t('Show Log') };
    default:
      return undefined;
  }
}
