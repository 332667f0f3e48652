import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createPageHtml } from '../../../../src/host/panel/html/pageHtml';

describe('The page’s HTML', () => {
  const create = () => {
    const webview = { asWebviewUri: (uri: vscode.Uri) => uri } as vscode.Webview;
    return createPageHtml(webview, vscode.Uri.file('/extension'), 'view');
  };

  it('has a fresh nonce each time, on every script and style [attack: script]', () => {
    const nonces = [create(), create()].map((html) => {
      const [, nonce] = /script-src 'nonce-([\w-]{36})'/.exec(html) ?? [];
      const elements = html.match(/<(?:script|style|link)\b[^>]*>/g) ?? [];
      assert.ok(elements.length >= 3);
      for (const element of elements) assert.match(element, new RegExp(`nonce="${nonce}"`));
      return nonce;
    });
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('contains nothing that its load event waits for, because VS Code shows no page before', () => {
    assert.doesNotMatch(create(), /<link|<img|<script[^>]*\ssrc/);
    assert.match(create(), /main\.css.*main\.js/s);
  });
});
