import * as v from 'valibot';
import { time } from '../../shared/conversation/conversationSchemas';

/**
 * One mirrored value with the time of its last change, in ms since the epoch. Without a value it was deleted: that is
 * remembered, so that an older copy doesn't bring it back.
 */
export interface MirrorItem {
  readonly at: number;
  readonly value?: unknown;
}

/** Items by key: the kind, a space, and what distinguishes it from others of its kind. */
export type MirrorItems = ReadonlyMap<string, MirrorItem>;

/** What is mirrored. */
export const MIRROR_KINDS = {
  /** Of the conversation at a place on a service. */
  pinned: { synced: true, length: 20_000 },
  archived: { synced: true, length: 60_000 },
  name: { synced: true, length: 30_000 },
  deleted: { synced: true, length: 30_000 },
  /** A personal prompt, by the name of its file. */
  prompt: { synced: true, length: 80_000 },
  /** What the list shows of a conversation that has one of the others. */
  listed: { synced: false, length: 60_000 },
  draft: { synced: false, length: 60_000 },
  queue: { synced: false, length: 60_000 },
} as const;

/** `length`: how many characters (UTF-16 code units) all items of a kind may have together, with their keys. */
interface KindLimits {
  readonly synced: boolean;
  readonly length: number;
}

export type MirrorKind = keyof typeof MIRROR_KINDS;

/** Of a kind that a newer version added. */
const UNKNOWN_KIND: KindLimits = { synced: true, length: 10_000 };
/** No item takes more of its kind's limit. */
const MAX_SHARE = 1 / 4;
/** How many deleted items are remembered for each kind: the newest. */
const MAX_DELETED = 200;
const MAX_KEY_LENGTH = 500;

const itemSchema = v.object({ at: time, value: v.exactOptional(v.unknown()) });
const itemsSchema = v.record(v.string(), v.unknown());

export function createMirrorKey(kind: MirrorKind, name: string): string {
  return `${kind} ${name}`;
}

export function splitMirrorKey(key: string): { readonly kind: string; readonly name: string } {
  const at = key.indexOf(' ');
  return { kind: key.slice(0, Math.max(0, at)), name: key.slice(at + 1) };
}

/** Returns how long the value of one item may be, as JSON in UTF-16 code units. */
export function getMaxItemLength(kind: string): number {
  return getLimits(kind).length * MAX_SHARE - MAX_KEY_LENGTH;
}

export function isSynced(key: string): boolean {
  return getLimits(splitMirrorKey(key).kind).synced;
}

/** Reads items that were stored, maybe by another version or on another machine; skips what isn't one. */
export function parseMirrorItems(stored: unknown): MirrorItems {
  const items = v.safeParse(itemsSchema, stored);
  if (!items.success) return new Map();
  return new Map(
    Object.keys(items.output).flatMap((key) => {
      const item = parseMirrorItem(items.output, key);
      return item ? [[key, item]] : [];
    }),
  );
}

/** Reads one item, as `parseMirrorItems`. */
export function parseMirrorItem(stored: unknown, key: string): MirrorItem | undefined {
  if (typeof stored !== 'object' || !stored || !Object.hasOwn(stored, key)) return;
  const item = v.safeParse(itemSchema, Reflect.get(stored, key));
  return item.success && key.length <= MAX_KEY_LENGTH && isJson(item.output) ? item.output : undefined;
}

/** A value that is nested too deeply can't be written again. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Merges two copies: of each item the later change counts, whichever copy it is in. The order of several merges doesn't
 * matter, unless so much is mirrored that the oldest are left out.
 */
export function mergeMirrorItems(one: MirrorItems, other: MirrorItems): MirrorItems {
  const merged = new Map(one);
  for (const [key, item] of other) {
    const present = merged.get(key);
    if (!present || isLater(item, present)) merged.set(key, item);
  }
  return leaveOutOldest(merged);
}

/** Returns whether two copies have the same items. */
export function hasSameItems(one: MirrorItems, other: MirrorItems): boolean {
  return one.size === other.size && [...one].every(([key, item]) => isSameItem(item, other.get(key)));
}

export function isSameItem(one: MirrorItem | undefined, other: MirrorItem | undefined): boolean {
  return one?.at === other?.at && isSameValue(one?.value, other?.value);
}

export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || toSortedJson(one) === toSortedJson(other);
}

/** Of two changes at the same time, every machine prefers the same one: the deletion, or else the greater value. */
export function isLater(item: MirrorItem, present: MirrorItem): boolean {
  if (item.at !== present.at) return item.at > present.at;
  if (item.value === undefined || present.value === undefined)
    return item.value === undefined && present.value !== undefined;
  return toSortedJson(item.value) > toSortedJson(present.value);
}

function leaveOutOldest(items: MirrorItems): MirrorItems {
  const left = new Map<string, { length: number; deleted: number }>();
  const newestFirst = [...items].sort(
    ([oneKey, one], [otherKey, other]) => other.at - one.at || (oneKey < otherKey ? -1 : 1),
  );
  return new Map(
    newestFirst.filter(([key, { value }]) => {
      const { kind } = splitMirrorKey(key);
      const limits = left.get(kind) ?? { length: getLimits(kind).length, deleted: MAX_DELETED };
      left.set(kind, limits);
      if (value === undefined) return limits.deleted-- > 0;
      const length = toSortedJson(value).length + key.length;
      if (length > getLimits(kind).length * MAX_SHARE) return false;
      limits.length -= length;
      return limits.length >= 0;
    }),
  );
}

function getLimits(kind: string): KindLimits {
  return Object.hasOwn(MIRROR_KINDS, kind) ? MIRROR_KINDS[kind as MirrorKind] : UNKNOWN_KIND;
}

/** VS Code's copy of a value may list its properties in another order. */
function toSortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
