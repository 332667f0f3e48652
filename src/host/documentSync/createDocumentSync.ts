import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { DocumentSync } from '../../chat/documentSync/documentSync';
import type { Connect } from '../../chat/remote/service';
import type { Panel } from '../panel/panel';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import type { Bots } from '../service/bots';
import type { FolderPicker } from '../service/folderPicker';
import type { ServiceList } from '../service/serviceList';
import type { SetupGuide } from '../service/setupGuide';
import type { UploadFolders } from '../service/uploadFolders';
import { NewFocus } from './newFocus';
import { SyncActions } from './syncActions';
import { createFindSyncedFile } from './syncedFiles';
import { openJournals, SyncGroups } from './syncGroups';
import { SyncPlanner } from './syncPlanner';
import type { SyncStatus } from './syncStatus';
import { SyncWatcher } from './syncWatcher';

interface Parts extends Pick<ChatServices, 'chat' | 'remote'> {
  readonly globalStorage: vscode.Uri;
  readonly memory: vscode.Memento;
  readonly connect: Connect;
  readonly serviceList: ServiceList;
  readonly bots: Bots;
  readonly setup: SetupGuide;
  readonly panel: Panel;
  readonly uploadFolders: UploadFolders;
  readonly workspaceProposal: WorkspaceProposal;
  readonly getFolderPicker: () => Promise<FolderPicker>;
  readonly keepVersion: (uri: vscode.Uri, sha256: string) => Promise<void>;
  readonly openParleyJson: () => Promise<unknown>;
  readonly status: Pick<SyncStatus, 'setViews'>;
  readonly onError: (error: unknown) => void;
}

/** Lazy entry point for the sync of documents. */
export function createDocumentSync(parts: Parts) {
  const { memory, serviceList, status, connect, workspaceProposal } = parts;
  const storage = openJournals(parts.globalStorage);
  const sync = new DocumentSync(storage, vscode.workspace.name ?? vscode.env.appName, connect);
  const groups = new SyncGroups(memory, serviceList);
  const planner = new SyncPlanner(sync, parts.chat);
  const actions = new SyncActions({ ...parts, sync, planner, groups });
  const setViews: SyncStatus['setViews'] = (views) => status.setViews(views);
  const watcher = new SyncWatcher({ ...parts, sync, planner, groups, setViews });
  const newFocus = new NewFocus({ sync, groups, serviceList, workspaceProposal });
  return {
    actions,
    watcher,
    newFocus,
    findSyncedFile: createFindSyncedFile(sync, groups, workspaceProposal),

    dispose(): void {
      watcher.dispose();
      void sync.dispose().catch(parts.onError);
    },
  };
}
