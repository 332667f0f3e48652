import { createHash } from 'node:crypto';
import { DocumentSync, type Recognition } from '../../../../src/chat/documentSync/documentSync';
import { planSync, type ScannedFile, type SyncPlan } from '../../../../src/chat/documentSync/syncPlan';
import type {
  SyncItem,
  SyncResult,
  SyncRunOptions,
  SyncTarget,
} from '../../../../src/chat/documentSync/syncRun';
import type { ConfirmedFile } from '../../../../src/chat/documents/fileToUpload';
import { createUploadNameByExtension } from '../../../../src/chat/documents/fileUploadName';
import { Capabilities } from '../../../../src/chat/remote/capabilities';
import type { Connect } from '../../../../src/chat/remote/service';
import type { Storage } from '../../../../src/chat/store/files/storage';
import type { Fetch } from '../../../../src/client/fetch';
import { ServiceClient } from '../../../../src/client/serviceClient';
import { createNodeFetch } from '../../../../src/host/platform/nodeFetch';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
import type { LocalService } from '../../../service/localService';
import { confirmed } from '../../support/confirmed';

/** A workspace folder in memory: its files by path. */
export class SyncedFolder {
  readonly #files = new Map<string, { text: string; mtime: number }>();
  #clock = 1;
  /** How often a file was opened. */
  opened = 0;

  write(path: string, text: string): this {
    this.#files.set(path, { text, mtime: this.#clock++ });
    return this;
  }

  remove(path: string): this {
    this.#files.delete(path);
    return this;
  }

  get texts(): string[] {
    return [...this.#files.values()].map(({ text }) => text).toSorted();
  }

  scan(): ScannedFile[] {
    return [...this.#files]
      .map(([path, { text, mtime }]) => ({ path, size: Buffer.byteLength(text), mtime }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  digest = async ({ path }: { readonly path: string }): Promise<string | undefined> => {
    const file = this.#files.get(path);
    return file && createHash('sha256').update(file.text).digest('hex');
  };

  open = async (path: string): Promise<ConfirmedFile | undefined> => {
    const file = this.#files.get(path);
    if (!file) return undefined;
    this.opened++;
    const { text } = file;
    const open = () => ({
      body: { size: Buffer.byteLength(text), open: () => new Blob([text]) },
      // In a thread of its own, so that large files take longer.
      sha256: async () =>
        Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex'),
      unchanged: async () => this.#files.get(path)?.text === text,
      close: async () => undefined,
    });
    return confirmed({
      ...createUploadNameByExtension(path, new Set()),
      opened: open(),
      reopen: async () => open(),
    });
  };
}

/** A window that syncs a folder with the local service. */
export interface SyncWindow {
  readonly sync: DocumentSync;
  readonly target: SyncTarget;
  plan(): Promise<SyncPlan>;
  /** Looks for documents that weren't registered from here, as each sync does before its list is shown. */
  recognize(): Promise<Recognition>;
  /** Agrees to everything that a sync would do, and does it. */
  syncAll(options?: Partial<SyncRunOptions>): Promise<SyncResult>;
}

/** Every look at a lease is so late that one of a process that ended is stale with the second. */
function createLateClock() {
  let now = 0;
  return { heartbeatMs: 1000, staleMs: 1, now: () => ++now * 5 };
}

export function openSyncWindow(
  service: LocalService,
  storageFolder: string,
  folder: SyncedFolder,
  {
    folderId,
    storage = new NodeStorage(storageFolder),
    fetch = createNodeFetch(),
    target = {},
  }: {
    readonly folderId?: string | undefined;
    readonly storage?: Storage;
    readonly fetch?: Fetch;
    readonly target?: Partial<SyncTarget>;
  } = {},
): SyncWindow {
  const client = new ServiceClient({
    baseUrl: service.baseUrl,
    apiKey: async () => service.key,
    fetch,
    onRequest: () => undefined,
  });
  const connected = { baseUrl: service.baseUrl, client, capabilities: new Capabilities() };
  const connect: Connect = () => connected;
  const sync = new DocumentSync(storage, 'test', connect, createLateClock());
  const all: SyncTarget = {
    journalId: 'journal',
    baseUrl: service.baseUrl,
    ...(folderId !== undefined && { folderId }),
    carrier: { label: 'Documents of repo', botId: 'echo', key: 'repo' },
    toName: (path) => createUploadNameByExtension(path, new Set()).name,
    ...target,
  };
  const plan = async () => planSync(await sync.read(all.journalId), folder.scan(), folder.digest);
  return {
    sync,
    target: all,
    plan,
    recognize: () => sync.recognize(all, folder.scan(), new AbortController().signal),
    async syncAll(options = {}) {
      const { files } = await plan();
      const items = files.map(
        ({ change, ...file }): SyncItem =>
          change === 'gone' ? { action: 'remove', path: file.path } : { action: 'upload', ...file },
      );
      for (;;) {
        const result = await sync.run(all, items, {
          signal: new AbortController().signal,
          files: folder.scan(),
          open: folder.open,
          identifyDelaysMs: [20, 40, 80, 160, 320],
          ...options,
        });
        if (result !== 'otherWindow') return result;
      }
    },
  };
}

/** The texts of the service's documents, sorted. */
export function getStoredTexts(service: LocalService): string[] {
  return [...service.documents.values()]
    .map(({ key }) => service.objects.get(key)?.toString() ?? '')
    .toSorted();
}
