import assert from 'node:assert/strict';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';

describe('The list of conversations that a disk refused to list', () => {
  let fixture: ChatFixture;
  let other: ChatFixture;

  beforeEach(async () => {
    fixture = await startChat();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    const storage = new RefusingStorage(fixture.folder);
    other = await fixture.otherWindow({ createStorage: () => storage });
    storage.refuses = (step) => step === 'list';
    await assert.rejects(other.chat.load(), /Refused/);
    storage.refuses = () => false;
  });
  afterEach(async () => {
    await other.close();
    await fixture.close();
  });

  const assertListed = async () => {
    // Pages wait for this.
    await other.chat.whenListed;
    assert.deepEqual(
      other.chat.listConversations().map(({ name }) => name),
      ['Hello'],
    );
  };

  it('is read when the window gets the focus', async () => {
    await other.chat.readListChanges();
    await assertListed();
  });

  it('is read for whatever needs it next', async () => {
    await other.chat.load();
    await assertListed();
  });
});
