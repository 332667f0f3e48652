import type { Document } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { sleep } from '../../client/sleep';
import { getStatusReadiness } from '../../shared/view/documentReadiness';
import { Mutex } from '../base/mutex';
import { MAX_CONVERSION_MS } from '../documents/documentStatus';
import type { ConfirmedFile } from '../documents/fileToUpload';
import { isFolderRefused } from '../documents/folderQuestions';
import { findListedBefore } from '../documents/matchDocuments';
import { isExpired, isPassing } from '../documents/uploadJob';
import { runWithinRateLimit } from '../documents/withinRateLimit';
import { type Failure, FileChangedError, toFailure } from '../model/failure';
import type { SubjectState } from '../remote/capabilities';
import { dropOthers } from '../remote/conversationLists';
import type { Service } from '../remote/service';
import { AppendError } from '../store/files/storage';
import {
  type CarrierPlace,
  createCarrierName,
  findCarriers,
  isInUploadFolder,
  isWithoutList,
  listCarrierDocuments,
} from './carrierDocuments';
import { identifyDocuments } from './identifyDocuments';
import { recognizeDocuments, toFoundRecord } from './recognizeDocuments';
import type { SyncJournal } from './syncJournal';
import { SyncNames } from './syncNames';
import type { ScannedFile } from './syncPlan';
import type { Registration } from './syncState';

const MAX_CONCURRENT_UPLOADS = 3;
/** Times between reads of the list until it has the IDs of all new documents. */
const IDENTIFY_DELAYS_MS: readonly number[] = [250, 500, 1000, 2000, 4000];

/** Where documents go. */
export interface SyncTarget {
  /** Of the journal of what is there. */
  readonly journalId: string;
  readonly baseUrl: string;
  readonly folderId?: string;
  /** Journals of documents with another home: the conversations that those are registered with aren't used. */
  readonly otherJournalIds?: readonly string[];
  /**
   * The conversation that documents are registered with, which the service needs: one that is created for it, or the one that
   * gets the documents (resolves to its ID on the service).
   */
  readonly carrier: CarrierPlace | { readonly ensure: (signal: AbortSignal) => Promise<string> };
  /** Returns the name of a path for its upload. */
  readonly toName: (path: string) => string;
}

/** What the user agreed to for one path: to upload its file, or to remove its document from the service. */
export type SyncItem =
  | ({ readonly action: 'upload' } & ScannedFile)
  | { readonly action: 'remove'; readonly path: string };

export interface SyncRunOptions {
  readonly signal: AbortSignal;
  /** All files that the list was made of, in its order. */
  readonly files: readonly ScannedFile[];
  /** Opens a file of an item; undefined if it may not be uploaded any more. Throws the file system's error. */
  readonly open: (path: string) => Promise<ConfirmedFile | undefined>;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called for each document that the service has, also for those of a sync that ended before it could be called. */
  readonly onRegistered?: (registration: Registration, replaces: string | undefined) => void;
  /** The branch whose files these are. */
  readonly branch?: string | undefined;
  readonly identifyDelaysMs?: readonly number[];
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
  /** The service asked to wait until then, in ms since the epoch. */
  readonly waitsUntil?: number;
}

export interface SyncResult {
  readonly uploaded: number;
  /** Files that turned out to be as they were last time. */
  readonly same: number;
  readonly removed: number;
  /** Older versions and documents of missing files that stay on the service, because it can't remove them. */
  readonly kept: number;
  /** Paths that weren't uploaded, because another machine has uploaded a document of the same name since the list was shown. */
  readonly found: readonly string[];
  /** Paths that may no longer be uploaded: they are secret, ignored, or outside the workspace now. */
  readonly refused: readonly string[];
  readonly failed: readonly { readonly path: string; readonly failure: Failure }[];
  /** Paths of which isn't known whether the service has them. */
  readonly unconfirmed: readonly string[];
  /** Why nothing more was tried. */
  readonly stoppedBy?: Failure;
  readonly canceled: boolean;
}

/** One run of a sync. Every registration is in the journal before its request leaves. */
export class SyncRun {
  readonly #service: Service;
  readonly #journal: SyncJournal;
  readonly #target: SyncTarget;
  readonly #options: SyncRunOptions;
  readonly #otherCarriers: ReadonlySet<string>;
  readonly #checkLease: () => Promise<void>;
  readonly #names = new SyncNames();
  /** The names of files that were never registered, by their paths. */
  readonly #reserved = new Map<string, string>();
  /** Files are opened one at a time, so that the names of documents are given in the list's order. */
  readonly #opening = new Mutex();
  /** The registrations of each path when the run started. */
  readonly #before = new Map<string, Registration[]>();
  readonly #stopping = new AbortController();
  /** The documents that the service listed last; undefined if it can't list them. */
  #listed: readonly Document[] | undefined;
  #carrierId = '';
  #isCarrierRenewed = false;
  #renewing: Promise<void> | undefined;
  #stoppedBy: Failure | undefined;
  #uploaded = 0;
  #same = 0;
  #removed = 0;
  #done = 0;
  #total = 0;
  readonly #found: string[] = [];
  readonly #refused: string[] = [];
  readonly #failed: { path: string; failure: Failure }[] = [];

  /**
   * `otherCarriers`: the conversations that documents with another home are registered with. `checkLease` aborts the signal if
   * another window syncs now.
   */
  constructor(
    service: Service,
    journal: SyncJournal,
    target: SyncTarget,
    options: SyncRunOptions,
    otherCarriers: ReadonlySet<string>,
    checkLease: () => Promise<void>,
  ) {
    this.#service = service;
    this.#journal = journal;
    this.#target = target;
    this.#options = options;
    this.#otherCarriers = otherCarriers;
    this.#checkLease = checkLease;
    options.signal.addEventListener('abort', () => this.#stopping.abort(), { once: true });
    if (options.signal.aborted) this.#stopping.abort();
  }

  async run(items: readonly SyncItem[]): Promise<SyncResult> {
    const { state } = this.#journal;
    this.#total = items.length;
    const uploads = items.filter((item) => item.action === 'upload');
    await this.#runUnlessStopped(async () => {
      if (uploads.length > 0 || state.carrier !== undefined) await this.#findCarrier();
      await this.#look();
      const found = uploads.length > 0 ? await this.#recognize() : undefined;
      for (const registration of state.registrations) {
        this.#names.add(registration.name);
        const others = this.#before.get(registration.path) ?? [];
        this.#before.set(registration.path, [...others, registration]);
      }
      this.#reserveNames();
      for (const registration of state.current) this.#options.onRegistered?.(registration, undefined);
      const waiting = uploads.values();
      const work = async () => {
        for (const item of waiting) {
          if (this.#stopping.signal.aborted) return;
          if (found?.has(item.path)) this.#found.push(item.path);
          else await this.#runUnlessStopped(() => this.#upload(item));
          this.#reportDone(item.path);
        }
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS }, work));
    });
    await this.#runUnlessStopped(() => this.#identifyAll());
    if (!this.#stopping.signal.aborted) {
      for (const item of items) {
        if (item.action !== 'remove') continue;
        await this.#journal.append({ type: 'forgotten', path: item.path });
        this.#reportDone(item.path);
      }
      await this.#runUnlessStopped(() => this.#removeOlder());
    }
    const pending = state.findPendingPaths();
    const unconfirmed = uploads.flatMap(({ path }) => (pending.has(path) ? [path] : []));
    const isDone =
      !this.#stopping.signal.aborted &&
      this.#failed.length === 0 &&
      this.#found.length === 0 &&
      this.#refused.length === 0 &&
      unconfirmed.length === 0;
    const { branch } = this.#options;
    if (isDone)
      await this.#journal.append({ type: 'synced', at: Date.now(), ...(branch !== undefined && { branch }) });
    return {
      uploaded: this.#uploaded,
      same: this.#same,
      removed: this.#removed,
      kept: state.registrations.filter((registration) => registration.state === 'older').length,
      found: this.#found,
      refused: this.#refused,
      failed: this.#failed,
      unconfirmed,
      ...(this.#stoppedBy && { stoppedBy: this.#stoppedBy }),
      canceled: this.#options.signal.aborted,
    };
  }

  /** Runs a part of the sync; a failure of the service stops the whole. Other errors are thrown. */
  async #runUnlessStopped(part: () => Promise<void>): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      await part();
    } catch (error) {
      if (this.#options.signal.aborted) return;
      if (!(error instanceof ServiceError)) {
        this.#stopping.abort();
        throw error;
      }
      if (!this.#stopping.signal.aborted) this.#stoppedBy = toFailure(error, Date.now());
      this.#stopping.abort();
    }
  }

  #reportDone(path: string): void {
    this.#done++;
    this.#options.onProgress?.({ done: this.#done, total: this.#total, path });
  }

  #runWithinRateLimit<T>(service: Service | undefined, path: string, request: () => Promise<T>): Promise<T> {
    const progress = () => ({ done: this.#done, total: this.#total, path });
    return runWithinRateLimit(service, request, {
      signal: this.#stopping.signal,
      // The service refuses documents while others are being converted (docs/service.md: POST /documents/file).
      maxWaitMs: () => MAX_CONVERSION_MS,
      onWait: (waitsUntil) =>
        this.#options.onProgress?.({ ...progress(), ...(waitsUntil !== undefined && { waitsUntil }) }),
    });
  }

  /** Finds or creates the conversation that documents are registered with. */
  async #findCarrier(): Promise<void> {
    const { carrier } = this.#target;
    const { state } = this.#journal;
    if ('ensure' in carrier) {
      this.#carrierId = await carrier.ensure(this.#stopping.signal);
      if (state.carrier === this.#carrierId) return;
      // If it was created again, its documents stayed with the former conversation.
      const former = state.carrier === undefined ? [] : state.registrations;
      const removed = former.map(({ key }) => ({ type: 'removed', key }) as const);
      await this.#journal.append(...removed, { type: 'carrier', id: this.#carrierId });
      return;
    }
    if (state.carrier === undefined) {
      // Of a process that ended before it knew it, of another machine, or from before the journal was lost.
      const { folderId } = this.#target;
      const others = this.#otherCarriers;
      // A random name is known only from the journal.
      const name = (carrier.key === undefined && state.creating?.name) || createCarrierName(carrier);
      const [found] = await findCarriers(this.#service, { name, folderId, others }, this.#stopping.signal);
      const id = found?.id ?? (await this.#createCarrier(name, carrier.botId));
      await this.#journal.append({ type: 'carrier', id });
    }
    this.#carrierId = state.carrier ?? '';
  }

  async #createCarrier(name: string, botId: string): Promise<string> {
    const { client } = this.#service;
    const at = client.clock.toServiceTime(Date.now());
    await this.#journal.append({ type: 'creating', name, at });
    const created = await this.#runWithinRateLimit(this.#service, '', () =>
      client.createConversation({ name, botId }),
    );
    return created.id;
  }

  /** Creates another conversation if the service no longer has the one that documents are registered with. */
  #renewCarrier(error: unknown): Promise<void> | undefined {
    const isGone =
      error instanceof ServiceError &&
      (error.fieldErrors?.conversation_id !== undefined || error.status === 404 || error.status === 410);
    const { carrier } = this.#target;
    if (!isGone || 'ensure' in carrier) return undefined;
    if (!this.#renewing && !this.#isCarrierRenewed) {
      this.#isCarrierRenewed = true;
      this.#renewing = this.#journal.append({ type: 'carrier' }).then(() => this.#findCarrier());
    }
    return this.#renewing;
  }

  /** Reads the service's list, and learns the IDs that it hasn't told. */
  async #look(): Promise<void> {
    this.#listed = this.#carrierId === '' ? undefined : await this.#list();
    for (const [key, id] of identifyDocuments(this.#journal.state, this.#listed ?? []))
      await this.#journal.append({ type: 'identified', key, id });
  }

  /** Notes what another machine has uploaded since the list was shown, and returns its paths: the user didn't agree to replace it. */
  async #recognize(): Promise<ReadonlySet<string>> {
    const { carrier, folderId, toName } = this.#target;
    if ('ensure' in carrier) return new Set();
    const { client } = this.#service;
    const listed = await this.#runWithinRateLimit(this.#service, '', () =>
      listCarrierDocuments(this.#service, this.#carrierId, this.#stopping.signal),
    );
    const inFolder = (listed ?? []).filter((document) => isInUploadFolder(document, folderId));
    const found = recognizeDocuments(this.#journal.state, this.#options.files, inFolder, toName);
    const at = client.clock.toServiceTime(Date.now());
    if (found.length > 0) await this.#journal.append(...found.map((each) => toFoundRecord(each, at)));
    return new Set(found.map(({ file }) => file.path));
  }

  /**
   * Lists the carrier's documents; undefined if the service lacks the list, or no longer has the conversation. Unlike
   * `listCarrierDocuments`, it retries what the service refused for its rate, and accepts documents of others: only names that
   * were registered here are looked for. Throws ServiceError.
   */
  async #list(): Promise<readonly Document[] | undefined> {
    const { client, capabilities } = this.#service;
    const read = (page: number | undefined) =>
      this.#runWithinRateLimit(this.#service, '', () =>
        client.listDocuments({ conversationId: this.#carrierId, page }, this.#stopping.signal),
      );
    try {
      const documents = await capabilities.use('GET /documents', () => collectItems(readPages(read)));
      return documents && dropOthers(documents, this.#carrierId);
    } catch (error) {
      if (isWithoutList(error)) return undefined;
      throw error;
    }
  }

  async #upload(item: SyncItem & ScannedFile): Promise<void> {
    let file: ConfirmedFile | undefined;
    try {
      const opened = await this.#opening.run(() => this.#openChanged(item));
      if (!opened) return;
      file = opened.file;
      const { name, sha256, replaces } = opened;
      try {
        const fileKey = await this.#sendBytes(item.path, file);
        if (!(await file.opened.unchanged())) throw new FileChangedError(item.path);
        await this.#register(item, file, { name, sha256, fileKey, replaces });
      } catch (error) {
        // After a lost response the service may have a document of that name.
        if (!this.#journal.state.findPendingPaths().has(item.path)) this.#names.remove(name);
        throw error;
      }
    } catch (error) {
      // Without the journal nothing may be sent.
      if (this.#stopping.signal.aborted || error instanceof AppendError) throw error;
      if (error instanceof ServiceError && !isAboutFile(error)) throw error;
      this.#failed.push({ path: item.path, failure: toItemFailure(error) });
    } finally {
      await file?.opened.close();
    }
  }

  /** Opens a file and takes its document's name. Returns undefined if it may not be uploaded, or the service has it. */
  async #openChanged({ path, size, mtime }: ScannedFile) {
    const file = await this.#options.open(path);
    if (!file) {
      this.#refused.push(path);
      return undefined;
    }
    try {
      const sha256 = await file.opened.sha256();
      const current = this.#journal.state.findCurrent(path);
      if (current?.sha256 !== sha256 || this.#couldNotConvert(current)) {
        return { file, sha256, name: this.#takeName(path, file.name), replaces: current?.key };
      }
      await this.#journal.append({ type: 'seen', key: current.key, size, mtime });
      this.#same++;
    } catch (error) {
      await file.opened.close();
      throw error;
    }
    await file.opened.close();
    return undefined;
  }

  #couldNotConvert({ id }: Registration): boolean {
    const { status } = this.#listed?.find((document) => document.id === id) ?? {};
    return getStatusReadiness(status) === 'failed';
  }

  /** Sends the bytes and returns their key. Renews an expired URL once, and retries once after a passing failure. */
  async #sendBytes(path: string, file: ConfirmedFile): Promise<string> {
    const { client } = this.#service;
    const { signal } = this.#stopping;
    const { name: fileName, contentType } = file;
    for (let mayRepeat = true; ; mayRepeat = false) {
      const { url, key } = await this.#runWithinRateLimit(this.#service, path, () =>
        client.createSignedUpload({ fileName, contentType }, signal),
      );
      try {
        await this.#runWithinRateLimit(undefined, path, () =>
          client.putFile({ url, contentType, file: file.opened.body }, { signal }),
        );
        return key;
      } catch (error) {
        if (signal.aborted || !mayRepeat || !(isExpired(error) || isPassing(error))) throw error;
      }
    }
  }

  async #register(
    { path, mtime }: ScannedFile,
    file: ConfirmedFile,
    {
      name,
      sha256,
      fileKey,
      replaces,
    }: {
      readonly name: string;
      readonly sha256: string;
      readonly fileKey: string;
      readonly replaces: string | undefined;
    },
  ): Promise<void> {
    const { client } = this.#service;
    const key = crypto.randomUUID();
    const listedBefore = findListedBefore(name, this.#listed ?? []);
    // A machine may have slept, and another window may have registered it in the meantime.
    await this.#checkLease();
    this.#stopping.signal.throwIfAborted();
    await this.#journal.append({
      ...{ type: 'register', key, path, name, sha256, size: file.opened.body.size, mtime },
      at: client.clock.toServiceTime(Date.now()),
      ...(listedBefore.length > 0 && { listedBefore }),
    });
    // Without the signal: what has left is waited for, so that its answer is known.
    const register = () =>
      this.#runWithinRateLimit(this.#service, path, () =>
        client.createDocument({
          key: fileKey,
          conversationId: this.#carrierId,
          fileName: name,
          folderId: this.#target.folderId,
        }),
      );
    let document: Document | undefined;
    try {
      document = await register().catch(async (error: unknown) => {
        const renewed = this.#renewCarrier(error);
        if (!renewed) throw error;
        await renewed;
        return register();
      });
    } catch (error) {
      // Aborted while it waited, or refused: the service doesn't have it.
      if (!(error instanceof ServiceError) || error.maySend) {
        await this.#journal.append({ type: 'refused', key });
      }
      throw error;
    }
    const { id } = document ?? {};
    await this.#journal.append({ type: 'registered', key, ...(id !== undefined && { id }) });
    this.#uploaded++;
    const registration = this.#journal.state.find(key);
    if (registration) this.#options.onRegistered?.(registration, replaces);
  }

  /** Gives names to all new files of the list, selected or not: another machine recognizes documents by the same names. */
  #reserveNames(): void {
    for (const { path } of this.#options.files) {
      if (!this.#before.has(path))
        this.#reserved.set(path, this.#names.take(this.#target.toName(path), path));
    }
  }

  /** Returns a name that can't be taken for that of another document whose ID may still be unknown. */
  #takeName(path: string, name: string): string {
    const reserved = this.#reserved.get(path);
    if (reserved !== undefined) return reserved;
    for (const earlier of this.#before.get(path) ?? []) {
      // Told apart by its ID, or never looked for.
      const isKnown = this.#journal.state.find(earlier.key)?.id !== undefined || !this.#listed;
      if (isKnown) this.#names.remove(earlier.name);
    }
    this.#before.delete(path);
    return this.#names.take(name, path);
  }

  /** Reads the list until it has all documents whose IDs the service hasn't told, for some seconds at most. */
  async #identifyAll(): Promise<void> {
    const isIncomplete = () => this.#journal.state.current.some(({ id }) => id === undefined);
    if (!isIncomplete()) return;
    await this.#look();
    for (const delayMs of this.#options.identifyDelaysMs ?? IDENTIFY_DELAYS_MS) {
      if (!this.#listed || !isIncomplete()) return;
      await sleep(delayMs, this.#stopping.signal);
      await this.#look();
    }
  }

  /** Removes older versions, and the documents of missing files, from a service that can. */
  async #removeOlder(): Promise<void> {
    const { client, capabilities } = this.#service;
    const older = this.#journal.state.registrations.filter(({ state }) => state === 'older');
    const noteRemoved = async (key: string) => {
      await this.#journal.append({ type: 'removed', key });
      this.#removed++;
    };
    // The service answered 404 for these: they are gone, or it can't remove any.
    const goneOrKept: string[] = [];
    for (const { key, id, path } of older) {
      if (id === undefined || this.#stopping.signal.aborted) continue;
      let subject: SubjectState | undefined;
      try {
        const removed = await capabilities.use(
          'DELETE /documents/{id}',
          async () => {
            await this.#runWithinRateLimit(this.#service, path, () => client.deleteDocument(id));
            return true;
          },
          {
            id,
            check: async () => {
              subject = await this.#checkDocument(id);
              return subject;
            },
          },
        );
        if (removed) await noteRemoved(key);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status !== 404) this.#failed.push({ path, failure: toFailure(error, Date.now()) });
        else if (subject === 'gone') await noteRemoved(key);
        else if (subject === 'unknown') goneOrKept.push(key);
      }
    }
    // Not before the end: the first one that is removed proves that it can.
    if (!capabilities.isProven('DELETE /documents/{id}')) return;
    for (const key of goneOrKept) await noteRemoved(key);
  }

  async #checkDocument(id: string): Promise<'there' | 'gone' | 'unknown'> {
    if (this.#carrierId === '') return 'unknown';
    const listed = await this.#list();
    if (!listed) return 'unknown';
    return listed.some((document) => document.id === id) ? 'there' : 'gone';
  }
}

/** Returns whether a failure is one file's, so that the others are still tried. */
function isAboutFile(error: ServiceError): boolean {
  if (isFolderRefused(error) || error.fieldErrors?.conversation_id !== undefined) return false;
  if (toFailure(error, 0).code === 'fileChanged') return true;
  return error.code === 'validation' || error.code === 'tooLarge' || error.status === 415;
}

function toItemFailure(error: unknown): Failure {
  const failure = toFailure(error, Date.now());
  // The file can't be opened any more.
  return failure.code === 'internal' ? { code: 'fileChanged', maySend: true } : failure;
}
