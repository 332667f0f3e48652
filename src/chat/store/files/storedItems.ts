import * as v from 'valibot';
import { areEqual } from './fileParts';
import type { Storage } from './storage';

/** An item of a stored list that this version doesn't know, with its place. */
export interface UnknownItem {
  readonly index: number;
  readonly value: unknown;
}

/** Parses a list item by item, so that one of a newer version doesn't cost the others. */
export function parseItems<T>(
  items: readonly unknown[],
  schema: v.GenericSchema<unknown, T>,
): { readonly known: readonly T[]; readonly unknown: readonly UnknownItem[] } {
  const known: T[] = [];
  const unknown: UnknownItem[] = [];
  for (const [index, value] of items.entries()) {
    const parsed = v.safeParse(schema, value, { abortEarly: true });
    if (parsed.success) known.push(parsed.output);
    else unknown.push({ index, value });
  }
  return { known, unknown };
}

/** Returns a list to be stored, with the unknown items where they were, as far as it is long enough. */
export function addUnknownItems(
  items: readonly unknown[],
  unknown: readonly UnknownItem[],
): readonly unknown[] {
  const all = [...items];
  for (const { index, value } of unknown) all.splice(index, 0, value);
  return all;
}

const DAMAGED_EXTENSION = '.damaged';

function* getDamagedNames(name: string): Generator<string, never> {
  yield `${name}${DAMAGED_EXTENSION}`;
  for (let number = 2; ; number++) yield `${name}${DAMAGED_EXTENSION}-${number}`;
}

/**
 * Keeps a copy of a file that can't be read, because its next change replaces it, and returns the error to report. Throws
 * file system errors.
 */
export async function keepDamagedFile(
  storage: Storage,
  name: string,
  bytes: Uint8Array,
  cause: unknown,
): Promise<Error> {
  const createError = (copy: string) => new Error(`${name} can't be read, and is kept as ${copy}`, { cause });
  for (const copy of getDamagedNames(name)) {
    if (await storage.createFile(copy, bytes)) return createError(copy);
    const kept = await storage.readFile(copy);
    if (kept && areEqual(kept, bytes)) return createError(copy);
  }
  throw new Error('unreachable');
}

/** Removes a file with what was kept of damaged ones. */
export async function removeWithCopies(storage: Storage, name: string): Promise<void> {
  const names = [name];
  for (const copy of getDamagedNames(name)) {
    if (!(await storage.statFile(copy))) break;
    names.push(copy);
  }
  // After a failure the copies that are left are found by their numbers.
  for (const each of names.toReversed()) await storage.removeFile(each);
}
