/** How much the service keeps. Beyond a limit, it deletes the oldest as if a client had. */
export interface Limits {
  readonly requests: number;
  /** The JSON bodies of the recorded requests, in bytes. */
  readonly requestBytes: number;
  readonly conversations: number;
  /** The messages and replies of all conversations. */
  readonly messages: number;
  readonly documents: number;
  readonly folders: number;
  /** The uploads with a signed URL, used or not. */
  readonly uploads: number;
  /** The uploaded bytes. */
  readonly objectBytes: number;
  /** The streams that were promised to clients, read or not. */
  readonly streams: number;
  /** The faults, and the scripts, that were set over HTTP and wait for their request; more are refused. */
  readonly waiting: number;
  /** The steps of one script that were sent over HTTP, as bytes of JSON; more are refused. */
  readonly scriptBytes: number;
}

export const defaultLimits: Limits = {
  requests: 10_000,
  requestBytes: 100_000_000,
  conversations: 10_000,
  messages: 100_000,
  documents: 10_000,
  folders: 1000,
  uploads: 10_000,
  objectBytes: 1_000_000_000,
  streams: 10_000,
  waiting: 100,
  scriptBytes: 10_000_000,
};

/** A Map that deletes its oldest entries, except the newest, while they weigh more than a limit. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #limit: number;
  readonly #onEvict: (value: V, key: string) => void;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /**
   * @param onEvict is called after the deletion of an old entry
   * @param weigh returns 1 by default, so that the limit is a number of entries
   */
  constructor(
    limit: number,
    onEvict: (value: V, key: string) => void = () => undefined,
    weigh: (value: V) => number = () => 1,
  ) {
    super();
    this.#limit = limit;
    this.#onEvict = onEvict;
    this.#weigh = weigh;
  }

  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldKey, old] of this) {
      if (this.#weight <= this.#limit || oldKey === key) break;
      this.delete(oldKey);
      this.#onEvict(old, oldKey);
    }
    return this;
  }

  override delete(key: string): boolean {
    const value = this.get(key);
    if (value !== undefined) this.#weight -= this.#weigh(value);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#weight = 0;
  }
}
