import * as v from 'valibot';
import { type Infer, size, time } from '../../shared/conversation/conversationSchemas';

/** A path in the workspace folder, with `/`. */
const path = v.pipe(v.string(), v.nonEmpty(), v.maxLength(4096));
const key = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const serviceId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000));
const name = v.pipe(v.string(), v.maxLength(1000));

/** A registration of a document with the service: what was sent, and under which name. */
const registrationProperties = {
  key,
  path,
  /** Its name on the service: no two documents that could be mistaken for each other have similar ones. */
  name,
  /** Digest of the bytes that were sent. */
  sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
  size,
  /** ms since the epoch, as the file system says: a file with the same size and time isn't read again. */
  mtime: v.number(),
  /** Just before the registration, on the service's clock. */
  at: time,
  /** IDs of documents with a similar name that the service listed before. */
  listedBefore: v.exactOptional(v.array(serviceId)),
};

/** A line of the journal. */
export const syncRecordSchema = v.variant('type', [
  /** Written before the request leaves. */
  v.object({ type: v.literal('register'), ...registrationProperties }),
  /** The service listed a document that another machine registered, or a journal that was lost: its content isn't known. */
  v.object({ type: v.literal('found'), key, path, name, size, mtime: v.number(), at: time, id: serviceId }),
  v.object({ type: v.literal('registered'), key, id: v.exactOptional(serviceId) }),
  /** The service refused it, or it never got the request. */
  v.object({ type: v.literal('refused'), key }),
  /** The service listed its ID. */
  v.object({ type: v.literal('identified'), key, id: serviceId }),
  /** The file was written again, with the same content. */
  v.object({ type: v.literal('seen'), key, size, mtime: v.number() }),
  /** The file is gone: its document is now an older one. */
  v.object({ type: v.literal('forgotten'), path }),
  /** The document was removed from the service. With ID and path if the journal has no other record of it. */
  v.object({ type: v.literal('removed'), key, id: v.exactOptional(serviceId), path: v.exactOptional(path) }),
  /** Written before the conversation that documents are registered with is created. */
  v.object({ type: v.literal('creating'), name, at: time }),
  v.object({ type: v.literal('carrier'), id: v.exactOptional(serviceId) }),
  /** A sync ended with nothing left to do. */
  v.object({ type: v.literal('synced'), at: time, branch: v.exactOptional(name) }),
]);

export type SyncRecord = Infer<typeof syncRecordSchema>;

/**
 * `pending`: whether the service has it isn't known. `current`: the newest version of its path. `older`: another version is
 * newer, or the file is gone.
 */
type RegistrationState = 'pending' | 'current' | 'older';

export type Registration = Omit<Extract<SyncRecord, { type: 'register' }>, 'type' | 'sha256'> & {
  /** Undefined if the document was found on the service; `size` and `mtime` are then those of the file when it was found. */
  readonly sha256?: string;
  readonly state: RegistrationState;
  /** The service's ID, once it is known. */
  readonly id?: string;
};

/** What is known of the documents of a workspace folder on a service, from the records of its journal. */
export class SyncState {
  readonly #registrations = new Map<string, Registration>();
  /** The number of each registration, in the order in which they were written. */
  readonly #order = new Map<string, number>();
  /** Keys by path. */
  readonly #current = new Map<string, string>();
  /** The documents that were removed from the service, by ID: its list may have them for some time. */
  readonly #removed = new Map<string, { readonly key: string; readonly id: string; readonly path: string }>();
  #carrier: string | undefined;
  #creating: { readonly name: string; readonly at: number } | undefined;
  #synced: { readonly at: number; readonly branch?: string } | undefined;

  constructor(records: Iterable<SyncRecord> = []) {
    for (const record of records) this.apply(record);
  }

  /** All registrations that the service may have, in the order in which they were written. */
  get registrations(): readonly Registration[] {
    return [...this.#registrations.values()];
  }

  /** The newest version of each path that the service has. */
  get current(): readonly Registration[] {
    return [...this.#current.values()].flatMap((each) => this.#registrations.get(each) ?? []);
  }

  /** IDs of documents that were removed from the service. */
  get removedIds(): readonly string[] {
    return [...this.#removed.keys()];
  }

  /** The conversation that documents are registered with. */
  get carrier(): string | undefined {
    return this.#carrier;
  }

  /** The conversation that may have been created, although its ID isn't known. */
  get creating(): { readonly name: string; readonly at: number } | undefined {
    return this.#creating;
  }

  /** The last sync that left nothing to do. */
  get synced(): { readonly at: number; readonly branch?: string } | undefined {
    return this.#synced;
  }

  findCurrent(filePath: string): Registration | undefined {
    return this.#registrations.get(this.#current.get(filePath) ?? '');
  }

  find(registrationKey: string): Registration | undefined {
    return this.#registrations.get(registrationKey);
  }

  /** Returns the paths of which isn't known whether the service has their latest registration. */
  findPendingPaths(): ReadonlySet<string> {
    const latest = new Map(this.registrations.map((registration) => [registration.path, registration]));
    return new Set([...latest].flatMap(([each, { state }]) => (state === 'pending' ? [each] : [])));
  }

  /** Applies a record. One that refers to an unknown registration, as after a damaged line, changes nothing. */
  apply(record: SyncRecord): void {
    switch (record.type) {
      case 'register': {
        const { type: _, ...registration } = record;
        if (this.#order.has(record.key)) return;
        this.#order.set(record.key, this.#order.size);
        this.#registrations.set(record.key, { ...registration, state: 'pending' });
        return;
      }
      case 'found': {
        const { type: _, id, ...registration } = record;
        if (this.#order.has(record.key)) return;
        this.#order.set(record.key, this.#order.size);
        this.#registrations.set(record.key, { ...registration, state: 'pending' });
        this.#setRegistered(record.key, id);
        return;
      }
      case 'registered':
        this.#setRegistered(record.key, record.id);
        return;
      case 'identified': {
        const registration = this.#registrations.get(record.key);
        if (!registration) return;
        if (registration.state === 'pending') this.#setRegistered(record.key, record.id);
        else this.#registrations.set(record.key, { ...registration, id: record.id });
        return;
      }
      case 'refused':
        if (this.#registrations.get(record.key)?.state === 'pending') this.#registrations.delete(record.key);
        return;
      case 'seen': {
        const registration = this.#registrations.get(record.key);
        const { size: newSize, mtime } = record;
        if (registration) this.#registrations.set(record.key, { ...registration, size: newSize, mtime });
        return;
      }
      case 'forgotten':
        this.#retire(record.path);
        return;
      case 'removed': {
        const registration = this.#registrations.get(record.key);
        const { id, path: filePath } = registration ?? record;
        if (id !== undefined && filePath !== undefined)
          this.#removed.set(id, { key: record.key, id, path: filePath });
        this.#registrations.delete(record.key);
        if (registration && this.#current.get(registration.path) === record.key)
          this.#current.delete(registration.path);
        return;
      }
      case 'creating':
        this.#creating = { name: record.name, at: record.at };
        return;
      case 'carrier':
        this.#carrier = record.id;
        this.#creating = undefined;
        return;
      case 'synced':
        this.#synced = {
          at: record.at,
          ...(record.branch !== undefined && { branch: record.branch }),
        };
        return;
    }
  }

  /** Returns the records that lead to this state, without those that no longer matter. */
  toRecords(): SyncRecord[] {
    const records: SyncRecord[] = [];
    if (this.#carrier !== undefined) records.push({ type: 'carrier', id: this.#carrier });
    if (this.#creating) records.push({ type: 'creating', ...this.#creating });
    const { registrations } = this;
    for (const { state: _, id, sha256, listedBefore, ...registration } of registrations) {
      if (sha256 !== undefined)
        records.push({
          ...{ type: 'register', ...registration, sha256 },
          ...(listedBefore && { listedBefore }),
        });
      else if (id !== undefined) records.push({ type: 'found', ...registration, id });
    }
    for (const { state, id, key: each, path: filePath } of registrations) {
      if (state === 'pending') continue;
      records.push({ type: 'registered', key: each, ...(id !== undefined && { id }) });
      if (state === 'older' && !this.#current.has(filePath))
        records.push({ type: 'forgotten', path: filePath });
    }
    // Of each path only the one that was removed last: the service's list isn't older than that for long.
    const removed = new Map([...this.#removed.values()].map((each) => [each.path, each]));
    for (const each of removed.values()) {
      if (this.#current.has(each.path)) records.push({ type: 'removed', ...each });
    }
    if (this.#synced) records.push({ type: 'synced', ...this.#synced });
    return records;
  }

  #setRegistered(registrationKey: string, id: string | undefined): void {
    const registration = this.#registrations.get(registrationKey);
    if (!registration) return;
    const known = { ...registration, ...(id !== undefined && { id }) };
    const current = this.findCurrent(registration.path);
    // Found late, after a newer version was registered. Not by their times: the service's clock is known to the second only.
    if (current && this.#isBefore(registrationKey, current.key)) {
      this.#registrations.set(registrationKey, { ...known, state: 'older' });
      return;
    }
    if (current?.key !== registrationKey) this.#retire(registration.path);
    this.#registrations.set(registrationKey, { ...known, state: 'current' });
    this.#current.set(registration.path, registrationKey);
  }

  /** Returns whether a registration was written before another. */
  #isBefore(one: string, other: string): boolean {
    return (this.#order.get(one) ?? 0) < (this.#order.get(other) ?? 0);
  }

  #retire(filePath: string): void {
    const registration = this.findCurrent(filePath);
    this.#current.delete(filePath);
    if (registration) this.#registrations.set(registration.key, { ...registration, state: 'older' });
  }
}
