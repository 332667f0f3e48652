import * as vscode from 'vscode';
import { toFileName } from '../../chat/text/fileName';
import { baseName } from '../../chat/uploads/uploadName';

/** The document whose text is on screen and in no file: unsaved, or of a scheme that no file system serves. */
export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const hasFiles = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString() && (document.isDirty || !hasFiles),
  );
}

/** Whether an editor that shows no text (a notebook, say) has changes of the file that are not saved. */
export function hasOtherUnsavedEditor(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some((tab) => {
      const { input } = tab;
      const shows = input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom;
      return shows && tab.isDirty && input.uri.toString() === uri.toString();
    }),
  );
}

/** What the active tab shows, whatever kind of editor it is. */
export function activeResource(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const shows =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return shows ? input.uri : vscode.window.activeTextEditor?.document.uri;
}

/** A document's name as a file: its own, or for one that has none its first line, with its language's extension. */
export function documentName(document: vscode.TextDocument): string {
  const own = baseName(document.uri.path);
  if (!document.isUntitled || /\.[^.]+$/.test(own)) return own;
  const line = document
    .getText(new vscode.Range(0, 0, 50, 0))
    .split('\n')
    .map((text) => text.replace(/^[\s#/*;%<!"'=-]+|[\s#/*>"'=-]+$/g, ''))
    .find((text) => text !== '');
  return (line === undefined ? own : toFileName(line)) + getExtension(document.languageId);
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
