import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { type TestServices, useServices } from '../support/testServices';

describe('Commands in title bars', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let ids: { view: string; tab: string };
  let frames: ReturnType<typeof createFrame>[];
  let receive: Record<'view' | 'tab', (message: unknown) => void>;

  /** Creates a webview that is visible and active. `on` gets the function that posts a message as its page does. */
  const createFrame = (on: (post: (message: unknown) => void) => void) => {
    const never = () => ({ dispose: () => undefined });
    const webview = {
      asWebviewUri: (uri: vscode.Uri) => uri,
      cspSource: 'x:',
      postMessage: async () => true,
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        on(listener);
        return never();
      },
    };
    return {
      ...{ webview, visible: true, active: true, reveal: () => undefined },
      ...{ onDidDispose: never, onDidChangeViewState: never, onDidChangeVisibility: never },
    };
  };

  beforeEach(async () => {
    fixture = await startServices();
    const { chat, panel } = fixture.services;
    const bot = { id: 'echo', name: 'Echo' };
    ids = { view: chat.createConversation(bot).id, tab: chat.createConversation(bot).id };
    receive = { view: () => assert.fail(), tab: () => assert.fail() };
    panel.onIntent(({ intent, page }) => {
      if (intent.type === 'focused') panel.setFocused(page, intent.on);
    });
    frames = [];
    const view = createFrame((post) => {
      receive.view = post;
    });
    await panel.resolveWebviewView(view as unknown as vscode.WebviewView);
    receive.view({ type: 'focused', on: true });
    await panel.showConversation(ids.view);
    const tab = createFrame((post) => {
      receive.tab = post;
    });
    frames.push(tab);
    const state = { conversationId: ids.tab };
    await panel.deserializeWebviewPanel(tab as unknown as vscode.WebviewPanel, state);
  });
  afterEach(() => fixture.close());

  const getCurrent = () => fixture.services.panel.getCurrentConversationId();

  it('apply to the view if they are in its title bar, even if an editor tab was focused last', async () => {
    receive.tab({ type: 'focused', on: true });
    assert.equal(await getCurrent(), ids.tab);
    fixture.services.panel.activateView();
    assert.equal(await getCurrent(), ids.view);
  });

  it('apply to the active editor tab if they are in its title bar, even if the view was focused last', async () => {
    receive.tab({ type: 'focused', on: false });
    receive.view({ type: 'focused', on: true });
    assert.equal(await getCurrent(), ids.view);
    fixture.services.panel.activateTab();
    assert.equal(await getCurrent(), ids.tab);
  });

  it('apply to the only visible tab if an editor of another group is active', async () => {
    for (const frame of frames) frame.active = false;
    receive.view({ type: 'focused', on: true });
    assert.equal(await getCurrent(), ids.view);
    fixture.services.panel.activateTab();
    assert.equal(await getCurrent(), ids.tab);
  });
});
