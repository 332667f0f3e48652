import * as vscode from 'vscode';
import { createWebviewHtml } from '../base/webviewHtml';
import { createTranslationsElement } from '../panel/html/translationsElement';
import { createDiagramPolicy } from './diagramPolicy';

/** Returns the folder with the script of the tab. */
export function getDiagramRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'diagram');
}

export function createDiagramHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const script = webview.asWebviewUri(vscode.Uri.joinPath(getDiagramRoot(extensionUri), 'main.mjs'));
  return createWebviewHtml({
    policy: createDiagramPolicy(nonce),
    head: `${createTranslationsElement(vscode.l10n.bundle, nonce)}<script type="module" nonce="${nonce}" src="${script}"></script>`,
  });
}
