/** A file that a window left when it ended in the middle of a replacement. */
export interface Leftover {
  readonly name: string;
  /** The name of the file that was to be replaced. */
  readonly target: string;
  /**
   * `writing`: it may be incomplete, and its target wasn't touched. `written`: it is complete, and its target may have been
   * deleted for it. `old`: the same, by a version of Parley that had one name for both.
   */
  readonly state: 'writing' | 'written' | 'old';
}

export const getWritingName = (target: string) => `${target}.${crypto.randomUUID()}.writing`;

export const getWrittenName = (target: string) => `${target}.written`;

/** Returns what is known from a file's name, or undefined for files that aren't left over. */
export function parseLeftoverName(name: string): Leftover | undefined {
  const [, target, suffix] = /^(.+?)\.(?:[\da-f-]{36}\.(writing|tmp)|written)$/.exec(name) ?? [];
  if (target === undefined) return;
  return { name, target, state: suffix === 'tmp' ? 'old' : suffix === 'writing' ? 'writing' : 'written' };
}

interface Operations {
  exists(name: string): Promise<boolean>;
  renameFile(from: string, to: string): Promise<boolean>;
  removeFile(name: string): Promise<boolean>;
}

/**
 * Finishes a replacement whose target is missing because of it, and removes any other leftover: what was deleted on purpose
 * doesn't come back. Runs under the lock of the target.
 */
export async function recoverLeftover(
  { name, target, state }: Leftover,
  { exists, renameFile: rename, removeFile: remove }: Operations,
): Promise<void> {
  if (state === 'writing' || (await exists(target))) await remove(name);
  else await rename(name, target);
}
