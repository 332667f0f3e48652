import * as vscode from 'vscode';
import type { Setup } from '../../shared/view/viewModel';
import { toInertText } from '../base/inertText';
import { Command } from '../base/names';

const { t } = vscode.l10n;

/** Why there is no reply, as a message for users and agents, with a command that helps. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
  readonly remedy: vscode.Command | undefined;

  constructor(message: string, remedy?: vscode.Command) {
    super(toInertText(message));
    this.remedy = remedy;
  }
}

/** Throws an AgentRefusal if the service URL or the API key is not set. */
export function requireKey({ step }: Setup): void {
  if (step === 'baseUrl') {
    const title = t('Set Service URL');
    throw new AgentRefusal(t('No service URL is set.'), { command: Command.setBaseUrl, title });
  }
  if (step === 'apiKey') {
    const title = t('Set API Key');
    throw new AgentRefusal(t('There is no API key for this service.'), { command: Command.setApiKey, title });
  }
}

export function createNoBotRefusal(): AgentRefusal {
  return new AgentRefusal(t('No bot is chosen.'), { command: Command.chooseBot, title: t('Choose Bot') });
}
