import * as vscode from 'vscode';
import { bootstrapScript } from '../../../shared/protocol/bootstrap';
import { createLoadScript } from '../../../shared/protocol/loadScript';
import { createShell } from '../../../shared/protocol/shell';
import { createWebviewHtml } from '../../base/webviewHtml';
import { createPanelPolicy } from './panelPolicy';
import { createTranslationsElement } from './translationsElement';

/** Returns the folder with the page's scripts and style sheets. */
export function getPageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/**
 * Creates the page's HTML, with the translations that its `l10n.ts` reads. In an editor, the tab has the
 * conversation's name, so the page doesn't show it.
 */
export function createPageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  where: 'view' | 'editor',
): string {
  const nonce = crypto.randomUUID();
  const asset = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(getPageRoot(extensionUri), name)).toString();
  const failure = vscode.l10n.t(
    'Parley couldn’t load this view. Run “Developer: Reload Window” to try again.',
  );
  const loadScript = createLoadScript(asset('main.css'), asset('main.js'), failure);
  return createWebviewHtml({
    policy: createPanelPolicy(nonce),
    head: `<script nonce="${nonce}">${bootstrapScript}${loadScript}</script>
${createTranslationsElement(vscode.l10n.bundle, nonce)}`,
    body: `${createShell(nonce)}<div id="app" class="in-${where}"></div>`,
  });
}
