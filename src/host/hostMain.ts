import * as vscode from 'vscode';
import { logError } from './base/log';
import type { Command, viewTitleCommands } from './base/names';
import { createCommandHandlers } from './commands';
import { registerProblemQuickFix } from './context/problemLightbulb';
import { createServices } from './hostServices';
import { createIntentHandlers } from './intentHandlers';
import { IntentDispatcher } from './panel/intentDispatcher';
import { getPersonalFolder } from './prompts/personalFolder';
import { PromptCodeActions } from './prompts/promptCodeActions';
import { showStatus } from './status/status';

/** The implementation behind the contributions that `extension.ts` registers. */
export type Parley = ReturnType<typeof start>;

/**
 * Creates the services and registers the contributions that aren't needed before Parley is first used in a
 * window.
 */
export function start(context: vscode.ExtensionContext) {
  const services = createServices(context);
  const {
    chat,
    documents,
    documentStatus,
    links,
    log,
    panel,
    getParticipant,
    getPromptActions,
    getTool,
    getAgentHost,
  } = services;
  const intents = new IntentDispatcher(createIntentHandlers(services), log);
  context.subscriptions.push(
    services,
    panel.onIntent(({ intent, page }) => intents.dispatch(intent, page)),
    documents.registerOutline(),
    showStatus(services),
    registerProblemQuickFix(),
    new PromptCodeActions(
      async () => (await getPromptActions()).listForSelection(),
      getPersonalFolder(context.globalStorageUri),
      (error) => logError(log, error),
    ).register(),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return;
      chat.refresh().catch((error: unknown) => logError(log, error));
      documentStatus.refresh();
    }),
  );
  const commands = createCommandHandlers(services);
  return {
    runCommand: (name: keyof typeof Command, args: readonly unknown[]) => {
      // From an editor tab's title bar, with the URI of the tab.
      const [uri] = args;
      if (uri instanceof vscode.Uri && uri.scheme === 'webview-panel') panel.activateTab();
      return commands[name](...args);
    },
    runCommandInView: (name: (typeof viewTitleCommands)[number]) => {
      panel.activateView();
      return commands[name]();
    },
    documents,
    links,
    panel,
    getParticipant,
    getTool,
    getAgentHost,
    close: () => services.close(),
  };
}
