import * as v from 'valibot';
import * as vscode from 'vscode';
import { escapeInline } from '../../chat/export/exportMarkdown';
import type { ReplySource, ReplyTurn } from '../../chat/model/turn';
import { agentTexts } from '../../shared/agents/agentTexts';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { toInertText } from '../base/inertText';
import { joinSentences } from '../base/localizedText';
import { getDailyAgentMessages } from '../base/settings';
import { formatFailure } from '../service/failureText';
import type { AgentBudget, CountedQuestion } from './agentBudget';
import { type AgentServices, ask } from './ask';
import { createQuestionPlan, type QuestionPlan } from './questionPlan';
import { AgentRefusal } from './refusal';

const { t } = vscode.l10n;

// Models omit a value in several ways: undefined, null or an empty string.
const omittable = v.nullish(v.pipe(v.string(), v.trim()), '');
const inputSchema = v.object({
  question: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  bot: omittable,
  conversationId: omittable,
});

type ToolServices = AgentServices & { readonly openBudget: () => Promise<AgentBudget> };

/**
 * A tool that lets agents in VS Code's Chat ask a bot, after the user's confirmation, in a regular
 * conversation. Its questions count toward `parley.agents.dailyMessages`.
 */
export class AskBotTool implements vscode.LanguageModelTool<unknown> {
  readonly #services: ToolServices;

  constructor(services: ToolServices) {
    this.#services = services;
  }

  /** Throws an AgentRefusal if the question can't be asked, so that the user doesn't have to confirm it. */
  async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): Promise<vscode.PreparedToolInvocation> {
    const { question, botName, conversation } = await this.#createPlan(input);
    const limit = getDailyAgentMessages();
    if (await (await this.#services.openBudget()).isUsedUp(limit))
      throw new AgentRefusal(agentTexts.dailyLimit(limit));
    const name = escapeInline(toInertText(botName));
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
        title: toInertText(t('Ask {0}?', botName)),
        message: new vscode.MarkdownString(joinSentences(cost, continuation)).appendCodeblock(
          // Invisible characters are sent as well, so the user has to see them.
          escapeInvisible(question),
          'plaintext',
        ),
      },
    };
  }

  /**
   * Resolves to the reply, its sources and how to continue the conversation; throws an AgentRefusal if there is no
   * reply.
   */
  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { question, bot, conversation } = await this.#createPlan(input);
    const counted = await this.#count();
    const { id } = conversation ?? this.#services.chat.createConversation(bot);
    let mayHaveCounted = true;
    let reply: ReplyTurn;
    try {
      reply = await ask(this.#services, { conversationId: id, text: question, via: 'tool' }, token);
      mayHaveCounted = !reply.failure?.maySend;
    } catch (error) {
      if (error instanceof AgentRefusal) mayHaveCounted = false;
      throw error;
    } finally {
      if (!mayHaveCounted) await counted.release();
    }
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    if (reply.text === '' && reply.failure) throw new AgentRefusal(formatFailure(reply.failure));
    const parts = [...formatAnswer(reply), `To continue this conversation, pass the conversationId ${id}.`];
    return new vscode.LanguageModelToolResult(parts.map((part) => new vscode.LanguageModelTextPart(part)));
  }

  async #count(): Promise<CountedQuestion> {
    const limit = getDailyAgentMessages();
    const counted = await (await this.#services.openBudget()).count(limit);
    if (!counted) throw new AgentRefusal(agentTexts.dailyLimit(limit));
    return counted;
  }

  #createPlan(input: unknown): Promise<QuestionPlan> {
    const parsed = v.safeParse(inputSchema, input);
    if (!parsed.success) throw new AgentRefusal(t('There is no message to send.'));
    return createQuestionPlan(this.#services, parsed.output);
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
