import type * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import { DocumentVersions } from '../../chat/documents/documentVersions';
import { ChangedSources, type SyncedVersions } from './changedSources';
import { KeptVersions } from './keptVersions';

export type SourceChanges = ReturnType<typeof createSourceChanges>;

/** Creates what follows the files of replies’ sources. `folder`: where the texts of then are kept. */
export function createSourceChanges(
  chat: Chat,
  folder: vscode.Uri,
  synced: SyncedVersions,
  onError: (error: unknown) => void,
) {
  const versions = new DocumentVersions(platform.openStorage(folder));
  const changedSources = new ChangedSources(chat, versions, synced, onError);
  const keptVersions = new KeptVersions(chat, versions, () => changedSources.lookSoon(), onError);
  return {
    keptVersions,
    changedSources,

    dispose(): void {
      keptVersions.dispose();
      changedSources.dispose();
    },
  };
}
