import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { toFileName } from '../../chat/text/fileName';

/** In UTF-16 code units. What follows in a line is not part of a document's name. */
const MAX_NAMING_LENGTH = 1000;

/** Finds the open document with text that is not in a file: unsaved, or of a scheme without a file system. */
export function findUnsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const hasFiles = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString() && (document.isDirty || !hasFiles),
  );
}

/**
 * Returns whether an editor other than a text editor, such as a notebook, has unsaved changes to the file.
 */
export function hasOtherUnsavedEditor(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some((tab) => {
      const { input } = tab;
      const shows = input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom;
      return shows && tab.isDirty && input.uri.toString() === uri.toString();
    }),
  );
}

/** Returns the resource of the active tab, for any kind of editor. */
export function getActiveResource(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const shows =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return shows ? input.uri : vscode.window.activeTextEditor?.document.uri;
}

/**
 * Returns a file name for a document: its own, or for an untitled document its first line with the extension
 * of its language.
 */
export function getDocumentName(document: vscode.TextDocument): string {
  const name = baseName(document.uri.path);
  if (!document.isUntitled || /\.[^.]+$/.test(name)) return name;
  const line = document
    .getText(new vscode.Range(0, 0, 50, 0))
    .split('\n')
    .map((text) => text.slice(0, MAX_NAMING_LENGTH).replace(/^[\s#/*;%<!"'=-]+|[\s#/*>"'=-]+$/g, ''))
    .find((text) => text !== '');
  return (line === undefined ? name : toFileName(line)) + getExtension(document.languageId);
}

function getExtension(languageId: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    const languages: { id: string; extensions?: string[] }[] = packageJSON.contributes?.languages ?? [];
    const extension = languages.find(({ id, extensions }) => id === languageId && extensions)
      ?.extensions?.[0];
    if (extension) return extension;
  }
  return '.txt';
}
