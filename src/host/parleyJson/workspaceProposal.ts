import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { ServiceProposal } from '../../shared/view/viewModel';
import { DisposableStore } from '../base/disposables';
import { PARLEY_JSON_PATH } from '../base/names';
import type { ServiceList } from '../service/serviceList';
import type { ParleyJson } from './parleyJson';
import type { BotForFile, FolderParleyJson } from './readParleyJson';

/** Key of the workspace's state: base URLs that the user doesn't want to be asked about. */
const DECLINED_KEY = 'parley.declinedServices';

export type ProposedService = NonNullable<ParleyJson['service']>;

/** What a workspace says of a bot. */
export interface BotNote {
  readonly id: string;
  readonly baseUrl?: string;
  readonly description: string;
}

interface Parts {
  /** The state of the workspace. */
  readonly memory: vscode.Memento;
  readonly serviceList: Pick<ServiceList, 'find' | 'onDidChange'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows `.vscode/parley.json` of the workspace's folders: the service that it proposes until the user connects to it or
 * declines, and the bots that it names for files. Selects nothing by itself.
 */
export class WorkspaceProposal implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #disposables = new DisposableStore();
  readonly #changes = this.#disposables.add(new Emitter<void>());
  /** Fires when the proposed service may have changed. */
  readonly onDidChange = this.#changes.on;
  readonly #watchers = this.#disposables.add(new DisposableStore());
  /** Base URLs that were declined in this session. */
  readonly #declined = new Set<string>();
  #files: readonly FolderParleyJson[] = [];
  #reading: Promise<void> | undefined;
  #isOutdated = false;

  /** `onError` receives failures to read the files that aren't those of a missing file. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()));
    this.#disposables.add(parts.serviceList.onDidChange(() => this.#changes.fire()));
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()));
    this.#watch();
  }

  /** Resolves once the files are read, also after their latest change that was reported. */
  async whenRead(): Promise<void> {
    while (this.#reading) await this.#reading;
  }

  /** Returns the first proposed service that isn't set up, unless the user declined it. */
  findService(): ProposedService | undefined {
    const neverAsked = this.#parts.memory.get<unknown>(DECLINED_KEY);
    const isDeclined = ({ baseUrl }: ProposedService) =>
      this.#declined.has(baseUrl) || (Array.isArray(neverAsked) && neverAsked.includes(baseUrl));
    return this.#files
      .flatMap(({ service }) => service ?? [])
      .find((service) => !this.#parts.serviceList.find(service.baseUrl) && !isDeclined(service));
  }

  /** The proposed service, for the page. */
  get view(): ServiceProposal | undefined {
    const service = this.findService();
    return service && { host: new URL(service.baseUrl).host };
  }

  /** Doesn't propose the service again: in this session, or ever for this workspace. */
  async decline(forWorkspace: boolean): Promise<void> {
    const service = this.findService();
    if (!service) return;
    this.#declined.add(service.baseUrl);
    this.#changes.fire();
    if (!forWorkspace) return;
    const before = this.#parts.memory.get<unknown>(DECLINED_KEY);
    await this.#parts.memory.update(DECLINED_KEY, [
      ...(Array.isArray(before) ? before : []),
      service.baseUrl,
    ]);
  }

  /** Resolves to what the folders' files say now; none in an untrusted workspace. */
  async readFiles(): Promise<readonly FolderParleyJson[]> {
    await this.whenRead();
    return this.#files;
  }

  /** Resolves to the bot that a file's questions go to. */
  async findBotForFile(uri: vscode.Uri): Promise<BotForFile | undefined> {
    await this.whenRead();
    if (this.#files.length === 0) return undefined;
    const readParleyJson = await import('./readParleyJson');
    return readParleyJson.findBotForFile(uri, this.#files);
  }

  /** Resolves to what the workspace says of its bots, for agents; without a base URL they are of the first service. */
  async listBotNotes(): Promise<readonly BotNote[]> {
    await this.whenRead();
    return this.#files.flatMap(({ service, bots }) =>
      bots.flatMap(({ id, description }) =>
        description === undefined ? [] : { id, description, ...(service && { baseUrl: service.baseUrl }) },
      ),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #watch(): void {
    this.#watchers.dispose();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      // With its folder: what is written right after the folder is created is reported as part of that.
      const pattern = new vscode.RelativePattern(
        folder,
        `{${PARLEY_JSON_PATH[0]},${PARLEY_JSON_PATH.join('/')}}`,
      );
      const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      watcher.onDidCreate(() => this.#refresh());
      watcher.onDidChange(() => this.#refresh());
      watcher.onDidDelete(() => this.#refresh());
    }
    this.#refresh();
  }

  #refresh(): void {
    this.#isOutdated = true;
    this.#reading ??= this.#read()
      .catch(this.#parts.onError)
      .finally(() => {
        this.#reading = undefined;
      });
  }

  /** Reads the files until they haven't changed while they were read. */
  async #read(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      this.#files = (await hasParleyJson()) ? await (await import('./readParleyJson')).readParleyJsons() : [];
    }
    this.#changes.fire();
  }
}

/** Returns whether a folder has the file: most have none, and don't need the code that reads it. */
async function hasParleyJson(): Promise<boolean> {
  const found = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, ...PARLEY_JSON_PATH)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}
