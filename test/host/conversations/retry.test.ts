import assert from 'node:assert/strict';
import { ConversationActions } from '../../../src/host/conversations/conversationActions';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { putTurn } from '../../chat/support/writing';
import { RecordedWindow } from '../support/recordedWindow';

type Services = ConstructorParameters<typeof ConversationActions>[0];

describe('Retry of a reply', () => {
  let fixture: ChatFixture;
  let recorded: RecordedWindow;
  let id: string;
  let replyId: string;
  /** Called when the user is asked whether to send the message again. */
  let onAsked: () => Promise<void>;

  beforeEach(async () => {
    // The service has no history in which the reply could be found.
    fixture = await startChat({ missing: ['GET /messages'] });
    recorded = new RecordedWindow(async ({ buttons }) => {
      if (!buttons.includes('Send Again')) return undefined;
      await onAsked();
      return 'Send Again';
    });
    ({ id } = fixture.newConversation());
    await fixture.replies.send(id, 'Hello');
    const { failure: _, ...reply } = await fixture.ended(id);
    await fixture.replies.whenDone(id);
    replyId = reply.id;
    const failure = { code: 'interrupted', maySend: false } as const;
    await putTurn(fixture.chat, id, { ...reply, ending: 'interrupted', failure });
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  /** The fixture has only the services that a retry needs. */
  const retry = () => new ConversationActions(fixture as unknown as Services).retry(id, replyId);
  const countMessages = () => [...fixture.service.messages.values()].filter(({ machine }) => !machine).length;
  const getShownTexts = () =>
    recorded.shown.filter(({ by }) => by !== 'Progress').map(({ texts }) => texts[0]);

  it('sends nothing and shows nothing when the reply was completed while the user was asked', async () => {
    onAsked = async () => {
      const reply = fixture.chat.findConversation(id)?.turns.at(-1);
      assert.ok(reply?.kind === 'reply');
      const { failure: _, ...rest } = reply;
      await putTurn(fixture.chat, id, { ...rest, ending: 'complete' });
    };
    await retry();
    assert.deepEqual([getShownTexts(), countMessages()], [['Send the message again?'], 1]);
  });

  it('says that another window is writing', async () => {
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    let permission: Awaited<ReturnType<typeof other.chat.acquirePermission>>;
    onAsked = async () => {
      permission = await other.chat.acquirePermission(id);
    };
    await retry();
    const busy = 'Another window is writing to this conversation.';
    assert.deepEqual([getShownTexts(), countMessages()], [['Send the message again?', busy], 1]);
    await permission?.release();
    await other.close();
  });
});
