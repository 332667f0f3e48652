import assert from 'node:assert/strict';
import type { QueuedMessage } from '../../../src/chat/model/queuedMessage';
import { toConversationView } from '../../../src/host/panel/page/turnView';
import { QueueActions } from '../../../src/host/queue/queueActions';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { UnwatchedStorage } from '../../chat/support/unwatchedStorage';
import { acquire } from '../../chat/support/writing';

describe('The text in the editor of a queued message', () => {
  let fixture: ChatFixture;
  let queue: QueueActions;
  let id: string;

  beforeEach(async () => {
    fixture = await startChat();
    queue = new QueueActions(fixture);
    ({ id } = fixture.newConversation());
    const messages: QueuedMessage[] = [{ id: 'q1', text: 'one', context: [] }];
    await fixture.chat.queues.change(id, () => messages, 'stopped');
    queue.edit(id, 'q1');
  });
  afterEach(() => fixture.close());

  const getView = () => toConversationView(fixture.chat.findConversation(id) ?? assert.fail());

  it('is stored and returns to a page that opens later', () => {
    queue.setDraft(id, 'q1', 'one!');
    queue.edit(id, undefined);
    assert.deepEqual(getView().queue?.edit, { messageId: 'q1', text: 'one!' });
    assert.deepEqual(getView().composing, { context: [], webSearch: false });
  });

  it('is gone when it is saved, discarded, or no longer differs', async () => {
    queue.setDraft(id, 'q1', 'one!');
    queue.setDraft(id, 'q1', 'one');
    assert.equal(getView().queue?.edit, undefined);
    queue.setDraft(id, 'q1', 'one!');
    await queue.changeText(id, 'q1', 'one!');
    assert.deepEqual([getView().queue?.edit, getView().queue?.messages[0]?.text], [undefined, 'one!']);
    queue.setDraft(id, 'unknown', 'x');
    assert.equal(fixture.chat.findConversation(id)?.composing?.queuedEdit, undefined);
  });
});

describe('The text in the editor of a queued message that another window sends', () => {
  let fixture: ChatFixture;
  let other: ChatFixture;
  let id: string;
  const text = 'one, changed';

  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    await fixture.chat.queues.change(id, () => [{ id: 'q1', text: 'one', context: [] }], 'stopped');
    // It hears of nothing by itself.
    other = await fixture.otherWindow({ createStorage: (folder) => new UnwatchedStorage(folder) });
    await other.chat.load();
    await other.chat.openConversation(id);
    const queue = new QueueActions(other);
    queue.edit(id, 'q1');
    queue.setDraft(id, 'q1', text);
  });
  afterEach(async () => {
    await other.close();
    await fixture.close();
  });

  const save = () => new QueueActions(other).changeText(id, 'q1', text);
  const getComposer = () => {
    const { draft, composing } = other.chat.findConversation(id) ?? assert.fail();
    return [draft, composing?.queuedEdit];
  };

  it('is in the draft if it is saved too late', async () => {
    await fixture.queueRunner.sendNow(id, 'q1');
    await fixture.replies.whenDone(id);
    await fixture.chat.queues.whenSettled();
    await save();
    await other.until(({ type }) => type === 'draft');
    assert.deepEqual(getComposer(), [text, undefined]);
  });

  it('is in the draft if it is saved while the message is being sent', async () => {
    const permission = await acquire(fixture.chat, id);
    assert.ok(await fixture.chat.queues.markSending(permission, 'q1'));
    await save();
    fixture.chat.writer.putTurn(permission, { kind: 'message', id: 'q1', text: 'one', at: 1 });
    await fixture.chat.whenSaved(id);
    await permission.release();
    await other.chat.readListChanges();
    await other.chat.queues.whenSettled();
    await other.until(({ type }) => type === 'draft');
    assert.deepEqual(getComposer(), [text, undefined]);
  });
});

describe('A queued message that another window is sending', () => {
  it('is shown as maybe sent only once no window writes its conversation', async () => {
    const fixture = await startChat();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    await fixture.chat.queues.change(id, () => [{ id: 'q1', text: 'one', context: [] }], 'stopped');
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    const permission = await acquire(other.chat, id);
    assert.ok(await other.chat.queues.markSending(permission, 'q1'));
    const getConversation = () => fixture.chat.findConversation(id) ?? assert.fail();
    const isMarked = () => getConversation().queue?.messages[0]?.sending === true;
    await fixture.until(() => isMarked() && getConversation().heldByOtherWindow === true);
    assert.equal(toConversationView(getConversation()).queue?.messages[0]?.maybeSent, undefined);
    await permission.release();
    await fixture.until(() => !getConversation().heldByOtherWindow);
    assert.equal(toConversationView(getConversation()).queue?.messages[0]?.maybeSent, true);
    await other.close();
    await fixture.close();
  });
});
