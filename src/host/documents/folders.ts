import * as vscode from 'vscode';
import { baseName } from '../../chat/uploads/uploadName';
import { isBoundedGlob } from './boundedGlob';
import type { GitIgnore } from './gitIgnore';

/** More than this is not a folder for a conversation. */
export const MAX_FILES = 500;
/** Bytes. Larger files of a folder stay out: the hosted service takes no more. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

export interface FolderFiles {
  readonly files: readonly vscode.Uri[];
  /** Files and folders that stay out: ignored by git, excluded by `files.exclude`, too large, or links to folders. */
  readonly leftOut: number;
  /** There are more than `MAX_FILES`. */
  readonly tooMany: boolean;
}

/** The files of a folder and the folders in it, in order of their names. Throws what the file system says. */
export async function listFiles(folder: vscode.Uri, gitIgnore: GitIgnore): Promise<FolderFiles> {
  const files: vscode.Uri[] = [];
  let leftOut = 0;
  const isExcluded = excludeSetting(folder);

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

type Exclude = Readonly<Record<string, boolean | { readonly when: string }>>;

/** Tells what `files.exclude` hides; `names` are those beside it, for conditions. */
function excludeSetting(folder: vscode.Uri): (uri: vscode.Uri, names: ReadonlySet<string>) => boolean {
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const setting = vscode.workspace.getConfiguration('files', folder).get<Exclude>('exclude') ?? {};
  const rules = Object.entries(setting)
    .filter(([glob, on]) => on !== false && isBoundedGlob(glob))
    .map(([glob, on]) => ({
      selector: { pattern: new vscode.RelativePattern(base, glob) },
      when: on === true ? undefined : (on as { when: string }).when,
    }));
  return (uri, names) => {
    const stem = baseName(uri.path).replace(/\.[^.]*$/, '');
    return rules.some(
      ({ selector, when }) =>
        (when === undefined || names.has(when.replace('$(basename)', stem))) &&
        // VS Code's own globs; of a document it reads no more than this.
        vscode.languages.match(selector, { uri, languageId: '' } as vscode.TextDocument) > 0,
    );
  };
}
