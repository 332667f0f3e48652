import type { GitConfig } from './gitConfig';
import { type GitFiles, getParent, readGitConfig, resolvePath } from './gitRepository';

/** Files with settings that are read: more than anyone has, with those that include each other. */
const MAX_CONFIG_FILES = 20;

/** The user's folders, as paths like those of `GitFiles`. */
export interface UserFolders {
  readonly home: string;
  /** For programs' settings (`XDG_CONFIG_HOME`). */
  readonly config: string;
}

/**
 * Returns the files with rules for all of the user's repositories (`core.excludesFile`). Of several settings, and of those that Git
 * includes on a condition, all count: too much is ignored rather than too little. `root`: of the repository with the settings
 * `ofRepository`.
 */
export async function findExcludesFiles(
  files: GitFiles,
  { home, config: configHome }: UserFolders,
  root: string,
  ofRepository: GitConfig,
): Promise<readonly string[]> {
  const waiting = ['/etc/gitconfig', `${configHome}/git/config`, `${home}/.gitconfig`];
  const found = new Set<string>();
  const resolve = (base: string, path: string) =>
    path.startsWith('~/') ? home + path.slice(1) : resolvePath(base, path);
  const addFrom = (config: GitConfig) => {
    for (const path of config.get('core.excludesfile') ?? []) {
      const file = path === '' ? undefined : resolve(root, path);
      if (file !== undefined) found.add(file);
    }
  };
  // Loops among the files that include each other end here, too.
  for (let at = 0; at < waiting.length && at < MAX_CONFIG_FILES; at++) {
    const file = waiting[at] ?? '';
    const config = await readGitConfig(files, file);
    addFrom(config);
    for (const [setting, paths] of config) {
      if (!/^include(?:if\..*)?\.path$/s.test(setting)) continue;
      for (const path of paths) waiting.push(resolve(getParent(file) ?? '', path) ?? '');
    }
  }
  addFrom(ofRepository);
  return found.size > 0 ? [...found] : [`${configHome}/git/ignore`];
}
