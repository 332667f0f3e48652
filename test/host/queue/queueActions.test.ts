import assert from 'node:assert/strict';
import type { QueuedMessage } from '../../../src/chat/model/queuedMessage';
import { toConversationView } from '../../../src/host/panel/page/turnView';
import { QueueActions } from '../../../src/host/queue/queueActions';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';

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
