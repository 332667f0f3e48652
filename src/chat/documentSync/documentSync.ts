import { getStatusReadiness } from '../../shared/view/documentReadiness';
import type { Connect } from '../remote/service';
import { Leases, type LeaseTimes } from '../store/files/lease';
import type { Storage } from '../store/files/storage';
import { createCarrierName, findCarriers, isInUploadFolder, listCarrierDocuments } from './carrierDocuments';
import { recognizeDocuments, toFoundRecord } from './recognizeDocuments';
import { SyncJournal } from './syncJournal';
import type { ScannedFile, SyncPlan } from './syncPlan';
import { type SyncItem, type SyncResult, SyncRun, type SyncRunOptions, type SyncTarget } from './syncRun';
import type { Registration, SyncState } from './syncState';

/** What the service has, as far as a look at it told. */
export interface Recognition {
  /** Whether it has documents of these files that weren't registered from here. */
  readonly isFound: boolean;
  /** IDs of the documents that it couldn't convert: no bot answers from them. */
  readonly failedIds: ReadonlySet<string>;
}

const NOTHING_KNOWN: Recognition = { isFound: false, failedIds: new Set() };

/** The sync of a workspace folder's documents with a service: its journals, of which one window writes each. */
export class DocumentSync {
  readonly #storage: Storage;
  readonly #leases: Leases;
  readonly #connect: Connect;

  /** `owner`: the window's name for other windows. */
  constructor(storage: Storage, owner: string, connect: Connect, times?: LeaseTimes) {
    this.#storage = storage;
    this.#leases = new Leases(storage, owner, times);
    this.#connect = connect;
  }

  /** Reads what was registered. Throws the file system's error. */
  read(journalId: string): Promise<SyncState> {
    return SyncJournal.read(this.#storage, journalId);
  }

  /** Finds the document of a service in some journals. Throws the file system’s error. */
  async findDocument(journalIds: readonly string[], documentId: string): Promise<Registration | undefined> {
    for (const journalId of journalIds) {
      const { registrations } = await this.read(journalId);
      const found = registrations.find(({ id }) => id === documentId);
      if (found) return found;
    }
    return undefined;
  }

  /** Calls a function when a journal may have changed, in this window or another. */
  watch(onChange: () => void): { dispose(): void } {
    return this.#storage.watch(
      (name) => {
        if (name.endsWith('.jsonl')) onChange();
      },
      // Without a watcher, changes of other windows are seen when the status is read again.
      () => undefined,
    );
  }

  /**
   * Uploads and removes what the user agreed to. Resolves to `otherWindow` if another window syncs the same documents. A failure
   * is part of the result. Throws the file system's error.
   */
  async run(
    target: SyncTarget,
    items: readonly SyncItem[],
    options: SyncRunOptions,
  ): Promise<SyncResult | 'otherWindow'> {
    const lease = await this.#leases.acquire(target.journalId);
    if ('heldBy' in lease) return 'otherWindow';
    const ending = new AbortController();
    const end = () => ending.abort();
    for (const signal of [options.signal, lease.lost]) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    }
    try {
      const journal = await SyncJournal.open(this.#storage, target.journalId);
      const service = this.#connect(target.baseUrl);
      const others = await this.#readCarriers(target);
      // If it can't be read, the next heartbeat looks again.
      const checkLease = () => this.#leases.check(target.journalId).catch(() => undefined);
      const { signal } = ending;
      const run = new SyncRun(service, journal, target, { ...options, signal }, others, checkLease);
      return await run.run(items);
    } finally {
      options.signal.removeEventListener('abort', end);
      await lease.release();
    }
  }

  /**
   * Notes which documents of these files the service has that weren't registered from here: because the journal was lost, or
   * another machine registered them; also finds those that it couldn't convert. Sends nothing but reads. Does nothing while another
   * window syncs. Throws ServiceError and the file system's error.
   */
  async recognize(
    target: SyncTarget,
    files: readonly ScannedFile[],
    signal: AbortSignal,
  ): Promise<Recognition> {
    const { carrier, folderId, journalId, toName } = target;
    if ('ensure' in carrier) return NOTHING_KNOWN;
    const service = this.#connect(target.baseUrl);
    const others = await this.#readCarriers(target);
    const lease = await this.#leases.acquire(journalId);
    if ('heldBy' in lease) return NOTHING_KNOWN;
    try {
      const journal = await SyncJournal.open(this.#storage, journalId);
      const { state } = journal;
      const known = state.carrier;
      if (known === undefined && carrier.key === undefined) return NOTHING_KNOWN;
      const carriers =
        known === undefined
          ? await findCarriers(service, { name: createCarrierName(carrier), folderId, others }, signal)
          : [{ id: known, documents: await listCarrierDocuments(service, known, signal) }];
      const found = carriers.map(({ id, documents = [] }) => {
        const inFolder = documents.filter((document) => isInUploadFolder(document, folderId));
        return { id, documents, recognized: recognizeDocuments(state, files, inFolder, toName) };
      });
      // Other folders on the service, and machines that synced at the same time, have conversations of the same name.
      const [best] = found.toSorted((one, other) => other.recognized.length - one.recognized.length);
      if (!best) return NOTHING_KNOWN;
      if (known === undefined) await journal.append({ type: 'carrier', id: best.id });
      const at = service.client.clock.toServiceTime(Date.now());
      if (best.recognized.length > 0)
        await journal.append(...best.recognized.map((each) => toFoundRecord(each, at)));
      const failed = best.documents.filter(({ status }) => getStatusReadiness(status) === 'failed');
      return { isFound: best.recognized.length > 0, failedIds: new Set(failed.map(({ id }) => id)) };
    } finally {
      await lease.release();
    }
  }

  /** Returns the conversations of a target's other journals. */
  async #readCarriers({ otherJournalIds = [] }: SyncTarget): Promise<ReadonlySet<string>> {
    const states = await Promise.all(otherJournalIds.map((id) => this.read(id)));
    return new Set(states.flatMap(({ carrier }) => carrier ?? []));
  }

  /** Notes the new times of files with the same content, unless another window syncs. Throws the file system's error. */
  async noteSeen(journalId: string, seen: SyncPlan['seen']): Promise<void> {
    if (seen.length === 0) return;
    const lease = await this.#leases.acquire(journalId);
    if ('heldBy' in lease) return;
    try {
      const journal = await SyncJournal.open(this.#storage, journalId);
      const records = seen.map(({ registration: { key }, file: { size, mtime } }) => {
        return { type: 'seen', key, size, mtime } as const;
      });
      await journal.append(...records);
    } finally {
      await lease.release();
    }
  }

  dispose(): Promise<void> {
    return this.#leases.dispose();
  }
}
