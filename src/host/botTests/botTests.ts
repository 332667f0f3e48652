import * as vscode from 'vscode';
import { pickOne, showInformation, showWarning } from '../base/dialogs';
import { DisposableStore } from '../base/disposables';
import { BotTest } from '../base/names';
import { type BotTestRunServices, BotTestRuns } from './botTestRuns';
import { BotTestTree } from './botTestTree';
import { PreviousResults } from './previousResults';
import { ResultComparisons } from './resultComparison';
import type { RunKind } from './runKind';

const { t } = vscode.l10n;

interface BotTestServices extends BotTestRunServices {
  /** The workspace's storage, if a folder is open. */
  readonly storageUri: vscode.Uri | undefined;
}

/** The bot tests of the workspace: what `provideTestExplorer` loads. */
export class BotTests implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #runs: BotTestRuns;
  #shown: { readonly controller: vscode.TestController; readonly tree: BotTestTree } | undefined;

  constructor({ storageUri, ...services }: BotTestServices) {
    const comparisons = this.#store.add(new ResultComparisons());
    this.#runs = new BotTestRuns(services, new PreviousResults(storageUri), comparisons);
  }

  /** Shows the tests with a controller, which is always the same. */
  attachController(controller: vscode.TestController): this {
    this.#shown ??= { controller, tree: this.#store.add(new BotTestTree(controller)) };
    return this;
  }

  async resolveItem(item: vscode.TestItem | undefined): Promise<void> {
    await this.#shown?.tree.resolveItem(item);
  }

  async refreshFiles(): Promise<void> {
    await this.#shown?.tree.refreshFiles();
  }

  async runTests(
    kind: RunKind,
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (this.#shown) await this.#runs.startRun(kind, this.#shown, request, token);
  }

  /** Asks what to compare, and runs the tests of the active editor, or else all. */
  async chooseComparison(): Promise<void> {
    if (!this.#shown) {
      void showInformation(t('There are no bot tests to run.'));
      return;
    }
    const items = [
      {
        label: t('With the Previous Run'),
        description: t('Before and after a change of the documents'),
        runKind: 'previous',
      },
      { label: t('Two Bots'), description: t('The same questions, side by side'), runKind: 'bots' },
    ] as const;
    const picked = await pickOne<vscode.QuickPickItem & { runKind: RunKind }>(items, {
      title: t('Compare Bot Tests'),
      placeHolder: t('Select what to compare'),
    });
    if (!picked) return;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const item = uri && this.#shown.controller.items.get(uri.toString());
    const source = new vscode.CancellationTokenSource();
    try {
      await this.runTests(picked.runKind, new vscode.TestRunRequest(item ? [item] : undefined), source.token);
    } finally {
      source.dispose();
    }
  }

  /** Opens a new file with an example, which the user saves. */
  async openExample(): Promise<void> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (!folder) {
      void showWarning(t('Open a folder first.'));
      return;
    }
    const uri = vscode.Uri.joinPath(folder.uri, `example${BotTest.extension}`);
    const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
    const editor = await vscode.window.showTextDocument(document);
    if (document.getText() === '')
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), EXAMPLE));
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const EXAMPLE = `# Refunds

## How long can I return what I bought?

- all: 30 days
- none: I don’t know
- sources: refunds.md
`;
