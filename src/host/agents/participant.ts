import * as vscode from 'vscode';
import { escapeInline, formatSourceItem } from '../../chat/export/exportMarkdown';
import type { Conversation, ReplySource, ReplyTurn } from '../../chat/model/conversation';
import { getSourceTarget } from '../../chat/remote/sources';
import { closeLastFence } from '../../chat/text/fences';
import type { ProblemAction } from '../../shared/viewModel';
import { toInertText } from '../base/inertText';
import { Command } from '../base/names';
import { paragraph } from '../base/paragraph';
import { baseUrl } from '../base/settings';
import { toProblem } from '../service/failureText';
import { type AgentServices, ask } from './ask';
import { hasDiverged, NOT_SENT, parseMetadata, type Shown, toRequests } from './chatHistory';
import { createMessage } from './messageOf';
import { noBot, Refusal, requireKey } from './refusal';

const { t } = vscode.l10n;

/** `@parley` in VS Code's Chat: a session there is a conversation here, and the bot's memory is the service's. */
export class Participant implements vscode.ChatFollowupProvider {
  readonly #services: AgentServices;
  /** Conversations that began in Chat since the window opened, the newest last. */
  readonly #begun = new Set<string>();

  constructor(services: AgentServices) {
    this.#services = services;
  }

  /** Answers a request; a Refusal becomes a sentence, and a button that helps. */
  async handle(
    request: Pick<vscode.ChatRequest, 'prompt' | 'references' | 'toolReferences'>,
    { history }: vscode.ChatContext,
    response: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    try {
      requireKey(await this.#services.setup.refresh());
      const text = await createMessage(request);
      const { conversation, why } = await this.#conversation(toRequests(history));
      // First: Chat folds up what stands above its progress.
      response.progress(t('Asking {0}', conversation.bot?.name ?? ''));
      if (why !== undefined) response.markdown(`> ${paragraph(why, anew())}\n\n`);
      return await this.#answer(conversation, text, response, token);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.remedy) response.button(error.remedy);
      return { errorDetails: { message: escapeInline(error.message) }, metadata: NOT_SENT };
    }
  }

  async provideFollowups({ metadata }: vscode.ChatResult): Promise<vscode.ChatFollowup[]> {
    const place = parseMetadata(metadata);
    const turns = place && this.#services.chat.find(place.conversationId)?.turns;
    const reply = turns?.findLast(
      (turn): turn is ReplyTurn => turn.kind === 'reply' && turn.messageId === place?.messageId,
    );
    if (!reply || reply.text === '') return [];
    if (reply.ending !== 'complete') return [{ prompt: t('Go on where you stopped.') }];
    const [source] = reply.sources ?? [];
    return [
      ...(source ? [{ prompt: t('Which passage of “{0}” says so?', source.name) }] : []),
      { prompt: t('Explain that in more detail.') },
      { prompt: t('Give an example.') },
    ];
  }

  async #answer(
    conversation: Conversation,
    text: string,
    response: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const { id } = conversation;
    const question = { conversationId: id, text, via: 'chat' } as const;
    const reply = await ask(this.#services, question, token, (chunk) => response.markdown(chunk));
    const metadata = { conversationId: id, messageId: reply.messageId };
    const fence = closeLastFence(reply.text).slice(reply.text.length);
    if (fence !== '') response.markdown(fence);
    if (reply.skipped) {
      response.markdown(`\n\n*${t("Parts of this reply couldn't be read and were left out.")}*`);
    }
    if (reply.sources) showSources(conversation, reply.sources, response);
    response.button({ command: Command.openConversation, title: t('Open in Parley'), arguments: [id] });
    if (!reply.failure) return { metadata };
    const problem = toProblem(reply.failure, true, reply.text !== '');
    for (const action of problem.actions) {
      const remedy = createRemedyCommand(action);
      if (remedy) response.button(remedy);
    }
    const message = paragraph(problem.text, problem.detail);
    // Chat reads it as Markdown, and part of it is the service's.
    return { metadata, errorDetails: { message: escapeInline(message) } };
  }

  /** The conversation that the session goes on with; or a new one, and why, where the session has one already. */
  async #conversation(shown: readonly Shown[]): Promise<{ conversation: Conversation; why?: string }> {
    const { chat, bots } = this.#services;
    const place = shown.map((turn) => turn.place).findLast((each) => typeof each === 'object');
    const id = place?.conversationId ?? this.#lost(shown);
    const before = id === undefined ? undefined : await chat.openWhole(id);
    const why = before ? whyAnew(before, shown) : whyUnknown(shown);
    if (before && why === undefined) return { conversation: before };
    const bot = before?.bot ?? bots.default();
    if (!bot) throw noBot();
    const conversation = chat.create(bot);
    this.#begun.add(conversation.id);
    return { conversation, ...(why !== undefined && { why }) };
  }

  /** The conversation of a session whose only replies lost their metadata, because they were stopped. */
  #lost(shown: readonly Shown[]): string | undefined {
    const isLost = shown.some(({ place }) => place === 'lost');
    return [...this.#begun].findLast((id) => {
      const conversation = this.#services.chat.find(id);
      return isLost && conversation && conversation.turns.length > 0 && !hasDiverged(conversation, shown);
    });
  }
}

function anew(): string {
  return t('This is a new conversation: the bot knows nothing of what was said before.');
}

function whyAnew(before: Conversation, shown: readonly Shown[]): string | undefined {
  const { remote } = before;
  if (remote && (remote.gone || remote.baseUrl !== baseUrl()?.url)) {
    return t('The service does not have the conversation before this.');
  }
  return hasDiverged(before, shown)
    ? t('Chat went back, but the bot’s memory does not go back with it.')
    : undefined;
}

function whyUnknown(shown: readonly Shown[]): string | undefined {
  const saidBefore = shown.some(({ place }) => place !== 'nowhere');
  return saidBefore ? t('The conversation before this can’t go on.') : undefined;
}

function showSources(
  conversation: Conversation,
  sources: readonly ReplySource[],
  response: vscode.ChatResponseStream,
): void {
  response.markdown(`\n\n**${t('Sources')}**\n`);
  for (const source of sources) {
    const target = getSourceTarget(conversation, source);
    if (target?.kind === 'file') {
      response.markdown('\n- ');
      response.anchor(vscode.Uri.parse(target.uri, true), toInertText(source.name));
    } else response.markdown(`\n${formatSourceItem(source)}`);
  }
}

/** The buttons that mean the same in Chat as in the panel. */
function createRemedyCommand(action: ProblemAction): vscode.Command | undefined {
  switch (action) {
    case 'setApiKey':
      return { command: Command.setApiKey, title: t('Set API Key') };
    case 'setBaseUrl':
      return { command: Command.setBaseUrl, title: t('Set Service URL') };
    case 'showLog':
      return { command: Command.showLog, title: t('Show Log') };
    default:
      return undefined;
  }
}
