import * as vscode from 'vscode';
import { platform } from '#platform';
import type { ScannedFile } from '../../chat/documentSync/syncPlan';
import { BotTest } from '../base/names';
import { MAX_MATCHED_PATH_LENGTH } from '../files/boundedGlob';
import { detectSecret } from '../files/detectSecret';
import { GitIgnore } from '../files/gitIgnore';
import type { DocumentSet } from '../parleyJson/parleyJson';

/** More files than these can't be synced. */
export const MAX_DOCUMENTS = 10_000;
/** Files and folders that are looked at: more take too long to look through each time something changes. */
export const MAX_VISITED = 100_000;
/** Larger files are left out: the hosted service doesn't accept them. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The longest time for which the host's thread is used without a pause. */
const SLICE_MS = 10;
const MAX_CONCURRENT_STATS = 32;
const NOTHING = new Uint8Array();

/** Why files that the globs match are not documents, and how many. */
export interface LeftOut {
  readonly ignored: number;
  readonly secrets: number;
  readonly links: number;
  /** Empty, or too large for the service. */
  readonly sizes: number;
}

export type LeftOutReason = keyof LeftOut;

export interface DocumentScan {
  /** Sorted by path. */
  readonly files: readonly ScannedFile[];
  readonly leftOut: LeftOut;
  /** Set if the scan was given up: the globs match too many files, or too many were looked at. */
  readonly tooMany?: 'documents' | 'visited';
}

/** Thrown when a scan is canceled. */
export class ScanCanceledError extends Error {
  override readonly name = 'ScanCanceledError';
}

/**
 * Finds the files of a workspace folder that the globs of a set match. What Git ignores, secrets by name, and links of any kind are left out, and
 * so is everything behind a link: nothing outside the folder is looked at. Works in slices. Throws the file system's error, and
 * ScanCanceledError.
 */
export async function scanDocuments(
  folder: vscode.WorkspaceFolder,
  sets: readonly DocumentSet[],
  signal: AbortSignal,
): Promise<DocumentScan> {
  const match = createMatcher(folder, sets);
  const mayContain = createFolderFilter(sets.flatMap((set) => set.files));
  const gitIgnore = new GitIgnore();
  const files: ScannedFile[] = [];
  const leftOut = { ignored: 0, secrets: 0, links: 0, sizes: 0 };
  let visited = 0;
  let tooMany: DocumentScan['tooMany'];
  const slice = createSlice();

  const walk = async (inside: vscode.Uri, path: string): Promise<void> => {
    const found: { readonly uri: vscode.Uri; readonly path: string }[] = [];
    const folders: { readonly uri: vscode.Uri; readonly path: string }[] = [];
    for (const [name, type] of await vscode.workspace.fs.readDirectory(inside)) {
      if (signal.aborted) throw new ScanCanceledError();
      if (++visited > MAX_VISITED) {
        tooMany = 'visited';
        return;
      }
      await slice();
      const child = { uri: vscode.Uri.joinPath(inside, name), path: path === '' ? name : `${path}/${name}` };
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      if (name === '.git' || (isFolder ? !mayContain(child.path) : !match(child.path))) continue;
      if (type & vscode.FileType.SymbolicLink) leftOut.links++;
      else if (await gitIgnore.ignores(child.uri, isFolder)) leftOut.ignored++;
      else if (isFolder) folders.push(child);
      else if (detectSecret(`/${child.path}`, NOTHING) !== undefined) leftOut.secrets++;
      else if (type & vscode.FileType.File) found.push(child);
    }
    for (let at = 0; at < found.length; at += MAX_CONCURRENT_STATS) {
      const some = found.slice(at, at + MAX_CONCURRENT_STATS);
      for (const file of await Promise.all(some.map(readState))) {
        if (!file) continue;
        if (file.size === 0 || file.size > MAX_FILE_BYTES) leftOut.sizes++;
        else files.push(file);
      }
    }
    if (files.length > MAX_DOCUMENTS) tooMany = 'documents';
    for (const child of folders) {
      if (tooMany) return;
      await walk(child.uri, child.path);
    }
  };

  await walk(folder.uri, '');
  if (tooMany) return { files: [], leftOut, tooMany };
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), leftOut };
}

/** Reads what a list shows of a file; undefined if it was deleted in the meantime. */
async function readState({
  uri,
  path,
}: {
  readonly uri: vscode.Uri;
  readonly path: string;
}): Promise<ScannedFile | undefined> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    return { path, size, mtime };
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Returns a function that tests whether the globs of a set match a path of the folder; one with `!` leaves files of its set out. */
export function createMatcher(
  folder: vscode.WorkspaceFolder,
  sets: readonly DocumentSet[],
): (path: string) => boolean {
  const toSelector = (glob: string) => ({ pattern: new vscode.RelativePattern(folder, glob) });
  const selectors = sets.map(({ files }) => ({
    included: files.filter((glob) => !glob.startsWith('!')).map(toSelector),
    excluded: files.filter((glob) => glob.startsWith('!')).map((glob) => toSelector(glob.slice(1))),
  }));
  return (path) => {
    if (path.length > MAX_MATCHED_PATH_LENGTH) return false;
    // A bot that has read what it should answer passes the test.
    if (path.endsWith(BotTest.extension)) return false;
    const document = { uri: vscode.Uri.joinPath(folder.uri, path), languageId: '' } as vscode.TextDocument;
    // Uses VS Code's own glob matching, which only reads these properties of a document.
    const matches = (selector: vscode.DocumentFilter) => vscode.languages.match(selector, document) > 0;
    return selectors.some(({ included, excluded }) => included.some(matches) && !excluded.some(matches));
  };
}

/** Returns a function that tests whether a folder may have files that the globs match, by the folders that they begin with. */
function createFolderFilter(globs: readonly string[]): (path: string) => boolean {
  const starts = globs
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => {
      const parts = glob.split('/').slice(0, -1);
      const first = parts.findIndex((part) => /[*?[\]{}]/.test(part));
      return `${(first < 0 ? parts : parts.slice(0, first)).join('/')}/`.replace(/^\/$/, '');
    });
  return (path) => {
    const folder = `${path}/`;
    return starts.some((start) => folder.startsWith(start) || start.startsWith(folder));
  };
}

/** Returns a function that lets other work of the host run whenever a slice of time is used up. */
function createSlice(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        startedAt = performance.now();
        resolve();
      });
    });
  };
}

/** Inspects the content of files, and remembers the results as long as their sizes and times stay. */
export class DocumentInspector {
  readonly #inspected = new Map<
    string,
    { readonly sign: string; readonly reason: LeftOutReason | undefined }
  >();
  readonly #digests = new Map<string, { readonly sign: string; readonly sha256: string }>();

  /** Returns why a file may not be uploaded: it has a private key in it, or a link leads to it. */
  async findReason(
    folder: vscode.WorkspaceFolder,
    realFolder: vscode.Uri,
    file: ScannedFile,
  ): Promise<LeftOutReason | undefined> {
    const uri = vscode.Uri.joinPath(folder.uri, file.path);
    const known = this.#inspected.get(uri.toString());
    if (known?.sign === getSign(file)) return known.reason;
    const opened = await platform.openFile(uri);
    try {
      const expected = vscode.Uri.joinPath(realFolder, file.path);
      const isLink = uri.scheme === 'file' && opened.realUri.path !== expected.path;
      const isSecret = detectSecret(uri.path, opened.head) !== undefined;
      const reason = isLink ? 'links' : isSecret ? 'secrets' : undefined;
      this.#inspected.set(uri.toString(), { sign: getSign(file), reason });
      return reason;
    } finally {
      await opened.close();
    }
  }

  /** Returns a file's digest; undefined if it can't be read. */
  async digest(folder: vscode.WorkspaceFolder, file: ScannedFile): Promise<string | undefined> {
    const uri = vscode.Uri.joinPath(folder.uri, file.path);
    const known = this.#digests.get(uri.toString());
    if (known?.sign === getSign(file)) return known.sha256;
    try {
      const opened = await platform.openFile(uri);
      try {
        const sha256 = await opened.sha256();
        this.#digests.set(uri.toString(), { sign: getSign(file), sha256 });
        return sha256;
      } finally {
        await opened.close();
      }
    } catch {
      // It then counts as changed, and the sync reports what is wrong with it.
      return undefined;
    }
  }
}

function getSign({ size, mtime }: ScannedFile): string {
  return `${size} ${mtime}`;
}
