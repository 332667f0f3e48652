import * as vscode from 'vscode';
import { BotTest, Context } from '../base/names';
import type { BotTests } from './botTests';
import type { RunKind } from './runKind';

/**
 * Shows a workspace's bot tests in VS Code's Test Explorer, once there is a file with some: VS Code shows the Testing view
 * wherever there is a controller. The rest is loaded when VS Code asks for the tests, or when one of the files is open. Nothing
 * of a workspace that isn't trusted is read.
 */
export function provideTestExplorer(load: () => Promise<BotTests>): vscode.Disposable {
  const { l10n, workspace } = vscode;
  const store: vscode.Disposable[] = [];
  // Editors based on VS Code may lack the API.
  if (vscode.tests?.createTestController === undefined) return vscode.Disposable.from();
  let controller: vscode.TestController | undefined;

  const show = () => {
    controller ??= createController();
    return controller;
  };
  const getTests = async () => (await load()).attachController(show());
  const createController = () => {
    const created = vscode.tests.createTestController(BotTest.controller, l10n.t('Bot Tests'));
    store.push(created);
    const addProfile = (label: string, kind: RunKind) =>
      created.createRunProfile(
        label,
        vscode.TestRunProfileKind.Run,
        async (request, token) => (await getTests()).runTests(kind, request, token),
        kind === 'run',
      );
    addProfile(l10n.t('Run Bot Tests'), 'run');
    addProfile(l10n.t('Compare with Previous Run'), 'previous');
    addProfile(l10n.t('Compare Two Bots…'), 'bots');
    created.resolveHandler = async (item) => (await getTests()).resolveItem(item);
    created.refreshHandler = async () => (await getTests()).refreshFiles();
    void vscode.commands.executeCommand('setContext', Context.hasBotTests, true);
    return created;
  };
  const look = async () => {
    // A file system that can't be searched shows its tests once one of them is open.
    const found = await workspace.findFiles(BotTest.glob, BotTest.excluded, 1).then(
      (files) => files.length > 0,
      () => false,
    );
    if (found) show();
  };
  const onOpen = ({ uri }: vscode.TextDocument) => {
    if (uri.path.endsWith(BotTest.extension) && workspace.getWorkspaceFolder(uri)) void getTests();
  };
  const watch = () => {
    const watcher = workspace.createFileSystemWatcher(BotTest.glob, false, true, true);
    // The watcher also reports files in excluded folders, like `node_modules`.
    watcher.onDidCreate(() => void (controller ?? look()));
    store.push(
      watcher,
      workspace.onDidOpenTextDocument(onOpen),
      workspace.onDidChangeWorkspaceFolders(() => void look()),
    );
    for (const document of workspace.textDocuments) onOpen(document);
    void look();
  };
  if (workspace.isTrusted) watch();
  else store.push(workspace.onDidGrantWorkspaceTrust(watch));
  return { dispose: () => vscode.Disposable.from(...store).dispose() };
}
