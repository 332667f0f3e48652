import type { DocumentSync } from '../../chat/documentSync/documentSync';
import type { FindSyncedFile } from '../../chat/documents/sourceFiles';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import { getJournalId, type SyncGroups } from './syncGroups';
import { toDocumentUri } from './syncPlanner';

/** Creates the function that finds the file of the workspace that a document was synced from. */
export function createFindSyncedFile(
  sync: DocumentSync,
  groups: SyncGroups,
  workspaceProposal: Pick<WorkspaceProposal, 'readFiles'>,
): FindSyncedFile {
  return async (baseUrl, documentId) => {
    for (const group of groups.list(await workspaceProposal.readFiles())) {
      const home = groups.getHome(group);
      // The documents of a conversation are among its turns.
      if (home?.kind !== 'workspace' || group.baseUrl !== baseUrl) continue;
      const found = await sync.findDocument([await getJournalId(group, home, '')], documentId);
      const { path, sha256 } = found ?? {};
      // What a document says that was found on the service isn't known.
      if (path !== undefined && sha256 !== undefined)
        return { uri: toDocumentUri(group, path).toString(), sha256 };
    }
    return undefined;
  };
}
