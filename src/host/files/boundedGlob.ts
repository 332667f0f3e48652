/**
 * In characters. Longer paths are not matched, because matching takes polynomial time in the length of the
 * path.
 */
export const MAX_MATCHED_PATH_LENGTH = 400;
/** In characters. No longer glob matches such a path, and one of many thousands is too large for a regular expression. */
const MAX_GLOB_LENGTH = 1000;

/**
 * Returns whether a glob from a workspace's file or setting can be matched in reasonable time. It becomes a
 * regular expression, and each further wildcard that can backtrack into the previous one multiplies the time
 * by the length of the path. A `**` at the end matches the rest of the path at once.
 */
export function isBoundedGlob(glob: string): boolean {
  if (glob.length > MAX_GLOB_LENGTH) return false;
  const parts = glob.split('/');
  const folders = parts.slice(0, -1).filter((part) => /^!?\*\*$/.test(part));
  return folders.length <= 1 && parts.every((part) => part.split(/\*+/).length <= 4);
}
