import type * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { DocumentSyncView } from '../../shared/view/viewModel';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import type { SyncWatcher } from './syncWatcher';

/**
 * What the pages say about the workspace's documents, by conversation. Loads what finds it out once `.vscode/parley.json` names
 * documents and a page is shown.
 */
export class SyncStatus implements vscode.Disposable {
  readonly #proposal: Pick<WorkspaceProposal, 'readFiles' | 'onDidChange'>;
  readonly #getWatcher: () => Promise<SyncWatcher>;
  readonly #onError: (error: unknown) => void;
  readonly #changes = new Emitter<void>();
  /** Fires when what a page shows may have changed. */
  readonly onDidChange = this.#changes.on;
  readonly #listening: { dispose(): void };
  #views: ReadonlyMap<string, DocumentSyncView> = new Map();
  #shown: ReadonlySet<string> = new Set();
  #isWatching = false;

  constructor(
    proposal: Pick<WorkspaceProposal, 'readFiles' | 'onDidChange'>,
    getWatcher: () => Promise<SyncWatcher>,
    onError: (error: unknown) => void,
  ) {
    this.#proposal = proposal;
    this.#getWatcher = getWatcher;
    this.#onError = onError;
    this.#listening = proposal.onDidChange(() => this.#update());
  }

  getView(conversationId: string): DocumentSyncView | undefined {
    return this.#views.get(conversationId);
  }

  /** Sets the conversations that are visible. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    this.#update();
  }

  setViews(views: ReadonlyMap<string, DocumentSyncView>): void {
    this.#views = views;
    this.#changes.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  #update(): void {
    void this.#updateWatcher().catch(this.#onError);
  }

  async #updateWatcher(): Promise<void> {
    const files = await this.#proposal.readFiles();
    const isNeeded = this.#shown.size > 0 && files.some(({ documents }) => documents.length > 0);
    if (!isNeeded && !this.#isWatching) return;
    this.#isWatching = true;
    (await this.#getWatcher()).watch(files, this.#shown);
  }
}
