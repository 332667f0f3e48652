import type * as vscode from 'vscode';
import { parseJournalName, SyncJournal } from '../chat/documentSync/syncJournal';
import type { Storage } from '../chat/store/files/storage';
import { getJournalId, openJournals, SyncGroups } from './documentSync/syncGroups';
import type { SyncedVersions } from './documents/changedSources';
import type { WorkspaceProposal } from './parleyJson/workspaceProposal';
import { getPathInFolder } from './platform/folderPaths';
import type { ServiceList } from './service/serviceList';

export interface JournalParts {
  /** The state of the workspace. */
  readonly memory: vscode.Memento;
  readonly serviceList: ServiceList;
  readonly workspaceProposal: Pick<WorkspaceProposal, 'readFiles'>;
}

/** Reads which versions of the workspace's files were synced, from the journals of the sync. */
export class JournaledVersions implements SyncedVersions {
  readonly #storage: Storage;
  readonly #groups: SyncGroups;
  readonly #workspaceProposal: Pick<WorkspaceProposal, 'readFiles'>;

  constructor(globalStorage: vscode.Uri, { memory, serviceList, workspaceProposal }: JournalParts) {
    this.#storage = openJournals(globalStorage);
    this.#groups = new SyncGroups(memory, serviceList);
    this.#workspaceProposal = workspaceProposal;
  }

  async findDigest(baseUrl: string, uri: vscode.Uri): Promise<string | undefined> {
    for (const group of this.#groups.list(await this.#workspaceProposal.readFiles())) {
      const home = this.#groups.getHome(group);
      // The documents of a conversation are among its turns.
      if (home?.kind !== 'workspace' || group.baseUrl !== baseUrl) continue;
      const path = getPathInFolder(group.folder.uri, uri);
      if (path === undefined) continue;
      const state = await SyncJournal.read(this.#storage, await getJournalId(group, home, ''));
      const found = state.findCurrent(path);
      if (found) return found.sha256;
    }
    return undefined;
  }

  watch(onChange: () => void): { dispose(): void } {
    // Without a watcher, a sync is seen when the page is opened again.
    const watcher = this.#storage.watch(
      (name) => {
        if (parseJournalName(name) !== undefined) onChange();
      },
      () => undefined,
    );
    // For what was synced before it was watched.
    void watcher.started.then(onChange);
    return watcher;
  }
}
