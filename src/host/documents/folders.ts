import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { isBoundedGlob, MAX_MATCHED_PATH_LENGTH } from '../files/boundedGlob';
import type { GitIgnore } from '../files/gitIgnore';

/** Folders with more files can't be uploaded. */
export const MAX_FILES = 500;
/** Larger files in a folder are left out: the hosted service doesn't accept them. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** Each file is matched against all of them. */
const MAX_EXCLUDE_GLOBS = 1000;

export interface FolderFiles {
  readonly files: readonly vscode.Uri[];
  /**
   * Number of files and folders left out: ignored by git, excluded by `files.exclude`, too large, or links to
   * folders.
   */
  readonly leftOut: number;
  /** The folder has more than `MAX_FILES` files. */
  readonly tooMany: boolean;
}

/** Lists the files of a folder and its subfolders, sorted by name. Throws the file system's error. */
export async function listFiles(folder: vscode.Uri, gitIgnore: GitIgnore): Promise<FolderFiles> {
  const files: vscode.Uri[] = [];
  let leftOut = 0;
  const isExcluded = createExcludeTest(folder);

  async function walk(inside: vscode.Uri): Promise<void> {
    const entries = await vscode.workspace.fs.readDirectory(inside);
    const names = new Set(entries.map(([name]) => name));
    for (const [name, type] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (files.length > MAX_FILES) return;
      const uri = vscode.Uri.joinPath(inside, name);
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      if (name === '.git' || isExcluded(uri, names) || (await gitIgnore.ignores(uri, isFolder))) leftOut++;
      else if (isFolder && type & vscode.FileType.SymbolicLink) leftOut++;
      else if (isFolder) await walk(uri);
      else if (await isUploadable(uri, type)) files.push(uri);
      else leftOut++;
    }
  }

  await walk(folder);
  return { files: files.slice(0, MAX_FILES), leftOut, tooMany: files.length > MAX_FILES };
}

async function isUploadable(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
  if (!(type & vscode.FileType.File)) return false;
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > 0 && size <= MAX_FILE_BYTES;
}

/**
 * Returns a function that tests whether `files.exclude` excludes a file; `names` are its siblings, for `when`
 * clauses.
 */
function createExcludeTest(folder: vscode.Uri): (uri: vscode.Uri, names: ReadonlySet<string>) => boolean {
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const setting = vscode.workspace.getConfiguration('files', folder).get<object>('exclude') ?? {};
  const rules = Object.entries(setting)
    .filter(([glob, on]) => on !== false && isBoundedGlob(glob))
    .slice(0, MAX_EXCLUDE_GLOBS)
    .flatMap(([glob, on]: [string, unknown]) => {
      const when = typeof on === 'object' && on !== null && 'when' in on ? on.when : undefined;
      // `settings.json` can have a value of any type.
      if (on !== true && typeof when !== 'string') return [];
      const selector = { pattern: new vscode.RelativePattern(base, glob) };
      return [{ selector, when: typeof when === 'string' ? when : undefined }];
    });
  return (uri, names) => {
    if (uri.path.length - base.path.length > MAX_MATCHED_PATH_LENGTH) return false;
    const stem = baseName(uri.path).replace(/\.[^.]*$/, '');
    return rules.some(
      ({ selector, when }) =>
        (when === undefined || names.has(when.replace('$(basename)', stem))) &&
        // Uses VS Code's own glob matching, which only reads these properties of a document.
        vscode.languages.match(selector, { uri, languageId: '' } as vscode.TextDocument) > 0,
    );
  };
}
