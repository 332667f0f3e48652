import * as vscode from 'vscode';
import { toFailure } from '../../chat/model/failure';
import type { Connect, Service } from '../../chat/remote/service';
import type { Folder } from '../../client/models';
import { createQuickPick, setItems, showError, showInputBox, showWarning } from '../base/dialogs';
import { joinSentences } from '../base/localizedText';
import { type SettingScope, setUploadFolderId } from '../base/settings';
import { formatFailure } from './failureText';
import type { UploadFolders } from './uploadFolders';

const { t } = vscode.l10n;

interface FolderItem extends vscode.QuickPickItem {
  /** Absent for New Folder…. */
  readonly folder?: Folder;
}

/** Asks for the folder on the service that files are uploaded to, and remembers it for the service. */
export class FolderPicker {
  readonly #folders: UploadFolders;
  readonly #connect: Connect;

  constructor(folders: UploadFolders, connect: Connect) {
    this.#folders = folders;
    this.#connect = connect;
  }

  /** Asks after a service refused an upload because of its folder. The picker closes when the signal aborts. */
  async chooseFolder(
    service: Service,
    refusedId: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { baseUrl } = service;
    await this.#folders.recordRefusal(baseUrl, refusedId);
    const reason =
      refusedId === undefined
        ? t('The service needs a folder for uploads')
        : t('The service rejected the folder “{0}”', this.#folders.getName(baseUrl, refusedId));
    const folder = await this.#pickFolder(service, reason, signal);
    if (folder) await this.#folders.remember(baseUrl, folder);
    return folder?.id;
  }

  /** Asks for the folder of the uploads to come to a service. A folder from the settings is changed where it is set. */
  async changeFolder(baseUrl: string | undefined): Promise<void> {
    const service = this.#connect(baseUrl);
    const { scope } = this.#folders.getInUse(service.baseUrl) ?? {};
    const folder = await this.#pickFolder(service, scope ? formatScope(scope) : t('Select a folder'));
    if (!folder) return;
    await this.#folders.remember(service.baseUrl, folder);
    if (scope) await setUploadFolderId(folder.id, scope);
  }

  /** `reason`: why the user is asked. */
  async #pickFolder(service: Service, reason: string, signal?: AbortSignal): Promise<Folder | undefined> {
    while (!signal?.aborted) {
      const picked = await this.#showPicker(service, reason, signal);
      if (picked === 'unlisted') return askFolderId(reason);
      if (!picked) return undefined;
      // After a failure, or without a name, the list is shown again.
      const folder = picked.folder ?? (await createFolder(service));
      if (folder) return folder;
    }
    return undefined;
  }

  /** Resolves to `unlisted` if the folders can't be listed. */
  #showPicker(
    service: Service,
    reason: string,
    signal: AbortSignal | undefined,
  ): Promise<FolderItem | 'unlisted' | undefined> {
    const pick = createQuickPick<FolderItem>(t('Choose Upload Folder'), reason);
    pick.matchOnDescription = true;
    pick.ignoreFocusOut = true;
    pick.busy = true;
    return new Promise((resolve, reject) => {
      let hidden = false;
      const hide = () => pick.hide();
      const end = (result: FolderItem | 'unlisted') => {
        resolve(result);
        hide();
      };
      pick.onDidAccept(() => {
        // Enter may be pressed before the folders are listed.
        const [item] = pick.selectedItems;
        if (item) end(item);
      });
      pick.onDidHide(() => {
        hidden = true;
        signal?.removeEventListener('abort', hide);
        pick.dispose();
        // No effect if something was chosen.
        resolve(undefined);
      });
      signal?.addEventListener('abort', hide);
      pick.show();
      this.#listFolders(service).then((folders) => {
        if (hidden) return;
        pick.busy = false;
        const current = this.#folders.getInUse(service.baseUrl);
        if (folders) setItems(pick, createFolderItems(folders, current?.id, service));
        else end('unlisted');
      }, reject);
    });
  }

  async #listFolders(service: Service): Promise<readonly Folder[] | undefined> {
    try {
      return await this.#folders.listFolders(service);
    } catch (error) {
      // The ID can still be entered; the upload shows whether it is valid.
      void showWarning(formatFailure(toFailure(error, Date.now())));
      return undefined;
    }
  }
}

function createFolderItems(
  folders: readonly Folder[],
  currentId: string | undefined,
  { capabilities }: Service,
): FolderItem[] {
  const items = folders.map(({ id, name }): FolderItem => {
    const details = [id === currentId ? t('current') : '', name === '' ? '' : id];
    return {
      label: name || id,
      description: details.filter((part) => part !== '').join(' · '),
      folder: { id, name },
    };
  });
  if (!capabilities.has('POST /folders')) return items;
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [...items, ...(items.length > 0 ? [separator] : []), { label: t('New Folder…'), alwaysShow: true }];
}

/** Asks for a name and creates the folder. Resolves to undefined if there is no folder to use, which is reported. */
async function createFolder({ client, capabilities }: Service): Promise<Folder | undefined> {
  const input = await showInputBox({
    title: t('New Folder'),
    prompt: t('The name of the new folder on the service'),
    ignoreFocusOut: true,
  });
  const name = input?.trim();
  if (!name) return undefined;
  try {
    const folder = await capabilities.use('POST /folders', () => client.createFolder({ name }));
    if (!capabilities.has('POST /folders'))
      void showWarning(t('The service doesn’t support creating folders.'));
    return folder && { ...folder, name: folder.name || name };
  } catch (error) {
    const reason = formatFailure(toFailure(error, Date.now()));
    void showError(joinSentences(t('Couldn’t create the folder “{0}”.', name), reason));
    return undefined;
  }
}

async function askFolderId(reason: string): Promise<Folder | undefined> {
  const id = await showInputBox({
    title: t('Choose Upload Folder'),
    placeHolder: reason,
    prompt: t('The folder’s ID'),
    ignoreFocusOut: true,
  });
  return id?.trim() ? { id: id.trim(), name: '' } : undefined;
}

function formatScope(scope: SettingScope): string {
  return scope === 'workspace'
    ? t('The folder is set in this workspace’s settings')
    : t('The folder is set in your user settings');
}
