import { isSettingOn } from './gitConfig';
import {
  type GitPattern,
  MatchSteps,
  matchesGitPattern,
  parseGitPatterns,
  TooManyStepsError,
} from './gitPattern';
import { findGitFolders, type GitFiles, getParent, readGitConfig } from './gitRepository';
import { findExcludesFiles, type UserFolders } from './globalGitIgnore';

/** Of all files that apply to a folder. With more, everything in the folder counts as ignored. */
const MAX_PATTERNS = 10_000;
/** Larger files aren't read: everything in their folder counts as ignored. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Of matching one path: some milliseconds. A path that takes more counts as ignored. */
const MAX_STEPS = 1_000_000;

/** The files that the rules are read from. */
export interface GitIgnoreFiles extends GitFiles {
  /** Undefined where no rules for all repositories are read: on the web, and in virtual workspaces. */
  readonly userFolders: UserFolders | undefined;
  /** Returns whether the rules of a folder apply even if it isn't in a repository. */
  isWorkspace(folder: string): boolean;
}

interface PlacedPattern {
  readonly pattern: GitPattern;
  /** Number of the folders from the root to that of its file. */
  readonly depth: number;
}

interface Rules {
  /** The root of the repository, or the workspace folder if there is no repository. */
  readonly root: string;
  /** Number of the folders from the root. */
  readonly depth: number;
  /** Whether the repository ignores case, as Git sets it on Windows and macOS. */
  readonly ignoresCase: boolean;
  /** The last one that matches decides. Undefined if some couldn't be read: then everything may be ignored. */
  readonly patterns: readonly PlacedPattern[] | undefined;
}

/**
 * Matches files that git ignores, by every `.gitignore` from the root of a repository down, its `info/exclude`, and the user's rules
 * for all repositories. Not by VS Code's Git extension: it isn't everywhere, and starts Git for each question. Each file is read
 * once. What may be ignored, because there are too many rules, counts as ignored.
 */
export class GitIgnoreRules {
  readonly #files: GitIgnoreFiles;
  readonly #rules = new Map<string, Promise<Rules | undefined>>();
  readonly #ignoredFolders = new Map<string, Promise<boolean>>();

  constructor(files: GitIgnoreFiles) {
    this.#files = files;
  }

  async ignores(path: string, isFolder = false): Promise<boolean> {
    const parent = getParent(path);
    const rules = parent === undefined ? undefined : await this.#getRules(parent);
    if (parent === undefined || !rules) return false;
    // What is in an ignored folder is ignored, whatever other patterns say.
    if (rules.depth > 0 && (await this.#ignoresFolder(parent))) return true;
    if (!rules.patterns) return true;
    const place = foldCase(path.slice(rules.root.length + 1), rules.ignoresCase);
    const parts = place.split('/').map((name) => Array.from(name));
    const steps = new MatchSteps(MAX_STEPS);
    try {
      const last = rules.patterns.findLast(({ pattern, depth }) =>
        matchesGitPattern(pattern, depth === 0 ? parts : parts.slice(depth), isFolder, steps),
      );
      return last !== undefined && !last.pattern.isNegated;
    } catch (error) {
      if (error instanceof TooManyStepsError) return true;
      throw error;
    }
  }

  #ignoresFolder(folder: string): Promise<boolean> {
    let ignored = this.#ignoredFolders.get(folder);
    if (!ignored) {
      ignored = this.ignores(folder, true);
      this.#ignoredFolders.set(folder, ignored);
    }
    return ignored;
  }

  /** Returns the rules that apply to the folder's children. */
  #getRules(folder: string): Promise<Rules | undefined> {
    let rules = this.#rules.get(folder);
    if (!rules) {
      rules = this.#readRules(folder);
      this.#rules.set(folder, rules);
    }
    return rules;
  }

  async #readRules(folder: string): Promise<Rules | undefined> {
    const ignore = `${folder}/.gitignore`;
    const found = await findGitFolders(this.#files, folder);
    if (found) {
      const shared = found === 'unknown' ? undefined : found.shared;
      const config = shared === undefined ? new Map() : await readGitConfig(this.#files, `${shared}/config`);
      const { userFolders } = this.#files;
      const global = userFolders ? await findExcludesFiles(this.#files, userFolders, folder, config) : [];
      const files = [...global, ...(shared === undefined ? [] : [`${shared}/info/exclude`]), ignore];
      let rules: Rules = {
        ...{ root: folder, depth: 0, patterns: [] },
        ignoresCase: isSettingOn(config, 'core.ignorecase'),
      };
      for (const file of files) rules = addPatterns(rules, await this.#readPatterns(file, rules.ignoresCase));
      return rules;
    }
    const parent = getParent(folder);
    const above = parent === undefined ? undefined : await this.#getRules(parent);
    if (!above && !this.#files.isWorkspace(folder)) return undefined;
    const rules: Rules = above
      ? { ...above, depth: above.depth + 1 }
      : { root: folder, depth: 0, ignoresCase: false, patterns: [] };
    return addPatterns(rules, await this.#readPatterns(ignore, rules.ignoresCase));
  }

  /** Reads the patterns of a file: none if there is no such file, undefined if it is too large or can't be read. */
  async #readPatterns(file: string, ignoresCase: boolean): Promise<GitPattern[] | undefined> {
    if ((await this.#files.getType(file)) !== 'file') return [];
    try {
      return parseGitPatterns(foldCase(await this.#files.readText(file, MAX_FILE_BYTES), ignoresCase));
    } catch {
      return undefined;
    }
  }
}

/** Adds the patterns of a folder; `patterns` is undefined if they can't be read. */
function addPatterns(rules: Rules, patterns: readonly GitPattern[] | undefined): Rules {
  const { depth, patterns: inherited } = rules;
  if (!inherited || !patterns || inherited.length + patterns.length > MAX_PATTERNS)
    return { ...rules, patterns: undefined };
  // Most folders have none of their own.
  if (patterns.length === 0) return rules;
  return { ...rules, patterns: [...inherited, ...patterns.map((pattern) => ({ pattern, depth }))] };
}

function foldCase(text: string, ignoresCase: boolean): string {
  return ignoresCase ? text.toLowerCase() : text;
}
