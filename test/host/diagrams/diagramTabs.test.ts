import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DiagramTabs } from '../../../src/host/diagrams/diagramTabs';
import { RecordedWindow } from '../support/recordedWindow';
import { until } from '../support/until';

/** Longer than any test. */
const NEVER_MS = 2 ** 30;

/** A webview panel of VS Code's that a test plays the page of. */
class FakeTab {
  readonly posted: unknown[] = [];
  readonly received = new vscode.EventEmitter<unknown>();
  readonly viewState = new vscode.EventEmitter<unknown>();
  readonly disposed = new vscode.EventEmitter<void>();
  visible = true;
  isClosed = false;
  readonly webview = {
    options: {},
    html: '',
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: async (message: unknown) => this.posted.push(message),
    onDidReceiveMessage: this.received.event,
  };
  readonly onDidChangeViewState = this.viewState.event;
  readonly onDidDispose = this.disposed.event;

  dispose(): void {
    this.isClosed = true;
    this.disposed.fire();
  }
}

describe('The tab of a diagram', () => {
  const { createWebviewPanel } = vscode.window;
  let recorded: RecordedWindow;
  let tab: FakeTab;

  beforeEach(() => {
    recorded = new RecordedWindow();
    tab = new FakeTab();
    Object.assign(vscode.window, { createWebviewPanel: () => tab });
  });
  afterEach(() => {
    Object.assign(vscode.window, { createWebviewPanel });
    recorded.dispose();
  });

  const open = (timeLimitMs = NEVER_MS) => {
    const tabs = new DiagramTabs(vscode.Uri.file('/extension'), timeLimitMs);
    tabs.openDiagram('flowchart TD');
    return tabs;
  };

  it('gets the source whenever its page has loaded, and reads only its own folder', () => {
    const tabs = open();
    tab.received.fire({ type: 'ready' });
    tab.received.fire({ type: 'ready' });
    const message = { type: 'diagram', source: 'flowchart TD' };
    assert.deepEqual(tab.posted, [message, message]);
    assert.match(
      tab.webview.html,
      /default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'unsafe-inline'/,
    );
    const { localResourceRoots } = tab.webview.options as vscode.WebviewOptions;
    assert.deepEqual(
      localResourceRoots?.map(({ path }) => path),
      ['/extension/dist/diagram'],
    );
    tabs.dispose();
    assert.equal(tab.isClosed, true);
  });

  it('the tab is closed if its page doesn’t answer in time [attack: diagram]', async () => {
    open(1);
    tab.received.fire({ type: 'ready' });
    await until(() => tab.isClosed || undefined);
    assert.deepEqual(recorded.texts, ['The diagram took too long, so its tab was closed.']);
  });

  it('the tab of an unresponsive diagram is closed after twenty seconds', () => {
    const { setTimeout: realSetTimeout } = globalThis;
    const started: { end: () => void; ms: number }[] = [];
    Object.assign(globalThis, {
      setTimeout: (end: () => void, ms: number) => started.push({ end, ms }),
    });
    try {
      new DiagramTabs(vscode.Uri.file('/extension')).openDiagram('flowchart TD');
      tab.received.fire({ type: 'ready' });
      assert.deepEqual(
        started.map(({ ms }) => ms),
        [20_000],
      );
      assert.equal(tab.isClosed, false);
      started[0]?.end();
      assert.equal(tab.isClosed, true);
    } finally {
      Object.assign(globalThis, { setTimeout: realSetTimeout });
    }
  });

  it('stays open if its page is done, or hidden', async () => {
    const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
    const running = new Set<unknown>();
    Object.assign(globalThis, {
      setTimeout: () => {
        const timer = {};
        running.add(timer);
        return timer;
      },
      clearTimeout: (timer: unknown) => running.delete(timer),
    });
    try {
      open();
      tab.received.fire({ type: 'ready' });
      assert.equal(running.size, 1);
      tab.received.fire({ type: 'done' });
      assert.equal(running.size, 0);
      tab.received.fire({ type: 'ready' });
      tab.visible = false;
      tab.viewState.fire(undefined);
      assert.equal(running.size, 0);
    } finally {
      Object.assign(globalThis, { setTimeout: realSetTimeout, clearTimeout: realClearTimeout });
    }
  });

  it('copies what its page has drawn, and ignores any other message [attack: page → host messages]', async () => {
    await vscode.env.clipboard.writeText('before');
    open();
    const forged = [
      { type: 'copySvg', text: 'rm -rf /' },
      { type: 'copySvg' },
      { type: 'send', text: 'x' },
      'x',
    ];
    for (const message of forged) tab.received.fire(message);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    tab.received.fire({ type: 'copySvg', text: '<svg/>' });
    // Not awaited by the tab; the test times out if it isn't copied.
    while ((await vscode.env.clipboard.readText()) !== '<svg/>')
      await new Promise((resolve) => setTimeout(resolve));
  });
});
