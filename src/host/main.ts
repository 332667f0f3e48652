import * as vscode from 'vscode';
import { AskBotTool } from './agents/askBotTool';
import { Participant } from './agents/participant';
import { logError } from './base/log';
import { commandHandlers } from './commands';
import { offerAtProblems } from './context/problemLightbulb';
import { Links } from './conversations/links';
import { intentHandlers } from './intents';
import { createServices } from './services';
import { showStatus } from './status/status';

/** What answers where VS Code calls Parley. */
export type Parley = ReturnType<typeof start>;

/** Builds everything, and registers what begins with the first use in a window. */
export function start(context: vscode.ExtensionContext) {
  const services = createServices(context);
  const { chat, documents, log, panel } = services;
  panel.handle(intentHandlers(services));
  context.subscriptions.push(
    services,
    documents.outline(),
    showStatus(services),
    offerAtProblems(),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) chat.refresh().catch((error: unknown) => logError(log, error));
    }),
  );
  return {
    commands: commandHandlers(services),
    documents,
    links: new Links(services),
    panel,
    participant: new Participant(services),
    tool: new AskBotTool(services),
    close: () => services.close(),
  };
}
