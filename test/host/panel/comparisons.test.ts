import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/chat/model/conversation';
import { Comparisons } from '../../../src/host/panel/comparisons';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import { createNotice } from '../../../src/host/panel/page/notice';
import { conversationOf } from '../../chat/support/conversations';
import { closeEditors } from '../support/closeEditors';
import { FakeChat } from '../support/fakeChat';
import { MemoryState } from '../support/memory';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

interface Tab {
  conversationId: string;
  comparedWith: string | undefined;
}

describe('Comparisons', () => {
  let memory: MemoryState;
  let chat: FakeChat;
  let tabs: Map<HostPage, vscode.WebviewPanel>;
  let done: string[];

  beforeEach(() => {
    memory = new MemoryState();
    chat = new FakeChat();
    tabs = new Map();
    done = [];
    for (const name of ['Echo', 'Guide']) {
      const conversation: Conversation = { ...conversationOf([]), id: name, bot: { id: name, name } };
      chat.conversations.set(name, conversation);
    }
  });

  const open = (conversationId: string): Tab => {
    const tab: Tab = { conversationId, comparedWith: undefined };
    const page = Object.assign(tab, {
      setComparedWith: (name: string | undefined) => {
        tab.comparedWith = name;
      },
      focusComposer: () => done.push(`focus ${conversationId}`),
    }) as unknown as HostPage;
    const dispose = () => {
      done.push(`close ${conversationId}`);
      tabs.delete(page);
    };
    tabs.set(page, { dispose, reveal: () => undefined } as unknown as vscode.WebviewPanel);
    return tab;
  };
  const create = () => new Comparisons(memory, chat, tabs);
  const asPage = (tab: Tab) => tab as unknown as HostPage;

  it('name the other bot in each of the two tabs, and in no other', () => {
    const [first, second, other] = [open('Echo'), open('Guide'), open('other')];
    create().add(['Echo', 'Guide']);
    assert.deepEqual(
      [first, second, other].map(({ comparedWith }) => comparedWith),
      ['Guide', 'Echo', undefined],
    );
  });

  it('are there again after a reload, once both tabs are', () => {
    create().add(['Echo', 'Guide']);
    const restored = create();
    const first = open('Echo');
    restored.updateComparisons();
    assert.equal(first.comparedWith, undefined);
    const second = open('Guide');
    restored.updateComparisons();
    assert.deepEqual([first.comparedWith, second.comparedWith], ['Guide', 'Echo']);
  });

  it('end when a tab shows another conversation, and when one is continued with, which closes the other', () => {
    const [first, second] = [open('Echo'), open('Guide')];
    const comparisons = create();
    comparisons.add(['Echo', 'Guide']);
    second.conversationId = 'other';
    comparisons.updateComparisons();
    assert.equal(first.comparedWith, undefined);
    comparisons.continueWith(asPage(first));
    assert.deepEqual(done, []);
    second.conversationId = 'Guide';
    comparisons.updateComparisons();
    comparisons.continueWith(asPage(first));
    assert.deepEqual(done, ['close Guide', 'focus Echo']);
    open('Guide');
    const restored = create();
    restored.updateComparisons();
    assert.equal(first.comparedWith, undefined);
  });

  it('ignore what else is in the memento', () => {
    void memory.update('parley.compared', [['../../x', 'Echo'], 7]);
    const first = open('Echo');
    create().updateComparisons();
    assert.equal(first.comparedWith, undefined);
  });

  it('notices of problems take precedence over a comparison’s, and a comparison’s over the limit’s', () => {
    const conversation = conversationOf([]);
    assert.deepEqual(createNotice(conversation, undefined, 1, 'Guide')?.actions, ['continueHere']);
    assert.equal(
      createNotice({ ...conversation, unsaved: true }, undefined, undefined, 'Guide')?.kind,
      'storage',
    );
    const damaged = createNotice({ ...conversation, hasDamagedFile: true }, undefined, undefined, 'Guide');
    assert.deepEqual([damaged?.kind, damaged?.actions], ['storage', ['showLog']]);
    assert.equal(createNotice(conversation, undefined, 1, undefined)?.kind, 'quota');
  });

  describe('in VS Code', () => {
    const { createWebviewPanel } = vscode.window;
    const startServices = useServices();
    let fixture: TestServices;
    let received: vscode.EventEmitter<unknown>[];

    beforeEach(async () => {
      fixture = await startServices();
      received = [];
      // The pages of these tabs say what the test does.
      const createTab = (...args: Parameters<typeof createWebviewPanel>) => {
        const tab = createWebviewPanel(...args);
        const messages = new vscode.EventEmitter<unknown>();
        received.push(messages);
        Object.defineProperty(tab.webview, 'onDidReceiveMessage', { value: messages.event });
        return tab;
      };
      Object.assign(vscode.window, { createWebviewPanel: createTab });
      await closeEditors();
    });
    afterEach(async () => {
      Object.assign(vscode.window, { createWebviewPanel });
      await closeEditors();
      await fixture.close();
    });

    const openTwo = async () => {
      const { panel, chat } = fixture.services;
      panel.openSideBySide([chat.createConversation(undefined).id, chat.createConversation(undefined).id]);
      const getTabs = () =>
        vscode.window.tabGroups.all.map((group) =>
          group.tabs.filter((tab) => tab.input instanceof vscode.TabInputWebview),
        );
      await until(() => getTabs().length === 2 && getTabs().every(({ length }) => length === 1));
    };
    const isStacked = async () => {
      const layout = await vscode.commands.executeCommand<{ orientation: number }>('vscode.getEditorLayout');
      return layout.orientation === 1;
    };

    it('are two editor groups side by side', async () => {
      await openTwo();
      received[1]?.fire({ type: 'ready', width: 320 });
      assert.equal(await isStacked(), false);
    });

    it('are one above the other if a column is narrow', async () => {
      await openTwo();
      received[1]?.fire({ type: 'ready', width: 319 });
      while (!(await isStacked())) await new Promise((resolve) => setTimeout(resolve, 10));
    });
  });
});
