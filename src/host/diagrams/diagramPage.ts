import * as vscode from 'vscode';
import { createTranslationsElement } from '../panel/translationsElement';
import { createDiagramPolicy } from './diagramPolicy';

/** Returns the folder with the script of the tab. */
export function getDiagramRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'diagram');
}

export function createDiagramHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const script = webview.asWebviewUri(vscode.Uri.joinPath(getDiagramRoot(extensionUri), 'main.mjs'));
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${createDiagramPolicy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
${createTranslationsElement(vscode.l10n.bundle, nonce)}<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
<body></body>
</html>`;
}
