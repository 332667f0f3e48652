import * as vscode from 'vscode';

interface WebviewDocument {
  /** The content security policy. */
  readonly policy: string;
  /** The elements of the head after the title, which load the page. */
  readonly head: string;
  readonly body?: string;
}

export function createWebviewHtml({ policy, head, body = '' }: WebviewDocument): string {
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
${head}
</head>
<body>${body}</body>
</html>`;
}
