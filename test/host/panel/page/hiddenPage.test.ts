import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/chat/base/emitter';
import type { Conversation } from '../../../../src/chat/model/conversation';
import { IntentDispatcher, type IntentHandlers } from '../../../../src/host/panel/intentDispatcher';
import { HostPage } from '../../../../src/host/panel/page/hostPage';
import { FakeChat } from '../../support/fakeChat';
import { until } from '../../support/until';

const conversation: Conversation = {
  ...{ id: 'c', name: 'Name', bot: { id: 'b', name: 'Echo' }, draft: '', createdAt: 1 },
  ...{ unread: false, pinned: false },
  turns: [{ kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 }],
};

describe('A hidden page', () => {
  const { setTimeout } = globalThis;
  let posted: string[];
  /** The types of the changes that were posted. */
  let changes: string[];
  let timers: number;
  let host: { visible: boolean; webview: vscode.Webview };
  let chat: FakeChat;
  let page: HostPage;
  let say: (message: unknown) => void;
  let answers: AsyncIterable<never> | undefined;
  let answered: AbortSignal | undefined;

  beforeEach(() => {
    posted = [];
    changes = [];
    timers = 0;
    const received = new vscode.EventEmitter<unknown>();
    say = (message) => received.fire(message);
    const webview = {
      onDidReceiveMessage: received.event,
      postMessage: ({ type, changes: posts = [] }: { type: string; changes?: { type: string }[] }) => {
        posted.push(type);
        changes.push(...posts.map((change) => change.type));
      },
    };
    host = { visible: true, webview: webview as unknown as vscode.Webview };
    chat = Object.assign(new FakeChat(), {
      listConversations: () => [],
      markRead: () => undefined,
    });
    Object.assign(chat.queues, { abandonEditing: () => undefined });
    chat.conversations.set('c', conversation);
    const silent = { getFor: () => ({ step: 'done' }), onDidChange: new Emitter<unknown>().on };
    const serviceList = { ...silent, all: [], serviceOf: () => undefined };
    const quota = { ...silent, getEstimate: () => undefined, getReachedAt: () => undefined };
    const uploadFolders = { ...silent, getShown: () => undefined };
    const services = {
      chat,
      setup: silent,
      serviceList,
      quota,
      uploadFolders,
      codeThemes: silent,
      workspaceProposal: silent,
      syncStatus: { ...silent, getView: () => undefined },
      log: console,
    };
    const handlers = {
      search: (_intent: unknown, _page: unknown, signal: AbortSignal) => {
        answered = signal;
        return answers;
      },
    };
    const dispatcher = new IntentDispatcher(handlers as unknown as IntentHandlers, { error: assert.fail });
    page = new HostPage(
      host,
      services as unknown as ConstructorParameters<typeof HostPage>[1],
      'c',
      (intent, sender) => void dispatcher.dispatch(intent, sender),
    );
    say({ type: 'ready' });
    globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
      timers++;
      return setTimeout(...args);
    }) as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = setTimeout;
    page.dispose();
  });

  function stream(): void {
    for (let index = 0; index < 1000; index++) {
      chat.events.fire({ type: 'chunk', conversationId: 'c', turnId: 'r', text: `${index} ` });
    }
    chat.events.fire({ type: 'changed', conversationId: 'c' });
  }

  function hide(): void {
    host.visible = false;
    page.onDidChangeVisibility();
  }

  it('gets no message and starts no timer while a reply streams', () => {
    hide();
    posted.length = 0;
    timers = 0;
    stream();
    page.moveFocus('focusComposer');
    assert.deepEqual([posted, timers], [[], 0]);
    // What it missed is in the snapshot, which it asks for when it is shown again.
    host.visible = true;
    page.onDidChangeVisibility();
    say({ type: 'ready' });
    assert.equal(posted[0], 'snapshot');
    stream();
    assert.equal(timers, 1);
  });

  it('gets the list when it is shown again, as soon as a disk that refused to list answers', async () => {
    hide();
    const disk = new EventEmitter();
    const errors: unknown[] = [];
    Object.assign(chat, {
      load: () => Promise.reject(new Error('Refused to list')),
      reportError: (error: unknown) => errors.push(error),
      whenListed: once(disk, 'listed'),
    });
    host.visible = true;
    page.onDidChangeVisibility();
    say({ type: 'ready' });
    await until(() => errors.length > 0);
    changes.length = 0;
    disk.emit('listed');
    await until(() => changes.includes('conversations'));
  });

  it('a hidden page ends its search', async () => {
    let yielded = 0;
    answers = (async function* () {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (++yielded === 3) hide();
        yield { hits: [], done: false } as never;
      }
    })();
    say({ type: 'search', query: 'x', subscriptionId: 's' });
    await new Promise<void>((resolve) => answered?.addEventListener('abort', () => resolve()));
    assert.deepEqual(
      posted.filter((type) => type === 'response'),
      ['response', 'response'],
    );
  });
});
