import { sleep } from '../../../client/sleep';
import { Mutex } from '../../base/mutex';
import type { Storage } from './storage';

/** Heartbeat interval and timeout of a lease. */
export interface LeaseTimes {
  /** Interval between heartbeats. */
  readonly heartbeatMs: number;
  /** Time for which a window has to see no heartbeat before it considers the holder gone. */
  readonly staleMs: number;
  /** Returns ms of a clock that is never set, unlike that of dates. */
  readonly now: () => number;
}

export const DEFAULT_LEASE_TIMES: LeaseTimes = {
  heartbeatMs: 1000,
  staleMs: 5000,
  now: () => performance.now(),
};

/** Time between two looks at a lease after which the first one doesn't count any more. */
const MAX_GAP_MS = 10_000;

/** Interval between two attempts to acquire a lease that another window holds. */
const RETRY_MS = 20;

/** Returns how many ms to wait before reading a lease again. Timers can fire early. */
export const getWaitMs = ({ staleMs }: LeaseTimes) => staleMs + 10;

/** The window that holds a lease. */
export interface LeaseHolder {
  /** The name that the window gave itself. */
  readonly owner: string;
  /** Time of acquisition, in ms since the epoch. */
  readonly at: number;
}

interface LeaseFile extends LeaseHolder {
  /** Unique to this acquisition of the lease. */
  readonly token: string;
  /** Differs after each heartbeat. */
  readonly sign: string;
}

/** A window's observations of a lease held by another. */
interface Observation {
  readonly sign: string;
  /** When the sign was first seen. */
  readonly since: number;
  /** When it was last seen. */
  last: number;
  isStale: boolean;
}

/** The exclusive right to write a conversation, until it is released or taken over by another window. */
export interface Lease {
  /** Aborted when another window takes over. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const EXTENSION = '.lease';

export const getLeaseName = (id: string) => `${id}${EXTENSION}`;

/** Returns the ID of the conversation that a lease file belongs to, or undefined for other files. */
export function parseLeaseName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

const getClaimName = (lease: string, token: string) => `${lease}-${token}`;

/** Returns whether a file is a claim on a lease. */
export const isClaim = (name: string) => name.includes(`${EXTENSION}-`);

/** Appended by each heartbeat. The size matters, too: in VS Code for the Web, only one window sees the time change. */
const HEARTBEAT = new TextEncoder().encode(' ');
const BEAT_OPTIONS = { durable: false, create: false };

/**
 * The leases that this window acquires: one file each, which grows every second while it is held. A lease of another window
 * is stale once this window has seen it unchanged for five seconds of its own: clocks can differ, and be set.
 */
export class Leases {
  readonly times: LeaseTimes;
  readonly #storage: Storage;
  readonly #owner: string;
  readonly #held = new Map<string, HeldLease>();
  /** By the names of the files. */
  readonly #seen = new Map<string, Observation>();
  /** The tokens of leases that this window released, but may not have been able to remove. */
  readonly #released = new Set<string>();
  /** Serializes acquiring and releasing, so that this window never conflicts with its own lease. */
  readonly #mutex = new Mutex();
  #isDisposed = false;

  constructor(storage: Storage, owner: string, times = DEFAULT_LEASE_TIMES) {
    this.#storage = storage;
    this.#owner = owner;
    this.times = times;
  }

  /**
   * Acquires the lease, or returns its holder; `force` takes it over. Ref-counted: nested acquires in this
   * window share one lease.
   */
  acquire(id: string, force = false): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    return this.#mutex.run(async () => {
      const mine = this.#held.get(id);
      if (mine && !mine.lost.aborted) return this.#share(id, mine);
      const holder = { owner: this.#owner, at: Date.now(), token: createToken() };
      const heldBy = await this.#claim(getLeaseName(id), holder, force);
      if (heldBy) return { heldBy: { owner: heldBy.owner, at: heldBy.at } };
      const lease = new HeldLease(this.#storage, this.times, getLeaseName(id), holder);
      if (this.#isDisposed) lease.stopHeartbeat();
      this.#held.set(id, lease);
      return this.#share(id, lease);
    });
  }

  /**
   * Acquires the lease once no other window holds it. If another window dies while it holds it, that takes until it is stale.
   * Rejects with the signal's reason if aborted.
   */
  async waitFor(id: string, signal?: AbortSignal): Promise<Lease> {
    for (;;) {
      const lease = await this.acquire(id);
      if (!('heldBy' in lease)) return lease;
      await sleep(RETRY_MS, signal);
    }
  }

  /** Returns the other window that is writing the conversation, if any. */
  findOtherHolder(id: string): Promise<LeaseHolder | undefined> {
    // Wait for acquires in progress: a lease being acquired here must not look like another window's.
    return this.#mutex.run(async () => {
      const name = getLeaseName(id);
      const held = await readLeaseFile(this.#storage, name);
      if (!held) this.#seen.delete(name);
      if (!held || held.token === this.#held.get(id)?.token) return;
      return this.#isAlive(name, held) ? held : undefined;
    });
  }

  /** Returns whether this window holds the lease. */
  isHeldHere(id: string): boolean {
    return this.#held.get(id)?.lost.aborted === false;
  }

  /** Checks now whether this window still holds the lease, instead of at the next heartbeat. */
  async check(id: string): Promise<void> {
    await this.#held.get(id)?.check();
  }

  /** Releases all leases. One whose file can't be removed expires, and so does one that is acquired later. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.allSettled([...this.#held.values()].map((lease) => lease.end()));
  }

  #share(id: string, lease: HeldLease): Lease {
    lease.refCount++;
    let released = false;
    return {
      lost: lease.lost,
      release: () =>
        this.#mutex.run(async () => {
          if (released) return;
          released = true;
          if (--lease.refCount > 0) return;
          // Even if its file can't be removed, it isn't shared again: it has no heartbeat any more.
          if (this.#held.get(id) === lease) this.#held.delete(id);
          this.#released.add(lease.token);
          await lease.end();
          this.#released.delete(lease.token);
        }),
    };
  }

  /**
   * Makes the file this window's, or returns its holder if that one is alive. If several windows try at the same time,
   * exactly one succeeds.
   */
  async #claim(name: string, holder: OwnHolder, force: boolean): Promise<LeaseHolder | undefined> {
    for (;;) {
      if (await this.#storage.createFile(name, encodeHolder(holder))) {
        this.#seen.delete(name);
        return;
      }
      const held = await readLeaseFile(this.#storage, name);
      if (!held) continue;
      if (this.#isAlive(name, held) && !force) return held;
      // Only the holder of a claim on this very acquisition may replace the file, so that no window mistakes a
      // fresh lease for the stale one.
      const claim = getClaimName(name, held.token);
      const claimedBy = await this.#claim(claim, holder, false);
      if (claimedBy) return claimedBy;
      let taken = false;
      try {
        const now = await readLeaseFile(this.#storage, name);
        if (now?.token === held.token && (force || !this.#isAlive(name, now))) {
          await this.#storage.replaceFile(name, encodeHolder(holder));
          taken = true;
          return;
        }
      } finally {
        // After a takeover the claim stays for the previous holder, which may only find out once the new lease
        // is gone again.
        if (!taken) await this.#storage.removeFile(claim);
      }
    }
  }

  /** Returns whether the holder of a lease or claim, which was read just now, is still there as far as this window knows. */
  #isAlive(name: string, { token, sign }: LeaseFile): boolean {
    if (this.#released.has(token)) return false;
    const { staleMs, now } = this.times;
    const time = now();
    const seen = this.#seen.get(name);
    // Between reads that are far apart this machine may have slept, and the holder with it. A claim has no heartbeats.
    const mayHaveSlept = seen && !isClaim(name) && time - seen.last > MAX_GAP_MS;
    if (!seen || seen.sign !== sign || (mayHaveSlept && !seen.isStale)) {
      this.#seen.set(name, { sign, since: time, last: time, isStale: false });
      return true;
    }
    seen.last = time;
    seen.isStale ||= time - seen.since >= staleMs;
    return !seen.isStale;
  }
}

type OwnHolder = LeaseHolder & { readonly token: string };

class HeldLease {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #holder: OwnHolder;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #renewing: Promise<void> | undefined;
  refCount = 0;

  constructor(storage: Storage, times: LeaseTimes, name: string, holder: OwnHolder) {
    this.#storage = storage;
    this.#name = name;
    this.#holder = holder;
    this.#timer = setInterval(() => void this.renew(), times.heartbeatMs);
  }

  get token(): string {
    return this.#holder.token;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Adds a heartbeat if this window still holds the lease. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async check(): Promise<void> {
    const held = await readLeaseFile(this.#storage, this.#name);
    // An empty file is a lease that is just being created: the next heartbeat will see its holder.
    if (held ? held.token !== '' && held.token !== this.token : await this.#isTaken()) await this.#markLost();
  }

  stopHeartbeat(): void {
    clearInterval(this.#timer);
  }

  async end(): Promise<void> {
    this.stopHeartbeat();
    await this.#renewing;
    const held = await readLeaseFile(this.#storage, this.#name);
    if (held?.token === this.token) await this.#storage.removeFile(this.#name);
  }

  async #renew(): Promise<void> {
    try {
      const held = await readLeaseFile(this.#storage, this.#name);
      if (held?.token === this.token) await this.#storage.appendFile(this.#name, HEARTBEAT, BEAT_OPTIONS);
      else if (held || (await this.#isTaken())) await this.#markLost();
      // The previous holder may have removed the file just as it changed hands.
      else if (!(await this.#storage.createFile(this.#name, encodeHolder(this.#holder))))
        await this.#markLost();
    } catch {
      // The disk refused a heartbeat: if that lasts, another window takes over, and a later heartbeat
      // notices.
    }
  }

  /** Returns whether another window took over, even if it has released the lease since. */
  async #isTaken(): Promise<boolean> {
    return (await this.#storage.statFile(getClaimName(this.#name, this.token))) !== undefined;
  }

  async #markLost(): Promise<void> {
    this.stopHeartbeat();
    this.#lost.abort();
    await this.#storage.removeFile(getClaimName(this.#name, this.token));
  }
}

async function readLeaseFile(storage: Storage, name: string): Promise<LeaseFile | undefined> {
  const info = await storage.statFile(name);
  const bytes = info && (await storage.readFile(name));
  if (!bytes) return;
  // Empty for a moment between creation and writing, or permanently after a crash in between.
  const text = new TextDecoder().decode(bytes);
  const [token = '', at = '', ...owner] = text.split(' ');
  // A token becomes part of a file name, so any other could be a path.
  const isToken = /^[\w-]{1,100}$/.test(token);
  const sign = `${info.mtime} ${text}`;
  return { token: isToken ? token : '', at: Number(at), owner: owner.join(' ').trimEnd(), sign };
}

function encodeHolder({ token, at, owner }: OwnHolder): Uint8Array {
  return new TextEncoder().encode(`${token} ${at} ${owner}`);
}

function createToken(): string {
  return crypto.randomUUID().slice(0, 8);
}
