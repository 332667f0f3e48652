import * as vscode from 'vscode';
import { registerAgents } from './host/agents/registerAgents';
import { registerCommands } from './host/commands';
import { offerAtProblems } from './host/context/problemLightbulb';
import { intentHandlers } from './host/intents';
import { Links } from './host/links';
import { logError } from './host/log';
import { View } from './host/names';
import { createServices, type Services } from './host/services';
import { showStatus } from './host/status/status';

let services: Services | undefined;

export function activate(context: vscode.ExtensionContext): void {
  services = createServices(context);
  const { chat, documents, log, panel } = services;
  panel.handle(intentHandlers(services));
  documents.register();
  context.subscriptions.push(
    services,
    registerCommands(services),
    registerAgents(services),
    showStatus(services),
    offerAtProblems(),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) chat.refresh().catch((error: unknown) => logError(log, error));
    }),
    vscode.window.registerUriHandler(new Links(services)),
    vscode.window.registerWebviewViewProvider(View.chat, panel),
    vscode.window.registerWebviewPanelSerializer(View.editor, panel),
  );
}

/** What goes on ends, and everything said is on the disk. */
export async function deactivate(): Promise<void> {
  await services?.close();
}
