import * as vscode from 'vscode';
import { platform } from '#platform';
import { type Conversation, findBaseUrl } from '../../chat/model/conversation';
import type { Storage } from '../../chat/store/files/storage';
import type { DocumentSet } from '../parleyJson/parleyJson';
import type { FolderParleyJson } from '../parleyJson/readParleyJson';
import { hashBytes } from '../platform/openBytes';
import type { ServiceList } from '../service/serviceList';

/** Key of the workspace's state: where each group's documents went. */
const HOMES_KEY = 'parley.documentSync.homes';

/** Opens the journals of what was synced. */
export function openJournals(globalStorage: vscode.Uri): Storage {
  return platform.openStorage(vscode.Uri.joinPath(globalStorage, 'documentSync'));
}

/** The sets of documents of a workspace folder that go to the same folder of the same service. */
export interface SyncGroup {
  readonly folder: vscode.WorkspaceFolder;
  readonly baseUrl: string;
  readonly sets: readonly DocumentSet[];
  /** Name or ID of the folder on the service, as `.vscode/parley.json` has it. */
  readonly folderName?: string;
}

/**
 * `workspace`: its documents are on the service once, in a folder if it has an ID. `conversation`: each conversation has its own,
 * because the service has neither folders nor a focus.
 */
export interface SyncHome {
  readonly kind: 'workspace' | 'conversation';
  readonly folderId?: string;
}

/** What `.vscode/parley.json` says about documents, and where they went. */
export class SyncGroups {
  readonly #memory: vscode.Memento;
  readonly #serviceList: Pick<ServiceList, 'find'>;

  constructor(memory: vscode.Memento, serviceList: Pick<ServiceList, 'find'>) {
    this.#memory = memory;
    this.#serviceList = serviceList;
  }

  /** Returns the groups whose service is set up. */
  list(files: readonly FolderParleyJson[]): SyncGroup[] {
    if (!vscode.workspace.isTrusted) return [];
    return files.flatMap(({ folder, service, documents }) => {
      const { baseUrl } = this.#serviceList.find(service?.baseUrl) ?? {};
      if (baseUrl === undefined) return [];
      const folderNames = [...new Set(documents.map((set) => set.folder))];
      return folderNames.map((folderName) => ({
        ...{ folder, baseUrl, sets: documents.filter((set) => set.folder === folderName) },
        ...(folderName !== undefined && { folderName }),
      }));
    });
  }

  getHome(group: SyncGroup): SyncHome | undefined {
    const homes = this.#memory.get<Record<string, SyncHome>>(HOMES_KEY) ?? {};
    return homes[getGroupKey(group)];
  }

  async rememberHome(groups: readonly SyncGroup[], home: SyncHome): Promise<void> {
    const homes = this.#memory.get<Record<string, SyncHome>>(HOMES_KEY) ?? {};
    const added = Object.fromEntries(groups.map((group) => [getGroupKey(group), home]));
    await this.#memory.update(HOMES_KEY, { ...homes, ...added });
  }
}

/** Returns the sets of a group that are for a conversation's bot. */
export function findSetsOf(
  group: SyncGroup,
  conversation: Pick<Conversation, 'bot' | 'remote'> | undefined,
  firstBaseUrl: string | undefined,
): readonly DocumentSet[] {
  if ((findBaseUrl(conversation) ?? firstBaseUrl) !== group.baseUrl) return [];
  const botId = conversation?.bot?.id;
  return group.sets.filter((set) => set.botId === undefined || set.botId === botId);
}

/** Returns the ID of the journal of what is in a home: of the workspace folder, or of one conversation. */
export async function getJournalId(
  { folder, baseUrl }: SyncGroup,
  { kind, folderId }: SyncHome,
  conversationId: string,
): Promise<string> {
  const place = kind === 'conversation' ? ['conversation', conversationId] : ['workspace', folderId ?? ''];
  const text = JSON.stringify([folder.uri.toString(), baseUrl, ...place]);
  return (await hashBytes(new TextEncoder().encode(text))).slice(0, 32);
}

function getGroupKey({ folder, baseUrl, folderName = '' }: SyncGroup): string {
  return JSON.stringify([folder.uri.toString(), baseUrl, folderName]);
}
