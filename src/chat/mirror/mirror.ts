import { Emitter } from '../base/emitter';
import {
  createMirrorKey,
  getMaxItemLength,
  hasSameItems,
  isLater,
  isSameItem,
  isSameValue,
  isSynced,
  type MirrorItem,
  type MirrorItems,
  type MirrorKind,
  mergeMirrorItems,
  parseMirrorItem,
  parseMirrorItems,
  splitMirrorKey,
} from './mirrorItems';

/** Delay after the first change: a draft changes with every key. */
const SAVE_DELAY_MS = 1000;
/** VS Code stores all of an extension's state at once, so another window's may replace what was written just before. */
const CHECK_DELAY_MS = 5000;

/** Where the items are kept: on the user's own machine, and not in the storage folder (docs/store.md: The mirror). */
export interface MirrorStorage {
  /** Returns what any window wrote last; `synced` are the items that Settings Sync may exchange between machines. */
  read(part: MirrorPart): unknown;
  write(part: MirrorPart, items: Readonly<Record<string, MirrorItem>>): Promise<void>;
}

export type MirrorPart = 'synced' | 'local';

/**
 * Small things of the user that outlive the storage folder. Every window has a copy in memory and merges it with the stored
 * one whenever it writes, so nothing is lost if another window or Settings Sync replaces what is stored.
 */
export class Mirror {
  readonly #storage: MirrorStorage;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  readonly #changes = new Emitter<readonly string[]>();
  /** Fires with the keys of what another window or another machine changed. */
  readonly onDidChange = this.#changes.on;
  #items: Map<string, MirrorItem>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isDisposed = false;

  /** `onError` receives failed writes, which are tried again; `now` returns ms since the epoch. */
  constructor(storage: MirrorStorage, onError: (error: unknown) => void, now: () => number = Date.now) {
    this.#storage = storage;
    this.#onError = onError;
    this.#now = now;
    this.#items = new Map(this.#readStored());
  }

  /** Returns a value, or undefined if there is none or it was deleted. */
  get(kind: MirrorKind, name: string): unknown {
    return this.getItem(kind, name)?.value;
  }

  /** Returns an item, also a deleted one, and also as another window has changed it since the last refresh. */
  getItem(kind: MirrorKind, name: string): MirrorItem | undefined {
    const key = createMirrorKey(kind, name);
    const stored = [this.#storage.read('synced'), this.#storage.read('local')];
    const copies = [this.#items.get(key), ...stored.map((items) => parseMirrorItem(items, key))];
    return copies.reduce((latest, copy) => (copy && (!latest || isLater(copy, latest)) ? copy : latest));
  }

  /** Returns the items of a kind by name, also the deleted ones. */
  getItems(kind: MirrorKind): Map<string, MirrorItem> {
    return new Map(
      [...this.#items].flatMap(([key, item]) => {
        const split = splitMirrorKey(key);
        return split.kind === kind ? [[split.name, item]] : [];
      }),
    );
  }

  /**
   * Changes a value, or deletes it if undefined. One that is too long is deleted as well: an older one would be wrong.
   * `at`: the time of the change, if it wasn't made just now.
   */
  set(kind: MirrorKind, name: string, value: unknown, at = this.#now()): void {
    const present = this.getItem(kind, name);
    const fits = value !== undefined && JSON.stringify(value).length <= getMaxItemLength(kind);
    const next = fits ? value : undefined;
    if (present ? isSameValue(present.value, next) : next === undefined) return;
    // Also if this machine's clock is behind that of the machine that made the change before.
    const item = { at: Math.max(at, (present?.at ?? 0) + 1), ...(next !== undefined && { value: next }) };
    this.#items.set(createMirrorKey(kind, name), item);
    if (!this.#isDisposed) this.#timer ??= setTimeout(() => void this.flush(), SAVE_DELAY_MS);
  }

  /** Reads what other windows and machines have changed. VS Code reports no changes of its own accord. */
  refresh(): void {
    const before = this.#items;
    this.#items = new Map(mergeMirrorItems(before, this.#readStored()));
    const changed = [...this.#items].filter(([key, item]) => !isSameItem(item, before.get(key)));
    if (changed.length > 0) this.#changes.fire(changed.map(([key]) => key));
  }

  /** Writes what isn't stored. Never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** Writes what isn't stored; after that nothing is tried again. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.flush();
    this.#changes.dispose();
  }

  async #save(): Promise<void> {
    this.refresh();
    try {
      const saved = await Promise.all([this.#savePart('synced'), this.#savePart('local')]);
      if (!saved.includes(true)) return;
    } catch (error) {
      this.#onError(error);
    }
    if (!this.#isDisposed) this.#timer ??= setTimeout(() => void this.flush(), CHECK_DELAY_MS);
  }

  /** Returns whether something had to be written. */
  async #savePart(part: MirrorPart): Promise<boolean> {
    const items = new Map([...this.#items].filter(([key]) => isIn(part, key)));
    if (hasSameItems(items, parseMirrorItems(this.#storage.read(part)))) return false;
    await this.#storage.write(part, Object.fromEntries(items));
    return true;
  }

  #readStored(): MirrorItems {
    const [synced, local] = [this.#storage.read('synced'), this.#storage.read('local')];
    return mergeMirrorItems(parseMirrorItems(synced), parseMirrorItems(local));
  }
}

/**
 * The local part has everything but the prompts: Settings Sync may replace the synced part with another machine's, where
 * something of this machine isn't yet. Prompts are in their files as well.
 */
function isIn(part: MirrorPart, key: string): boolean {
  return part === 'synced' ? isSynced(key) : splitMirrorKey(key).kind !== 'prompt';
}
