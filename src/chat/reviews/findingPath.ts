/**
 * Returns the paths that a reply may mean, best first: the one that it names, without a prefix of Git's, and if it names only
 * the end of a path, the only file of the diff that ends so.
 */
export function findChangedPath(named: string, paths: readonly string[]): readonly string[] {
  const path = named.replaceAll('\\', '/').replace(/^\.\//, '');
  const stripped = path.replace(/^[abciow]\//, '');
  const exact = [path, stripped].filter((each) => paths.includes(each));
  const endings = paths.filter((each) => each.endsWith(`/${path}`));
  return [...new Set([...exact, path, stripped, ...(endings.length === 1 ? endings : [])])];
}
