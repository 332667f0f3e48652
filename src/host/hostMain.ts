import * as vscode from 'vscode';
import { registerFeatures } from './features';
import { createServices } from './hostServices';
import { IntentDispatcher } from './panel/intentDispatcher';

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
    conversationMirror,
    documents,
    documentStatus,
    links,
    log,
    onError,
    panel,
    getParticipant,
    getTool,
    getAgentHost,
    getBotTests,
  } = services;
  const features = registerFeatures(services);
  const dispatcher = new IntentDispatcher(features.intents, log);
  context.subscriptions.push(
    services,
    panel.onIntent(({ intent, page }) => dispatcher.dispatch(intent, page)),
    ...features.start(),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return;
      chat.readListChanges().catch(onError);
      conversationMirror.refresh();
      documentStatus.pollNow();
    }),
  );
  return {
    /** Runs a command of the manifest. */
    runCommand: (id: string, args: readonly unknown[]) => {
      const [, view, name = ''] = /^parley\.(view\.)?(\w+)$/.exec(id) ?? [];
      const handle = features.commands.get(name);
      if (!handle) throw new Error(`${id} has no handler.`);
      if (view) {
        panel.activateView();
        return handle();
      }
      // From an editor tab's title bar, with the URI of the tab.
      const [uri] = args;
      if (uri instanceof vscode.Uri && uri.scheme === 'webview-panel') panel.activateTab();
      return handle(...args);
    },
    documents,
    links,
    panel,
    getParticipant,
    getTool,
    getAgentHost,
    getBotTests,
    close: () => services.close(),
  };
}
