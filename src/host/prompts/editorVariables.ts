import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import type { PromptVariables } from '../../chat/prompts/promptParts';
import { getVisibleEditors } from '../context/contextItems';

/** Returns the values of a prompt's variables, which are those of VS Code's Chat, in the editor used last. */
export function getEditorVariables(editor = getPromptEditor()): PromptVariables {
  if (!editor) return {};
  const { document, selection } = editor;
  const selected = selection.isEmpty ? undefined : document.getText(selection);
  const file = vscode.workspace.asRelativePath(document.uri);
  const fileBasename = baseName(document.uri.path);
  return {
    selection: selected,
    selectedText: selected,
    file,
    fileBasename,
    fileBasenameNoExtension: fileBasename.replace(/(?<=.)\.[^.]*$/, ''),
    fileDirname: file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.',
    workspaceFolderBasename: vscode.workspace.getWorkspaceFolder(document.uri)?.name,
  };
}

/** Returns the active editor, or a visible one while the panel is an editor tab itself. */
export function getPromptEditor(): vscode.TextEditor | undefined {
  return getVisibleEditors()[0];
}
