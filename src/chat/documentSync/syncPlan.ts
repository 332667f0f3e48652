import type { Registration, SyncState } from './syncState';

/** A file of the workspace folder that its globs match. */
export interface ScannedFile {
  /** In the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  /** ms since the epoch. */
  readonly mtime: number;
}

/**
 * `unconfirmed`: whether the service has it isn't known, because the answer was lost. `found`: the service has a document of its
 * name that wasn't registered from here, so its content isn't known. `failed`: the service has it, but couldn't convert it.
 */
export type SyncChange = 'added' | 'changed' | 'unconfirmed' | 'found' | 'failed' | 'gone';

export interface PlannedFile extends ScannedFile {
  readonly change: SyncChange;
}

/** What a sync would do. */
export interface SyncPlan {
  readonly files: readonly PlannedFile[];
  /** Number of files that are as they were last time. */
  readonly unchanged: number;
  /** Files that were only written again: their new times, by the keys of their registrations. */
  readonly seen: readonly { readonly registration: Registration; readonly file: ScannedFile }[];
}

/**
 * Compares the files with what was registered. Reads only those whose time has changed but not their size: `digest` returns the
 * digest of a file, undefined if it can't be read. `failedIds`: of the documents that the service couldn't convert.
 */
export async function planSync(
  state: SyncState,
  files: readonly ScannedFile[],
  digest: (file: ScannedFile) => Promise<string | undefined>,
  failedIds: ReadonlySet<string> = new Set(),
): Promise<SyncPlan> {
  const planned: PlannedFile[] = [];
  const seen: { registration: Registration; file: ScannedFile }[] = [];
  const pending = state.findPendingPaths();
  let unchanged = 0;
  for (const file of files) {
    const current = state.findCurrent(file.path);
    if (pending.has(file.path)) planned.push({ ...file, change: 'unconfirmed' });
    else if (!current) planned.push({ ...file, change: 'added' });
    // The document's content isn't known: another time doesn't tell whether its file has changed.
    else if (current.size === file.size && current.sha256 === undefined)
      planned.push({ ...file, change: 'found' });
    else if (
      current.size !== file.size ||
      (current.mtime !== file.mtime && (await digest(file)) !== current.sha256)
    )
      planned.push({ ...file, change: 'changed' });
    else if (failedIds.has(current.id ?? '')) planned.push({ ...file, change: 'failed' });
    else {
      unchanged++;
      if (current.mtime !== file.mtime) seen.push({ registration: current, file });
    }
  }
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, size, mtime } of state.current) {
    if (!paths.has(path)) planned.push({ path, size, mtime, change: 'gone' });
  }
  return { files: planned, unchanged, seen };
}
