import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from './until';
import { writeUntil } from './writeUntil';

/** What VS Code has reported as created in the workspace. */
export class ReportedFiles implements vscode.Disposable {
  readonly #paths = new Set<string>();
  readonly #watcher = vscode.workspace.createFileSystemWatcher('**');
  #started: Promise<void> | undefined;

  constructor() {
    for (const event of [this.#watcher.onDidCreate, this.#watcher.onDidChange])
      event(({ fsPath }) => this.#paths.add(fsPath));
  }

  /** Runs a function that creates a file or a folder, and waits for its event; only then are a folder's files reported, too. */
  async create(fsPath: string, run: (fsPath: string) => Promise<unknown>): Promise<void> {
    this.#started ??= this.#waitUntilStarted();
    await this.#started;
    await run(fsPath);
    await until(() => this.#paths.has(fsPath));
  }

  dispose(): void {
    this.#watcher.dispose();
  }

  /** VS Code reports nothing that is created before its watcher has started. */
  async #waitUntilStarted(): Promise<void> {
    const file = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'watched.tmp');
    await writeUntil(
      () => writeFile(file, `${performance.now()}`),
      () => this.#paths.has(file),
    );
    await rm(file, { force: true });
  }
}
