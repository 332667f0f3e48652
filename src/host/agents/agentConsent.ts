import * as vscode from 'vscode';
import { AgentError } from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import { Confirmations } from '../../shared/agents/confirmations';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { confirm } from '../base/dialogs';
import { getAgentAsk } from '../base/settings';
import type { RunningCall } from './agentConnection';
import type { QuestionPlan } from './questionPlan';

const { t } = vscode.l10n;

/** In code points: the text of a dialog is cut at 1,000 per line. */
const MAX_LINE_LENGTH = 500;

/** Asks the user before a question of an agent that counts is sent, as often as `parley.agents.ask` says. */
export class AgentConsent {
  readonly #confirmations = new Confirmations();
  /** The conversations that agents may continue without another question. */
  readonly #allowed = new Set<string>();

  /**
   * Resolves once the question may be sent. Throws AgentError if the user declines, or if the agent has to ask them because
   * no window of VS Code has the focus.
   */
  async request({ question, bot, conversation }: QuestionPlan, call: RunningCall): Promise<void> {
    const when = getAgentAsk();
    if (when === 'never') return;
    if (when === 'conversation' && conversation && this.#allowed.has(conversation.id)) return;
    const { agent, confirmed, canConfirm, signal } = call;
    const key = { agent, question, bot: bot.id, conversation: conversation?.id };
    if (this.#confirmations.use(confirmed, key)) return;
    const title = t('{0} wants to ask {1}. Send the question?', agent, bot.name);
    const cost = t('It counts as one message toward your plan’s limit.');
    if (canConfirm && !vscode.window.state.focused)
      throw this.#confirmations.ask(key, [title, cost, '', escapeInvisible(question)].join('\n'));
    const send = t('Send Question');
    const lines = [
      ...(conversation ? [t('This continues the conversation “{0}”.', conversation.name)] : []),
      cost,
    ];
    const answer = await confirm(title, [...lines, '', ...toLines(question)], send);
    // The agent may have given up in the meantime.
    if (answer !== send || signal.aborted)
      throw new AgentError({
        code: 'refused',
        message: agentTexts.declined,
      });
  }

  /** Remembers that the user agreed to a conversation. */
  allow(conversationId: string): void {
    this.#allowed.add(conversationId);
  }
}

/** Splits a question into lines that a dialog shows as a whole, with what can't be seen in it. */
function toLines(question: string): string[] {
  return question.split('\n').flatMap((line) => {
    const points = [...escapeInvisible(line)];
    const count = Math.max(1, Math.ceil(points.length / MAX_LINE_LENGTH));
    return Array.from({ length: count }, (_, index) =>
      points.slice(index * MAX_LINE_LENGTH, (index + 1) * MAX_LINE_LENGTH).join(''),
    );
  });
}
