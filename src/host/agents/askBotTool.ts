import * as v from 'valibot';
import * as vscode from 'vscode';
import { escapeInline } from '../../chat/export/exportMarkdown';
import type { Conversation, ReplySource, ReplyTurn } from '../../chat/model/conversation';
import { escapeInvisible } from '../../shared/escapeInvisible';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import type { Bot } from '../../shared/viewModel';
import { toInertText } from '../base/inertText';
import { paragraph } from '../base/paragraph';
import { formatCount } from '../base/plural';
import { formatFailure } from '../service/failureText';
import { type AgentServices, ask } from './ask';
import { noBot, Refusal, requireKey } from './refusal';

const { t } = vscode.l10n;

// Models write an omitted value in more ways than one.
const omittable = v.nullish(v.pipe(v.string(), v.trim()), '');
const inputSchema = v.object({
  question: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  bot: omittable,
  conversationId: omittable,
});

interface Plan {
  readonly question: string;
  readonly bot: Bot;
  /** The one that goes on; without it a new one begins. */
  readonly conversation?: Conversation;
}

/** Lets agents in VS Code's Chat put a question to a bot, after a person's yes: a conversation like any other. */
export class AskBotTool implements vscode.LanguageModelTool<unknown> {
  readonly #services: AgentServices;

  constructor(services: AgentServices) {
    this.#services = services;
  }

  /** Throws a Refusal where the question can't be asked, so that nobody has to confirm it. */
  async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): Promise<vscode.PreparedToolInvocation> {
    const { question, bot, conversation } = await this.#plan(input);
    const name = escapeInline(toInertText(bot.name));
    const cost = t('Parley sends this to the bot “{0}”. It costs one message of your plan’s quota.', name);
    const goesOn =
      conversation &&
      t('It goes on with the conversation “{0}”.', escapeInline(toInertText(conversation.name)));
    return {
      invocationMessage: new vscode.MarkdownString(t('Asking {0}', name)),
      confirmationMessages: {
        title: toInertText(t('Ask {0}?', bot.name)),
        message: new vscode.MarkdownString(paragraph(cost, goesOn)).appendCodeblock(
          // What can't be seen is sent as well.
          escapeInvisible(question),
          'plaintext',
        ),
      },
    };
  }

  /** Resolves to the reply, its sources and how to ask on; throws a Refusal where there is no reply. */
  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { question, bot, conversation } = await this.#plan(input);
    const { id } = conversation ?? this.#services.chat.create(bot);
    const reply = await ask(this.#services, { conversationId: id, text: question, via: 'tool' }, token);
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    if (reply.text === '' && reply.failure) throw new Refusal(formatFailure(reply.failure));
    const parts = [
      ...answer(reply),
      `To ask on where the bot remembers this, pass the conversationId ${id}.`,
    ];
    return new vscode.LanguageModelToolResult(parts.map((part) => new vscode.LanguageModelTextPart(part)));
  }

  async #plan(input: unknown): Promise<Plan> {
    const asked = v.safeParse(inputSchema, input);
    if (!asked.success) throw new Refusal(t('There is no message to send.'));
    const { question, bot, conversationId } = asked.output;
    const length = countCodePoints(question);
    if (length > MESSAGE_LIMIT) {
      throw new Refusal(
        t(
          'The question has {0} characters, and a message holds {1}. Nothing was sent.',
          formatCount(length),
          formatCount(MESSAGE_LIMIT),
        ),
      );
    }
    requireKey(await this.#services.setup.refresh());
    if (conversationId === '') return { question, bot: await this.#bot(bot) };
    const conversation = await this.#services.chat.openWhole(conversationId);
    // What a person said with a bot is nothing for an agent to go on with.
    if (
      !conversation?.bot ||
      !conversation.turns.some((turn) => turn.kind === 'message' && turn.via === 'tool')
    ) {
      throw new Refusal(t('There is no such conversation. Nothing was sent.'));
    }
    return { question, bot: conversation.bot, conversation };
  }

  /** By id or name; the default one where none is named. */
  async #bot(named: string): Promise<Bot> {
    const { bots } = this.#services;
    if (named === '') {
      const bot = bots.default();
      if (!bot) throw noBot();
      return bot;
    }
    const listed = await bots.list();
    if (!listed) return bots.named(named);
    const bot =
      listed.find(({ id }) => id === named) ??
      listed.find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (bot) return bot;
    const names = listed.map(({ name }) => name).join(', ');
    throw new Refusal(t('There is no bot “{0}”. There are: {1}', named, names));
  }
}

/** In English where it is for the agent's model, which speaks to the person in the person's language. */
function answer({ text, ending, failure, sources = [] }: ReplyTurn): string[] {
  return [
    text,
    ...(ending === 'complete'
      ? []
      : [`This reply is not complete. ${failure ? formatFailure(failure) : ''}`]),
    ...(sources.length === 0 ? [] : [`Sources:\n${sources.map(sourceLine).join('\n')}`]),
  ];
}

function sourceLine({ name, url }: ReplySource): string {
  return url === undefined || url === name ? `- ${name}` : `- ${name}: ${url}`;
}
