import * as vscode from 'vscode';
import { until } from './until';

/** What VS Code has reported as created in the workspace. */
export class ReportedFiles implements vscode.Disposable {
  readonly #paths = new Set<string>();
  readonly #watcher = vscode.workspace.createFileSystemWatcher('**');

  constructor() {
    this.#watcher.onDidCreate(({ fsPath }) => this.#paths.add(fsPath));
  }

  /** Runs a function that creates a file or a folder, and waits for its event; only then are a folder's files reported, too. */
  async create(fsPath: string, run: (fsPath: string) => Promise<unknown>): Promise<void> {
    await run(fsPath);
    await until(() => this.#paths.has(fsPath));
  }

  dispose(): void {
    this.#watcher.dispose();
  }
}
