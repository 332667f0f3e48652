import * as vscode from 'vscode';
import { PARLEY_JSON_PATH } from '../base/names';
import { MAX_MATCHED_PATH_LENGTH } from '../files/boundedGlob';
import { readWorkspaceText } from '../platform/workspacePlace';
import { MAX_PARLEY_JSON_BYTES, type NamedBot, type ParleyJson, parseParleyJson } from './parleyJson';

/** A workspace folder's `.vscode/parley.json`. */
export interface FolderParleyJson extends ParleyJson {
  readonly folder: vscode.WorkspaceFolder;
}

/**
 * Reads `.vscode/parley.json` of each workspace folder, in their order. Reads none in an untrusted workspace, none that a
 * link moves out of the workspace, and none that is too large or can't be read.
 */
export async function readParleyJsons(
  isTrusted = vscode.workspace.isTrusted,
): Promise<readonly FolderParleyJson[]> {
  if (!isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const read = await Promise.all(
    folders.map(async (folder) => {
      const text = await readWorkspaceText(
        vscode.Uri.joinPath(folder.uri, ...PARLEY_JSON_PATH),
        MAX_PARLEY_JSON_BYTES,
      );
      return text === undefined ? [] : [{ folder, ...parseParleyJson(text) }];
    }),
  );
  return read.flat();
}

/** A bot for a file, and the glob that names it. */
export interface BotForFile {
  readonly bot: NamedBot;
  readonly glob: string;
  /** Of the file's service; absent if it names none. */
  readonly baseUrl?: string;
}

/** Returns the first bot whose globs match a file of the folder, relative to it. */
export function findBotForFile(uri: vscode.Uri, files: readonly FolderParleyJson[]): BotForFile | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const file = files.find((each) => each.folder.uri.toString() === folder?.uri.toString());
  if (!folder || !file || uri.path.length - folder.uri.path.length > MAX_MATCHED_PATH_LENGTH) return;
  for (const bot of file.bots) {
    const glob = bot.globs.find((pattern) => {
      const selector = { pattern: new vscode.RelativePattern(folder, pattern) };
      return vscode.languages.match(selector, { uri, languageId: '' } as vscode.TextDocument) > 0;
    });
    if (glob !== undefined) return { bot, glob, ...(file.service && { baseUrl: file.service.baseUrl }) };
  }
  return;
}
