import * as vscode from 'vscode';

/** The folder that holds the page's script and style. */
export function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/**
 * The page: scripts and styles by a fresh nonce, and no origin in any directive, because an origin that webviews share
 * with the workbench lets an injected element reach everything the workbench can.
 */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), name));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<link rel="stylesheet" nonce="${nonce}" href="${asset('main.css')}">
<script type="module" nonce="${nonce}" src="${asset('main.js')}"></script>
</head>
<body><div id="app"></div></body>
</html>`;
}
