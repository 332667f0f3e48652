import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { DocumentSync } from '../../chat/documentSync/documentSync';
import { findRepository } from '../../chat/files/gitRepository';
import type { DocumentSyncView } from '../../shared/view/viewModel';
import { DisposableStore } from '../base/disposables';
import { createGitFiles } from '../files/gitIgnore';
import type { FolderParleyJson } from '../parleyJson/readParleyJson';
import type { ServiceList } from '../service/serviceList';
import { readBranch } from './readBranch';
import { ScanCanceledError } from './scanDocuments';
import { findSetsOf, type SyncGroups } from './syncGroups';
import type { PlacedGroup, SyncPlanner, TargetPlan } from './syncPlanner';

/** Key of the workspace's state: what the user doesn't want to be told again, by branch. */
const POSTPONED_KEY = 'parley.documentSync.postponed';
/** Branches of which it is remembered. */
const MAX_POSTPONED = 50;
/** Time without a further change after which the files are looked at: a `git pull` writes many. */
const QUIET_MS = 1000;

interface Parts {
  readonly chat: Chat;
  readonly sync: DocumentSync;
  readonly planner: SyncPlanner;
  readonly groups: SyncGroups;
  readonly serviceList: Pick<ServiceList, 'first'>;
  /** The state of the workspace. */
  readonly memory: vscode.Memento;
  readonly setViews: (views: ReadonlyMap<string, DocumentSyncView>) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Finds out how many of the workspace's documents have changed since they were synced, while pages are shown: when they are opened,
 * when files change, after a `git pull`, and on another branch. Sends nothing.
 */
export class SyncWatcher implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #watchers = new DisposableStore();
  readonly #journals: { dispose(): void };
  #files: readonly FolderParleyJson[] = [];
  #shown: ReadonlySet<string> = new Set();
  #watched = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scan = new AbortController();
  /** What each shown conversation's line was made from, to postpone it. */
  readonly #signs = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#journals = parts.sync.watch(() => this.#schedule());
  }

  /** Follows the documents of these files for the conversations that are shown. */
  watch(files: readonly FolderParleyJson[], shown: ReadonlySet<string>): void {
    this.#files = files;
    this.#shown = shown;
    const documents = shown.size === 0 ? [] : files.filter((file) => file.documents.length > 0);
    const key = JSON.stringify(documents.map(({ folder, documents: sets }) => [folder.uri.toString(), sets]));
    if (key !== this.#watched) {
      this.#watched = key;
      this.#watchers.dispose();
      for (const file of documents) this.#watchFolder(file);
    }
    this.#schedule(0);
  }

  /** Doesn't tell again of the changes that a conversation's page shows, on this branch. */
  async postpone(conversationId: string): Promise<void> {
    const { memory } = this.#parts;
    const [branch, sign] = (this.#signs.get(conversationId) ?? '').split('\n');
    if (branch === undefined || sign === undefined) return;
    const { [branch]: _, ...others } = memory.get<Record<string, string>>(POSTPONED_KEY) ?? {};
    const kept = Object.entries(others).slice(1 - MAX_POSTPONED);
    await memory.update(POSTPONED_KEY, { ...Object.fromEntries(kept), [branch]: sign });
    this.#schedule(0);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#scan.abort();
    this.#watched = '';
    this.#watchers.dispose();
    this.#journals.dispose();
  }

  #watchFolder({ folder, documents }: FolderParleyJson): void {
    const globs = documents.flatMap(({ files }) => files).filter((glob) => !glob.startsWith('!'));
    // A branch may change without a document.
    for (const glob of new Set([...globs, '.git/HEAD'])) this.#watchFiles(folder, glob);
    void this.#watchHead(folder.uri, this.#watched).catch(this.#parts.onError);
  }

  /** A linked worktree's `HEAD`, and that of a repository around the folder, are elsewhere. */
  async #watchHead(folder: vscode.Uri, watched: string): Promise<void> {
    const { own } = (await findRepository(createGitFiles(folder), folder.path)) ?? {};
    const isElsewhere = own !== undefined && own !== vscode.Uri.joinPath(folder, '.git').path;
    if (!isElsewhere || watched !== this.#watched) return;
    this.#watchFiles(folder.with({ path: own }), 'HEAD');
    // It may have changed before.
    this.#schedule();
  }

  #watchFiles(base: vscode.WorkspaceFolder | vscode.Uri, glob: string): void {
    const pattern = new vscode.RelativePattern(base, glob);
    const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
    watcher.onDidChange(() => this.#schedule());
    watcher.onDidCreate(() => this.#schedule());
    watcher.onDidDelete(() => this.#schedule());
  }

  #schedule(ms = QUIET_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#refresh().catch((error: unknown) => {
        if (!(error instanceof ScanCanceledError)) this.#parts.onError(error);
      });
    }, ms);
  }

  async #refresh(): Promise<void> {
    this.#scan.abort();
    const scan = new AbortController();
    this.#scan = scan;
    const views = new Map<string, DocumentSyncView>();
    for (const conversationId of this.#shown) {
      const view = await this.#createView(conversationId, scan.signal);
      if (view) views.set(conversationId, view);
    }
    if (scan.signal.aborted) return;
    this.#parts.setViews(views);
  }

  async #createView(conversationId: string, signal: AbortSignal): Promise<DocumentSyncView | undefined> {
    const { chat, groups, planner, serviceList, memory } = this.#parts;
    const conversation = chat.findConversation(conversationId);
    const placed = groups.list(this.#files).flatMap((group): PlacedGroup[] => {
      const isOfBot = findSetsOf(group, conversation, serviceList.first?.baseUrl).length > 0;
      return isOfBot ? [{ group, home: groups.getHome(group) ?? { kind: 'workspace' } }] : [];
    });
    if (placed.length === 0) return undefined;
    const plans = await planner.plan(placed, conversationId, signal);
    // What was found on the service waits for nothing: only the user can say whether it is what the file says.
    const changed = plans.flatMap(({ plan }) => plan.files.filter(({ change }) => change !== 'found'));
    const total = plans.reduce((sum, { files }) => sum + files.length, 0);
    const [first] = placed;
    const branch = first && (await readBranch(first.group.folder));
    const sign = createSign(plans);
    this.#signs.set(conversationId, `${branch ?? ''}\n${sign}`);
    const postponed = memory.get<Record<string, string>>(POSTPONED_KEY) ?? {};
    if (changed.length === 0 || postponed[branch ?? ''] === sign) return undefined;
    const gone = changed.filter(({ change }) => change === 'gone').length;
    return {
      changed: changed.length,
      // Those that are gone were documents, too.
      total: total + gone,
      ...(branch !== undefined && { branch }),
      ...(plans.every(({ isNew }) => isNew) && { isNew: true }),
    };
  }
}

/** Returns a text that differs when other files have changed, or have changed again. */
function createSign(plans: readonly TargetPlan[]): string {
  let hash = 0;
  for (const { plan } of plans) {
    for (const { path, size, mtime, change } of plan.files) {
      for (const unit of `${change} ${path} ${size} ${change === 'gone' ? '' : mtime}`)
        hash = (Math.imul(hash, 31) + (unit.codePointAt(0) ?? 0)) | 0;
    }
  }
  return hash.toString(36);
}
