import * as vscode from 'vscode';

let opened = 0;

/**
 * Opens an unsaved document with a name that no other one has had. VS Code may give a document named by itself the
 * text of a closed one with the same name.
 */
export async function openText(content: string, extension = 'txt'): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.from({ scheme: 'untitled', path: `text-${++opened}.${extension}` });
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), content);
  await vscode.workspace.applyEdit(edit);
  return document;
}
