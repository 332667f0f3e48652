import type { FileInfo } from './storage';

/**
 * The operations of a file system that can only write whole files. What changes a file runs under its lock. A change that
 * fails may have been made all the same, but never in part.
 */
export interface WholeFiles {
  statFile(name: string): Promise<FileInfo | undefined>;
  readFile(name: string): Promise<Uint8Array | undefined>;
  /** Writes a file atomically; resolves to false if it exists and `overwrite` is false. */
  writeFile(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean>;
  /** If it fails, there may be a file with either name, or the same one with both. */
  renameFile(from: string, to: string): Promise<boolean>;
  removeFile(name: string): Promise<boolean>;
  /** Runs the work while no other window that shares the lock changes the file. */
  runExclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Size at which a part is full. Appending rewrites at most this much. */
export const FULL_PART_BYTES = 32 * 1024;

/** An append that may or may not have been made. */
interface FailedAppend {
  readonly bytes: Uint8Array;
  readonly part: string;
  /** The part's content with the bytes. */
  readonly all: Uint8Array;
}

function getPartName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`;
}

/** Returns the part of a name that stays when a file is renamed. */
function getStem(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** Returns which part of which file this is. */
export function parsePartName(partName: string): { readonly name: string; readonly index: number } {
  const [, name = partName, index = 0] = /^(.+)\.([1-9]\d*)$/.exec(partName) ?? [];
  return { name, index: Number(index) };
}

/**
 * Lets files grow where only whole files can be written, without rewriting what they have: a file is stored as
 * parts, `NAME`, `NAME.1`, `NAME.2` and so on. Only the last part is ever rewritten, until it is full. The
 * first part alone decides whether the file exists; a file of an older version is a single part of any size.
 */
export class FileParts {
  readonly #files: WholeFiles;
  /** The full parts of each file that was looked at, from its first: they don't change any more. */
  readonly #fullParts = new Map<string, readonly FileInfo[]>();
  /** For each file, the appends of which none was reported as done, in order. */
  readonly #failedAppends = new Map<string, readonly FailedAppend[]>();

  constructor(files: WholeFiles) {
    this.#files = files;
  }

  /** Returns the files among the names in a folder, and removes parts that a crash left without their first one. */
  async listNames(allNames: readonly string[]): Promise<string[]> {
    const names = allNames.filter((name) => parsePartName(name).index === 0);
    const existing = new Set(names);
    const stems = new Set(names.map(getStem));
    for (const part of allNames) {
      const { name, index } = parsePartName(part);
      if (index === 0 || existing.has(name)) continue;
      // While a file is being renamed, its first part already has the new name.
      if (!stems.has(getStem(name))) await this.#removeOrphan(part);
    }
    return names;
  }

  statFile(name: string): Promise<FileInfo | undefined> {
    return this.#stat(name, false);
  }

  async readFile(name: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const full = this.#fullParts.get(name) ?? [];
    let start = 0;
    const readFull = async (part: string, size: number, partStart: number) => {
      if (partStart + size <= from || partStart >= to) return new Uint8Array();
      const bytes = await this.#readPart(name, part);
      return bytes?.length === size
        ? bytes.subarray(Math.max(0, from - partStart), to - partStart)
        : undefined;
    };
    const reads: Promise<Uint8Array | undefined>[] = [];
    for (const [index, { size }] of full.entries()) {
      reads.push(readFull(getPartName(name, index), size, start));
      start += size;
    }
    const pieces = await Promise.all(reads);
    for (let index = full.length; start < to; index++) {
      const bytes = await this.#readPart(name, getPartName(name, index));
      if (!bytes && index === 0) return;
      if (bytes) pieces.push(bytes.subarray(Math.max(0, from - start), to - start));
      if (!bytes || bytes.length < FULL_PART_BYTES) break;
      start += bytes.length;
    }
    const found = pieces.filter((piece) => piece !== undefined);
    if (found.length === pieces.length) return concatBytes(found);
    // It was removed, or written by an older version.
    this.#fullParts.delete(name);
    return this.readFile(name, from, to);
  }

  /**
   * Appends to a file; returns undefined if it is missing and not to be created. What failed before is to be appended again,
   * before anything else: it is skipped if it was written all the same.
   */
  appendFile(name: string, added: Uint8Array, create: boolean): Promise<FileInfo | undefined> {
    return this.#files.runExclusively(name, async () => {
      const bytes = added.subarray(await this.#countWritten(name, added));
      const failed = this.#failedAppends.get(name) ?? [];
      for (;;) {
        const known = this.#fullParts.get(name);
        const [info, expected] = await Promise.all([
          this.#stat(name, true),
          known && this.#files.readFile(getPartName(name, known.length)),
        ]);
        if (!info && !create) return;
        if (bytes.length === 0 && added.length > 0) {
          this.#failedAppends.delete(name);
          return info;
        }
        // What a crash left of a file with the same name.
        if (!info) await this.#removeOtherParts(name);
        let index = this.#fullParts.get(name)?.length ?? 0;
        let before =
          index === known?.length ? expected : await this.#files.readFile(getPartName(name, index));
        if (!info) before = undefined;
        // Some file systems learn of another window's change only when they read the file.
        while (before && before.length >= FULL_PART_BYTES) {
          before = await this.#files.readFile(getPartName(name, ++index));
        }
        const part = getPartName(name, index);
        const all = before ? concatBytes([before, bytes]) : bytes;
        // If another window has just started the same part, append to that one.
        this.#failedAppends.set(name, [...failed, { bytes, part, all }]);
        if (!(await this.#files.writeFile(part, all, before !== undefined))) continue;
        this.#failedAppends.delete(name);
        // The file is written, even if `stat` fails.
        const written = await this.#files.statFile(part).catch(() => undefined);
        return { name, size: (info?.size ?? 0) + bytes.length, mtime: written?.mtime ?? Date.now() };
      }
    });
  }

  /** Copies the other parts before it renames the first one, so that no crash or failure leaves a file without its end. */
  renameFile(from: string, to: string): Promise<boolean> {
    return this.#files.runExclusively(from, async () => {
      this.#fullParts.delete(from);
      this.#fullParts.delete(to);
      // A file system may delete the file that has the new name before it looks for the other one.
      if (!(await this.#files.statFile(from))) return false;
      await this.#removeOtherParts(to);
      for (let index = 1; ; index++) {
        const bytes = await this.#files.readFile(getPartName(from, index));
        if (!bytes) break;
        await this.#files.writeFile(getPartName(to, index), bytes, true);
      }
      const isRenamed = await this.#files.renameFile(from, to);
      // If that fails, the next list removes them.
      if (isRenamed) await this.#removeOtherParts(from).catch(() => undefined);
      return isRenamed;
    });
  }

  /** Removes a file under the lock, so that a window that appends to it in the meantime doesn't write it again. */
  removeFile(name: string): Promise<boolean> {
    return this.#files.runExclusively(name, async () => {
      this.#fullParts.delete(name);
      const removed = await this.#files.removeFile(name);
      await this.#removeOtherParts(name);
      return removed;
    });
  }

  /** Returns how many of the bytes to be appended were written by appends that were reported as failed. */
  async #countWritten(name: string, bytes: Uint8Array): Promise<number> {
    const written: FailedAppend[] = [];
    let count = 0;
    for (const failed of this.#failedAppends.get(name) ?? []) {
      if (!areEqual(failed.bytes, bytes.subarray(count, count + failed.bytes.length))) break;
      const found = await this.#files.readFile(failed.part);
      if (!found || !areEqual(failed.all, found.subarray(0, failed.all.length))) break;
      written.push(failed);
      count += failed.bytes.length;
    }
    this.#failedAppends.set(name, written);
    return count;
  }

  /** Removes the parts after the first from the last on: a crash leaves no gap, after which others would be missed. */
  async #removeOtherParts(name: string): Promise<void> {
    let count = 0;
    while (await this.#files.statFile(getPartName(name, count + 1))) count++;
    for (let index = count; index > 0; index--) await this.#files.removeFile(getPartName(name, index));
  }

  async #stat(name: string, isLocked: boolean): Promise<FileInfo | undefined> {
    const full = this.#fullParts.get(name) ?? [];
    const statPart = (part: string) => this.#findPart(name, isLocked, () => this.#files.statFile(part));
    const [first, last] = await Promise.all([
      statPart(name),
      full.length > 0 ? statPart(getPartName(name, full.length)) : undefined,
    ]);
    if (!first || (full[0] && first.size !== full[0].size)) {
      // It was removed, or written by an older version.
      this.#fullParts.delete(name);
      return first && this.#stat(name, isLocked);
    }
    const parts = [first, ...full.slice(1), ...(last ? [last] : [])];
    while (isFull(parts.at(-1)) && parts.length !== full.length) {
      const next = await statPart(getPartName(name, parts.length));
      if (!next) break;
      parts.push(next);
    }
    this.#fullParts.set(name, parts.slice(0, isFull(parts.at(-1)) ? parts.length : -1));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return { name, size, mtime: Math.max(...parts.map(({ mtime }) => mtime)) };
  }

  #readPart(name: string, part: string): Promise<Uint8Array | undefined> {
    return this.#findPart(name, false, () => this.#files.readFile(part));
  }

  /**
   * Looks for a part of a file. Some file systems delete a file before they rename another one to its name: if it is
   * missing, looks again under the lock.
   */
  async #findPart<T>(
    name: string,
    isLocked: boolean,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return (await find()) ?? (isLocked ? undefined : await this.#files.runExclusively(name, find));
  }

  #removeOrphan(partName: string): Promise<void> {
    const { name } = parsePartName(partName);
    return this.#files.runExclusively(name, async () => {
      if (!(await this.#files.statFile(name))) await this.#files.removeFile(partName);
    });
  }
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function isFull(part: FileInfo | undefined): boolean {
  return part !== undefined && part.size >= FULL_PART_BYTES;
}

function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...more] = pieces.filter(({ length }) => length > 0);
  if (more.length === 0) return only ?? new Uint8Array();
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
