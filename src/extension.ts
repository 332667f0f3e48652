import * as vscode from 'vscode';
import { provideAgentApis, provideMcpServer } from './host/agents/agentApis';
import { AGENTS_CONNECTED, CONVERSATION_SCHEME, View } from './host/base/names';
import { provideTestExplorer } from './host/botTests/testExplorer';
import { ConversationFiles } from './host/export/markdown/markdownFileSystem';
import type { Parley } from './host/hostMain';

/** What is read of package.json. */
interface Manifest {
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

let started: Promise<Parley> | undefined;

/**
 * Registers Parley's contributions. Their implementation is in a bundle of its own, loaded on the first call.
 */
export function activate(context: vscode.ExtensionContext): void {
  const parley = () => {
    started ??= import('./host/hostMain').then(({ start }) => start(context));
    return started;
  };
  const { version, contributes }: Manifest = context.extension.packageJSON;
  const commands = contributes.commands.map(({ command }) =>
    vscode.commands.registerCommand(command, async (...args) => (await parley()).runCommand(command, args)),
  );
  const files = new ConversationFiles(async () => (await parley()).documents);
  context.subscriptions.push(
    ...commands,
    provideAgentApis(
      async () => (await parley()).getTool(),
      async () => (await parley()).getParticipant(),
    ),
    provideTestExplorer(async () => (await parley()).getBotTests()),
    provideMcpServer(version, async () => (await parley()).getAgentHost()),
    files.register(CONVERSATION_SCHEME),
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await parley()).links.handleUri(uri),
    }),
    vscode.window.registerWebviewViewProvider(View.chat, {
      resolveWebviewView: async (view) => (await parley()).panel.resolveWebviewView(view),
    }),
    vscode.window.registerWebviewPanelSerializer(View.editor, {
      deserializeWebviewPanel: async (tab, state) =>
        (await parley()).panel.deserializeWebviewPanel(tab, state),
    }),
  );
  // The user has connected an agent of another program, which can't activate an extension.
  if (context.globalState.get(AGENTS_CONNECTED) === true)
    void parley().then(async ({ getAgentHost }) => (await getAgentHost())?.listen());
}

/** Stops all running work; resolves when everything is saved to disk. */
export async function deactivate(): Promise<void> {
  await (await started)?.close();
}
