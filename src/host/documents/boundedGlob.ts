/** Characters of a path that is matched: matching takes time by its powers. */
export const MAX_MATCHED_PATH = 1000;

/**
 * Whether a glob of a workspace's file or setting can be matched in time. It becomes a regular expression, and each further wildcard
 * that can give way to the one before it multiplies its time by the length of the path.
 */
export function isBoundedGlob(glob: string): boolean {
  const parts = glob.split('/');
  const folders = parts.filter((part, index) => part === '**' && index > 0 && index < parts.length - 1);
  return folders.length <= 1 && parts.every((part) => part.split(/\*+/).length <= 4);
}
