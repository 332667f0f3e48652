import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/chat/base/emitter';
import type { Chat } from '../../../src/chat/conversations/chat';
import { type Conversation, summarize } from '../../../src/chat/model/conversation';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import type { Panel } from '../../../src/host/panel/panel';
import { Reachability } from '../../../src/host/service/reachability';
import type { EndedReply } from '../../../src/host/status/activity';
import { Activity } from '../../../src/host/status/activity';
import { notifyOfReplies } from '../../../src/host/status/replyNotifications';
import { showBadge } from '../../../src/host/status/viewBadge';
import type { Ending } from '../../../src/shared/view/viewModel';
import { FakeChat } from '../support/fakeChat';
import { assertInert, HOSTILE } from '../support/hostile';
import { RecordedWindow } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { until } from '../support/until';

const streaming: ReplyTurn = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: '', at: 1 };

function conversation(id: string, rest: Partial<Conversation> = {}): Conversation {
  const about = { id, name: id, draft: '', unread: false, pinned: false, createdAt: 1 };
  return { ...about, turns: [streaming], ...rest };
}

describe('Activity', () => {
  let chat: FakeChat;
  let activity: Activity;
  let endings: string[];

  beforeEach(() => {
    chat = new FakeChat();
    activity = new Activity({
      ...chat,
      findConversation: (id) => chat.findConversation(id),
      listConversations: () => [],
    });
    endings = [];
    activity.onDidEnd(({ conversationId, turn }) => endings.push(`${conversationId} ${turn.ending}`));
  });
  afterEach(() => activity.dispose());

  const begin = (id: string, rest: Partial<Conversation> = {}) => {
    chat.conversations.set(id, conversation(id, rest));
    chat.events.fire({ type: 'turn', conversationId: id, turn: streaming });
  };
  const end = (id: string) =>
    chat.events.fire({ type: 'ended', conversationId: id, turn: { ...streaming, ending: 'complete' } });

  it('counts the conversations with a streaming reply, and fires once per ended reply', () => {
    begin('a');
    begin('b');
    assert.equal(activity.streaming, 2);
    end('a');
    end('a');
    assert.equal(activity.streaming, 1);
    chat.events.fire({ type: 'deleted', conversationId: 'b' });
    assert.equal(activity.streaming, 0);
    assert.deepEqual(endings, ['a complete']);
  });

  it('ignores replies that another window is streaming', () => {
    begin('a', { heldByOtherWindow: true });
    assert.equal(activity.streaming, 0);
    end('a');
    assert.deepEqual(endings, []);
  });

  it('fires a change for an ended reply only once it is known whether it was seen', () => {
    begin('a');
    let changes = 0;
    activity.onDidChange(() => changes++);
    end('a');
    assert.equal(changes, 0);
    chat.events.fire({ type: 'changed', conversationId: 'a' });
    assert.equal(changes, 1);
  });
});

describe('The badge of the view', () => {
  it('counts the unseen replies once the list is read, however long that takes', async () => {
    const disk = new EventEmitter();
    const whenListed = once(disk, 'listed');
    let list: readonly Conversation[] = [];
    const chat = Object.assign(new FakeChat(), {
      whenListed: whenListed.then(() => undefined),
      listConversations: () => list.map(summarize),
    });
    const activity = new Activity(chat);
    const view = { badge: undefined as vscode.ViewBadge | undefined, onDidDispose: () => undefined };
    showBadge(view as unknown as vscode.WebviewView, activity);
    assert.equal(view.badge, undefined);
    list = [conversation('a', { unread: true }), conversation('b')];
    disk.emit('listed');
    await until(() => view.badge?.value === 1);
    activity.dispose();
  });
});

describe('Reachability', () => {
  const url = 'https://bots.example/api/v1';
  const asked = { operation: 'GET /bots', durationMs: 1 };

  it('is the result of the last request, whatever the response', () => {
    const reachability = new Reachability();
    let changes = 0;
    reachability.onDidChange(() => changes++);
    for (const [entry, silent] of [
      [{ ...asked, errorCode: 'unreachable' }, true],
      [{ ...asked, errorCode: 'timeout' }, true],
      [{ ...asked, errorCode: 'aborted' }, true],
      [{ ...asked, status: 500, errorCode: 'service' }, false],
      [{ ...asked, status: 200 }, false],
    ] as const) {
      reachability.record(url, entry);
      assert.equal(reachability.isSilent(url), silent, JSON.stringify(entry));
    }
    assert.equal(changes, 2);
    assert.equal(reachability.isSilent('https://other.example/api/v1'), false);
  });

  it('ignores requests to the hosts of streams and uploads', () => {
    const reachability = new Reachability();
    const unreachable = { durationMs: 1, errorCode: 'unreachable' } as const;
    reachability.record(url, { operation: 'GET {stream_url}', ...unreachable });
    assert.equal(reachability.isSilent(url), false);
    reachability.record(url, { operation: 'GET /bots', ...unreachable });
    reachability.record(url, { operation: 'GET {stream_url}', status: 200, durationMs: 1 });
    assert.equal(reachability.isSilent(url), true);
  });
});

describe('Notifications of replies', () => {
  it('are off by default', () => {
    const wanted = vscode.workspace.getConfiguration('parley').inspect('notifyWhenDone');
    assert.equal(wanted?.defaultValue, false);
  });
});

describe('A reply that ends while the window isn’t focused', () => {
  let recorded: RecordedWindow;
  let endings: Emitter<EndedReply>;
  let opened: string[];
  let listening: { dispose(): void };
  const hostile = conversation('c', { name: HOSTILE });

  beforeEach(() => {
    recorded = new RecordedWindow(({ buttons }) => buttons[0]);
    endings = new Emitter();
    opened = [];
    const activity = { onDidEnd: endings.on } as unknown as Activity;
    const chat = { findConversation: () => hostile } as unknown as Chat;
    const panel = { showConversation: async (id: string) => void opened.push(id) } as unknown as Panel;
    listening = notifyOfReplies(activity, chat, panel, () => false);
  });
  afterEach(async () => {
    listening.dispose();
    recorded.dispose();
    await setSetting('parley.notifyWhenDone', undefined);
  });
  const end = (ending: Ending) =>
    endings.fire({ conversationId: 'c', turn: { ...streaming, bot: HOSTILE, ending } });

  it('shows a notification if the setting is on, unless it was stopped [attack: notification]', async () => {
    await setSetting('parley.notifyWhenDone', true);
    for (const ending of ['complete', 'interrupted', 'failed', 'stopped'] as const) end(ending);
    assert.equal(recorded.shown.length, 3);
    assertInert(recorded.texts);
    await until(() => opened.length === 3);
  });

  it('shows no notification if the setting is off', async () => {
    for (const value of [false, undefined]) {
      await setSetting('parley.notifyWhenDone', value);
      end('complete');
    }
    assert.deepEqual(recorded.shown, []);
  });
});
