import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerFeatures } from '../../../src/host/features';
import { IntentDispatcher } from '../../../src/host/panel/intentDispatcher';
import type { Change, ToPage } from '../../../src/shared/protocol/toPage';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

/** A webview in the place of VS Code's, whose page the test is. */
function createFrame() {
  const received = new vscode.EventEmitter<unknown>();
  const changes: Change[] = [];
  const never = () => ({ dispose: () => undefined });
  const webview = {
    asWebviewUri: (uri: vscode.Uri) => uri,
    cspSource: 'x:',
    onDidReceiveMessage: received.event,
    postMessage: async (message: ToPage) => {
      if (message.type === 'delta') changes.push(...message.changes);
      return true;
    },
  };
  return {
    ...{ webview, visible: true, active: true, reveal: () => undefined },
    ...{ onDidDispose: never, onDidChangeViewState: never, onDidChangeVisibility: never },
    post: (message: unknown) => received.fire(message),
    /** Returns the drafts that the page was told to be on the disk since the last call. */
    takeSaved: () =>
      changes.splice(0).flatMap((change) => (change.type === 'draftSaved' ? [change.text] : [])),
    /** Returns what changed the composer since the last call. */
    takeDrafts: () =>
      changes.splice(0).filter(({ type }) => ['draft', 'sent', 'notSent', 'conversation'].includes(type)),
  };
}

describe('Two pages with one conversation', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let id: string;
  let view: ReturnType<typeof createFrame>;
  let tab: ReturnType<typeof createFrame>;

  beforeEach(async () => {
    fixture = await startServices();
    const { chat, panel } = fixture.services;
    const dispatcher = new IntentDispatcher(registerFeatures(fixture.services).intents, {
      error: assert.fail,
    });
    panel.onIntent(({ intent, page }) => void dispatcher.dispatch(intent, page));
    view = createFrame();
    tab = createFrame();
    ({ id } = chat.createConversation({ id: 'echo', name: 'Echo' }));
    await panel.resolveWebviewView(view as unknown as vscode.WebviewView);
    await panel.showConversation(id);
    await panel.deserializeWebviewPanel(tab as unknown as vscode.WebviewPanel, { conversationId: id });
    for (const page of [view, tab]) {
      page.post({ type: 'ready' });
      page.takeDrafts();
    }
  });
  afterEach(() => fixture.close());

  const getDraft = () => fixture.services.chat.findConversation(id)?.draft;

  it('have the same draft: what is typed in one is posted to the other only', async () => {
    for (const [page, other, text] of [
      [tab, view, 'typed in the tab'],
      [view, tab, 'typed in the view'],
    ] as const) {
      page.post({ type: 'draft', conversationId: id, text });
      assert.equal(getDraft(), text);
      const posted = await until(() => other.takeDrafts().at(-1));
      assert.deepEqual(posted, { type: 'draft', text, typed: true });
      assert.deepEqual(page.takeDrafts(), []);
    }
  });

  it('are told once the draft is on the disk, which has a sent message until its turn is there', async () => {
    tab.post({ type: 'draft', conversationId: id, text: 'Hello' });
    for (const page of [view, tab]) assert.deepEqual(await until(() => page.takeSaved().at(-1)), 'Hello');
    assert.equal(await fixture.services.chat.composers.getDraft(id), 'Hello');
    tab.post({ type: 'send', conversationId: id, text: 'Hello' });
    const saved: string[] = [];
    await until(() => saved.push(...view.takeSaved()) > 0);
    assert.deepEqual(saved, ['']);
    await fixture.services.replies.whenDone(id);
  });

  it('both lose a message that one of them sends, but not what the other has typed since', async () => {
    tab.post({ type: 'draft', conversationId: id, text: 'Hello' });
    await until(() => view.takeDrafts().at(-1));
    tab.post({ type: 'send', conversationId: id, text: 'Hello' });
    view.post({ type: 'draft', conversationId: id, text: 'Hello again' });
    const taken: Change[] = [];
    await until(() => taken.push(...tab.takeDrafts()) === 2);
    assert.deepEqual(taken, [
      { type: 'draft', text: 'Hello again', typed: true },
      { type: 'sent', text: 'Hello' },
    ]);
    const posted = await until(() => view.takeDrafts().at(-1));
    assert.deepEqual(posted, { type: 'draft', text: ' again', typed: true });
    assert.equal(getDraft(), ' again');
    await fixture.services.replies.whenDone(id);
  });

  it('both get a draft that the host changes', async () => {
    fixture.services.chat.composers.setDraft(id, 'a prompt');
    for (const page of [view, tab])
      assert.deepEqual(await until(() => page.takeDrafts().at(-1)), { type: 'draft', text: 'a prompt' });
  });
});
