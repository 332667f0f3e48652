import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { Connect, Service } from '../../chat/remote/service';
import type { Folder } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { getUploadFolderSetting, type SettingScope } from '../base/settings';
import type { ServiceList } from './serviceList';

const STORAGE_KEY = 'parley.uploadFolders';

/** Stored for each service that has asked for a folder: the user's choice, if made. */
interface StoredChoice {
  readonly folder?: Folder;
}

/** The folder in use, and where it is set if it comes from `parley.folderId`. */
interface FolderInUse extends Folder {
  readonly scope?: SettingScope;
}

/** The folders on the services that files are uploaded to: from the setting, or else chosen by the user. */
export class UploadFolders {
  readonly #memory: Memento;
  readonly #connect: Connect;
  readonly #serviceList: ServiceList;
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;
  /** The folders that a service refused in this session. */
  readonly #refused = new Set<string>();
  /** The names that a service listed in this session. */
  readonly #names = new Map<string, string>();
  /** The folders of the setting for which names were requested. */
  readonly #askedFor = new Set<string>();

  constructor(memory: Memento, connect: Connect, serviceList: ServiceList) {
    this.#memory = memory;
    this.#connect = connect;
    this.#serviceList = serviceList;
  }

  /** Returns the folder for uploads, or undefined if none is set or chosen, or the service refused it. */
  getInUse(baseUrl: string): FolderInUse | undefined {
    const setting = this.#getSetting(baseUrl);
    if (setting && !this.#refused.has(getKey(baseUrl, setting.id)))
      return { ...setting, name: this.getName(baseUrl, setting.id) };
    const { folder } = this.#getChoices()[baseUrl] ?? {};
    return folder && !this.#refused.has(getKey(baseUrl, folder.id)) ? folder : undefined;
  }

  /**
   * Returns the name that the page shows for a service, by default the first: empty if no folder is chosen, undefined if the service never asked for one and
   * none is set.
   */
  getShown(baseUrl = this.#serviceList.first?.baseUrl): string | undefined {
    if (baseUrl === undefined) return undefined;
    const isKnown = this.#getSetting(baseUrl) !== undefined || this.#getChoices()[baseUrl] !== undefined;
    return isKnown ? (this.getInUse(baseUrl)?.name ?? '') : undefined;
  }

  /** Returns a folder's last known name, or else its ID. */
  getName(baseUrl: string, id: string): string {
    const { folder } = this.#getChoices()[baseUrl] ?? {};
    const name = this.#names.get(getKey(baseUrl, id)) ?? (folder?.id === id ? folder.name : '');
    return name || id;
  }

  /** Requests `GET /folders`; resolves to undefined if the service doesn't support it. Throws ServiceError. */
  async listFolders({ baseUrl, client, capabilities }: Service): Promise<readonly Folder[] | undefined> {
    const folders = await capabilities.use('GET /folders', () =>
      collectItems(readPages((page) => client.listFolders({ page }))),
    );
    if (!folders) return undefined;
    for (const { id, name } of folders) this.#names.set(getKey(baseUrl, id), name);
    this.#changes.fire();
    return folders;
  }

  /** Requests the name of the setting's folder once, if it is unknown. Never throws ServiceError. */
  async fetchFolders(): Promise<void> {
    const setting = getUploadFolderSetting();
    if (!setting) return;
    try {
      const service = this.#connect();
      const key = getKey(service.baseUrl, setting.id);
      if (this.#askedFor.has(key) || this.getName(service.baseUrl, setting.id) !== setting.id) return;
      this.#askedFor.add(key);
      await this.listFolders(service);
    } catch (error) {
      // The request is in the log; the ID is shown instead.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** Records that a service asks for a folder, and doesn't accept the given one if there is one. */
  async recordRefusal(baseUrl: string, id: string | undefined): Promise<void> {
    if (id !== undefined) this.#refused.add(getKey(baseUrl, id));
    if (!this.#getChoices()[baseUrl]) await this.#save(baseUrl, {});
    this.#changes.fire();
  }

  /** Stores the user's choice for a service. */
  async remember(baseUrl: string, { id, name }: Folder): Promise<void> {
    this.#refused.delete(getKey(baseUrl, id));
    await this.#save(baseUrl, { folder: { id, name: name || this.getName(baseUrl, id) } });
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** The setting names a folder of the first service. */
  #getSetting(baseUrl: string): ReturnType<typeof getUploadFolderSetting> {
    return this.#serviceList.first?.baseUrl === baseUrl ? getUploadFolderSetting() : undefined;
  }

  async #save(baseUrl: string, choice: StoredChoice): Promise<void> {
    await this.#memory.update(STORAGE_KEY, { ...this.#getChoices(), [baseUrl]: choice });
  }

  #getChoices(): Readonly<Record<string, StoredChoice>> {
    return this.#memory.get<Record<string, StoredChoice>>(STORAGE_KEY) ?? {};
  }
}

function getKey(baseUrl: string, id: string): string {
  return `${baseUrl} ${id}`;
}
