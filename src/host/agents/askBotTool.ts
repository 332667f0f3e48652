import * as v from 'valibot';
import * as vscode from 'vscode';
import { escapeInline } from '../../chat/export/exportMarkdown';
import type { Conversation } from '../../chat/model/conversation';
import type { ReplySource, ReplyTurn } from '../../chat/model/turn';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Bot } from '../../shared/view/viewModel';
import { toInertText } from '../base/inertText';
import { formatCount, joinSentences } from '../base/localizedText';
import { formatFailure } from '../service/failureText';
import { type AgentServices, ask } from './ask';
import { AgentRefusal, createNoBotRefusal, requireKey } from './refusal';

const { t } = vscode.l10n;

// Models omit a value in several ways: undefined, null or an empty string.
const omittable = v.nullish(v.pipe(v.string(), v.trim()), '');
const inputSchema = v.object({
  question: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  bot: omittable,
  conversationId: omittable,
});

interface Plan {
  readonly question: string;
  readonly bot: Bot;
  /** The conversation to continue; without it, a new one is created. */
  readonly conversation?: Conversation;
}

/**
 * A tool that lets agents in VS Code's Chat ask a bot, after the user's confirmation, in a regular
 * conversation.
 */
export class AskBotTool implements vscode.LanguageModelTool<unknown> {
  readonly #services: AgentServices;

  constructor(services: AgentServices) {
    this.#services = services;
  }

  /** Throws a AgentRefusal if the question can't be asked, so that the user doesn't have to confirm it. */
  async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): Promise<vscode.PreparedToolInvocation> {
    const { question, bot, conversation } = await this.#createPlan(input);
    const name = escapeInline(toInertText(bot.name));
    const cost = t(
      'Parley will send this to the bot “{0}”. It counts as one message toward your plan’s limit.',
      name,
    );
    const continuation =
      conversation &&
      t('This continues the conversation “{0}”.', escapeInline(toInertText(conversation.name)));
    return {
      invocationMessage: new vscode.MarkdownString(t('Asking {0}', name)),
      confirmationMessages: {
        title: toInertText(t('Ask {0}?', bot.name)),
        message: new vscode.MarkdownString(joinSentences(cost, continuation)).appendCodeblock(
          // Invisible characters are sent as well, so the user has to see them.
          escapeInvisible(question),
          'plaintext',
        ),
      },
    };
  }

  /**
   * Resolves to the reply, its sources and how to continue the conversation; throws a AgentRefusal if there is no
   * reply.
   */
  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { question, bot, conversation } = await this.#createPlan(input);
    const { id } = conversation ?? this.#services.chat.create(bot);
    const reply = await ask(this.#services, { conversationId: id, text: question, via: 'tool' }, token);
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    if (reply.text === '' && reply.failure) throw new AgentRefusal(formatFailure(reply.failure));
    const parts = [...formatAnswer(reply), `To continue this conversation, pass the conversationId ${id}.`];
    return new vscode.LanguageModelToolResult(parts.map((part) => new vscode.LanguageModelTextPart(part)));
  }

  async #createPlan(input: unknown): Promise<Plan> {
    const parsed = v.safeParse(inputSchema, input);
    if (!parsed.success) throw new AgentRefusal(t('There is no message to send.'));
    const { question, bot, conversationId } = parsed.output;
    const length = countCodePoints(question);
    if (length > MESSAGE_LIMIT) {
      throw new AgentRefusal(
        t(
          'The question is {0} characters long; the limit is {1}. Nothing was sent.',
          formatCount(length),
          formatCount(MESSAGE_LIMIT),
        ),
      );
    }
    const conversation =
      conversationId === '' ? undefined : await this.#services.chat.openWhole(conversationId);
    requireKey(await this.#services.setup.refresh(conversation));
    if (conversationId === '') return { question, bot: await this.#findBot(bot) };
    // Agents can't continue the user's own conversations.
    if (
      !conversation?.bot ||
      !conversation.turns.some((turn) => turn.kind === 'message' && turn.via === 'tool')
    ) {
      throw new AgentRefusal(t('Conversation not found. Nothing was sent.'));
    }
    return { question, bot: conversation.bot, conversation };
  }

  /** Finds the bot by id or name; without one, returns the default bot. */
  async #findBot(named: string): Promise<Bot> {
    const { bots } = this.#services;
    if (named === '') {
      const bot = bots.getDefault();
      if (!bot) throw createNoBotRefusal();
      return bot;
    }
    const listed = await bots.list();
    if (!listed) return bots.named(named);
    const bot =
      listed.find(({ id }) => id === named) ??
      listed.find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (bot) return bots.named(bot.id);
    const names = listed.map(({ name }) => name).join(', ');
    throw new AgentRefusal(t('Bot “{0}” not found. Available bots: {1}', named, names));
  }
}

/**
 * Formats the reply for the agent's model. The text is in English: the model answers in the user's language.
 */
function formatAnswer({ text, ending, failure, sources = [] }: ReplyTurn): string[] {
  return [
    text,
    ...(ending === 'complete'
      ? []
      : [`This reply is not complete. ${failure ? formatFailure(failure) : ''}`]),
    ...(sources.length === 0 ? [] : [`Sources:\n${sources.map(formatSource).join('\n')}`]),
  ];
}

function formatSource({ name, url }: ReplySource): string {
  return url === undefined || url === name ? `- ${name}` : `- ${name}: ${url}`;
}
