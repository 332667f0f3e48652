import * as vscode from 'vscode';
import { AgentError } from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import { Confirmations } from '../../shared/agents/confirmations';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { confirm, splitForDialog } from '../base/dialogs';
import { getAgentAsk } from '../base/settings';
import type { RunningCall } from './agentConnection';
import type { QuestionPlan } from './questionPlan';

const { t } = vscode.l10n;

/** Asks the user before sending an agent's question that counts toward the limit. `parley.agents.ask` sets how often. */
export class AgentConsent {
  readonly #confirmations = new Confirmations();
  /** The agents and the conversations that each may continue without another question (`toKey`). */
  readonly #allowed = new Set<string>();

  /**
   * Resolves once the question may be sent. Throws AgentError if the user declines, or if the agent is to ask them itself:
   * it can, and this window doesn't have the focus.
   */
  async request({ question, bot, botName, conversation }: QuestionPlan, call: RunningCall): Promise<void> {
    const { agent, confirmed, agentCanAsk, signal } = call;
    const when = getAgentAsk();
    if (when === 'never') return;
    if (when === 'conversation' && conversation && this.#allowed.has(toKey(agent, conversation.id))) return;
    const key = { agent, question, bot: bot.id, service: bot.baseUrl, conversation: conversation?.id };
    if (this.#confirmations.use(confirmed, key)) return;
    const title = t('{0} wants to ask {1}. Send the question?', agent, botName);
    const cost = t('It counts as one message toward your plan’s limit.');
    if (agentCanAsk && !vscode.window.state.focused)
      throw this.#confirmations.ask(key, [title, cost, '', escapeInvisible(question)].join('\n'));
    const send = t('Send Question');
    const lines = [
      ...(conversation ? [t('This continues the conversation “{0}”.', conversation.name)] : []),
      cost,
    ];
    const answer = await confirm(title, [...lines, '', ...splitForDialog(question)], send);
    // The agent may have given up in the meantime.
    if (answer !== send || signal.aborted)
      throw new AgentError({
        code: 'refused',
        message: agentTexts.declined,
      });
  }

  /** Remembers that the user agreed to a conversation of this agent. */
  allow(agent: string, conversationId: string): void {
    this.#allowed.add(toKey(agent, conversationId));
  }
}

function toKey(agent: string, conversationId: string): string {
  return JSON.stringify([agent, conversationId]);
}
