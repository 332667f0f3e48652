import * as vscode from 'vscode';
import { MAX_PROMPT_BYTES, PROMPT_EXTENSION, parsePromptFile } from '../../chat/prompts/promptFile';
import { readWorkspaceText } from '../platform/workspacePlace';
import type { Prompt } from './storedPrompt';

/** The folder in which VS Code's Chat looks for a workspace's prompt files. */
const FOLDER = ['.github', 'prompts'] as const;
const MAX_FILES = 100;
/** The page's messages carry the name as part of an ID. */
const MAX_FILE_NAME_LENGTH = 255;

/**
 * Reads the prompt files of all workspace folders, in the order of their names. Reads none in an untrusted
 * workspace, and none that a link moves out of the workspace. Files that can't be read are left out.
 */
export async function readWorkspacePrompts(
  isTrusted = vscode.workspace.isTrusted,
): Promise<readonly Prompt[]> {
  if (!isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const prompts = await Promise.all(
    folders.map(async ({ uri, index }) => {
      const folder = vscode.Uri.joinPath(uri, ...FOLDER);
      const names = await listPromptFiles(folder);
      return Promise.all(names.map((name) => readPrompt(folder, name, `workspace/${index}/${name}`)));
    }),
  );
  return prompts.flat().filter((prompt) => prompt !== undefined);
}

async function listPromptFiles(folder: vscode.Uri): Promise<readonly string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder))
      .filter(([name, type]) => type & vscode.FileType.File && isPromptFileName(name))
      .map(([name]) => name)
      .sort()
      .slice(0, MAX_FILES);
  } catch {
    // Most workspaces don't have the folder.
    return [];
  }
}

function isPromptFileName(name: string): boolean {
  return name.endsWith(PROMPT_EXTENSION) && name.length <= MAX_FILE_NAME_LENGTH;
}

async function readPrompt(folder: vscode.Uri, name: string, id: string): Promise<Prompt | undefined> {
  const uri = vscode.Uri.joinPath(folder, name);
  const text = await readWorkspaceText(uri, MAX_PROMPT_BYTES);
  return text === undefined ? undefined : { ...parsePromptFile(name, text), id, source: 'workspace', uri };
}
