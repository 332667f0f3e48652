import { Mutex } from '../base/mutex';
import type { Storage } from './storage';

/** When a writer gives a sign of life, and when it counts as gone. */
export interface LeaseTimes {
  /** Between two signs of life. */
  readonly heartbeatMs: number;
  /** Without a sign of life, until a writer counts as gone. */
  readonly staleMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const DEFAULT_LEASE_TIMES: LeaseTimes = { heartbeatMs: 1000, staleMs: 5000, now: Date.now };

/** Who has a lease. */
export interface LeaseHolder {
  /** The window, as it called itself. */
  readonly owner: string;
  /** Since when, in ms since the epoch. */
  readonly at: number;
}

interface LeaseFile extends LeaseHolder {
  /** Tells this taking of the lease from all others. */
  readonly token: string;
  readonly alive: boolean;
}

/** The right to write a conversation, until it is released, or lost to a window that took it. */
export interface Lease {
  /** Aborted when another window took over. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const EXTENSION = '.lease';

export const leaseName = (id: string) => `${id}${EXTENSION}`;

/** The conversation whose lease this is; undefined for other files. */
export function idOfLease(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

const claimName = (lease: string, token: string) => `${lease}-${token}`;

/** Whether this is a claim on a lease. */
export const isClaim = (name: string) => name.includes(`${EXTENSION}-`);

/** Whether a lease's file, or a claim's, bears a sign of life. A clock that was set back must not keep it alive for long. */
export function isAlive(mtime: number, { staleMs, now }: LeaseTimes): boolean {
  return Math.abs(now() - mtime) < staleMs;
}

/** The leases that this window takes: a file each, touched every second while it is held, so that a crash frees it. */
export class Leases {
  readonly times: LeaseTimes;
  readonly #storage: Storage;
  readonly #owner: string;
  readonly #held = new Map<string, HeldLease>();
  /** Between the end of one lease and the next there is no moment in which this window stands in its own way. */
  readonly #mutex = new Mutex();

  constructor(storage: Storage, owner: string, times = DEFAULT_LEASE_TIMES) {
    this.#storage = storage;
    this.#owner = owner;
    this.times = times;
  }

  /** Takes the lease, or says who has it; `force` takes it from them. Whoever holds it here already shares it. */
  acquire(id: string, force = false): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    return this.#mutex.run(async () => {
      const mine = this.#held.get(id);
      if (mine && !mine.lost.aborted) return this.#share(id, mine);
      const holder = { owner: this.#owner, at: this.times.now(), token: newToken() };
      const heldBy = await claimLease(this.#storage, this.times, leaseName(id), holder, force);
      if (heldBy) return { heldBy: { owner: heldBy.owner, at: heldBy.at } };
      const lease = new HeldLease(this.#storage, this.times, leaseName(id), holder);
      this.#held.set(id, lease);
      return this.#share(id, lease);
    });
  }

  /** Who writes the conversation in another window, if anybody does. */
  heldElsewhere(id: string): Promise<LeaseHolder | undefined> {
    // In turn: a lease that is just being taken here must not look like another window's.
    return this.#mutex.run(async () => {
      const held = await readHeld(this.#storage, this.times, leaseName(id));
      return held?.alive && held.token !== this.#held.get(id)?.token ? held : undefined;
    });
  }

  /** Looks at once whether the lease is still ours, instead of at the next heartbeat. */
  async check(id: string): Promise<void> {
    await this.#held.get(id)?.check();
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#held.values()].map((lease) => lease.end()));
  }

  #share(id: string, lease: HeldLease): Lease {
    lease.users++;
    let released = false;
    return {
      lost: lease.lost,
      release: () =>
        this.#mutex.run(async () => {
          if (released) return;
          released = true;
          if (--lease.users > 0) return;
          await lease.end();
          if (this.#held.get(id) === lease) this.#held.delete(id);
        }),
    };
  }
}

class HeldLease {
  readonly #storage: Storage;
  readonly #times: LeaseTimes;
  readonly #name: string;
  readonly #holder: LeaseHolder & { readonly token: string };
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #beating: Promise<void> | undefined;
  /** How many share it. */
  users = 0;

  constructor(
    storage: Storage,
    times: LeaseTimes,
    name: string,
    holder: LeaseHolder & { readonly token: string },
  ) {
    this.#storage = storage;
    this.#times = times;
    this.#name = name;
    this.#holder = holder;
    this.#timer = setInterval(() => void this.beat(), times.heartbeatMs);
  }

  get token(): string {
    return this.#holder.token;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** A sign of life, where the lease is still ours. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async check(): Promise<void> {
    const held = await readHeld(this.#storage, this.#times, this.#name);
    // Empty is a lease that is just being made: the next beat sees whose.
    if (held ? held.token !== '' && held.token !== this.token : await this.#isTaken()) await this.#lose();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const held = await readHeld(this.#storage, this.#times, this.#name);
    if (held?.token === this.token) await this.#storage.remove(this.#name);
  }

  async #beat(): Promise<void> {
    try {
      const held = await readHeld(this.#storage, this.#times, this.#name);
      if (held?.token === this.token) await this.#storage.touch(this.#name);
      else if (held || (await this.#isTaken())) await this.#lose();
      // A window that held it before us may have removed it in the moment of the change.
      else if (!(await this.#storage.create(this.#name, encode(this.#holder)))) await this.#lose();
    } catch {
      // The disk refuses a sign of life: if that lasts, another window takes over, and the next beat finds that out.
    }
  }

  /** Who took it may have given it back since. */
  async #isTaken(): Promise<boolean> {
    return (await this.#storage.stat(claimName(this.#name, this.token))) !== undefined;
  }

  async #lose(): Promise<void> {
    clearInterval(this.#timer);
    this.#lost.abort();
    await this.#storage.remove(claimName(this.#name, this.token));
  }
}

/** Makes the file ours; who has it instead, where somebody alive does. Of several windows at once, one succeeds. */
async function claimLease(
  storage: Storage,
  times: LeaseTimes,
  name: string,
  holder: LeaseHolder & { readonly token: string },
  force: boolean,
): Promise<LeaseFile | undefined> {
  for (;;) {
    if (await storage.create(name, encode(holder))) return;
    const held = await readHeld(storage, times, name);
    if (!held) continue;
    if (held.alive && !force) return held;
    // Only who owns the claim on this very taking may replace it, so nobody mistakes a fresh lease for the stale one.
    const claim = claimName(name, held.token);
    const claimedBy = await claimLease(storage, times, claim, holder, false);
    if (claimedBy) return claimedBy;
    let taken = false;
    try {
      const now = await readHeld(storage, times, name);
      if (now?.token === held.token && (force || !now.alive)) {
        await storage.replace(name, encode(holder));
        taken = true;
        return;
      }
    } finally {
      // The claim on what was taken stays for who had it, who may look only once the new lease is gone again.
      if (!taken) await storage.remove(claim);
    }
  }
}

async function readHeld(storage: Storage, times: LeaseTimes, name: string): Promise<LeaseFile | undefined> {
  const info = await storage.stat(name);
  const bytes = info && (await storage.read(name));
  if (!bytes) return;
  const alive = isAlive(info.mtime, times);
  // Empty for a moment between its making and its writing, or for ever after a crash in between.
  const [token = '', at = '', ...owner] = new TextDecoder().decode(bytes).split(' ');
  return { token, at: Number(at), owner: owner.join(' '), alive };
}

function encode({ token, at, owner }: LeaseHolder & { readonly token: string }): Uint8Array {
  return new TextEncoder().encode(`${token} ${at} ${owner}`);
}

function newToken(): string {
  return crypto.randomUUID().slice(0, 8);
}
