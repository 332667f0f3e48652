import assert from 'node:assert/strict';
import { registerConversations } from '../../../src/host/conversations/registerConversations';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createMessageSender } from '../../chat/support/messageSender';
import { RefusingStorage } from '../../chat/support/refusingStorage';
import { RecordedWindow } from '../support/recordedWindow';

describe('A message that is sent from a page', () => {
  let fixture: ChatFixture;
  let storage: RefusingStorage;
  let recorded: RecordedWindow;
  beforeEach(async () => {
    fixture = await startChat({}, (folder) => {
      storage = new RefusingStorage(folder);
      return storage;
    });
    recorded = new RecordedWindow(() => undefined);
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  it('stays in the composer, and says why, if the changes of other windows can’t be read', async () => {
    const { chat } = fixture;
    const { id: conversationId } = fixture.newConversation();
    const messageSender = createMessageSender(fixture);
    const setup = { checkSetup: async () => ({ step: 'done' }) };
    const services = { chat, setup, messageSender } as unknown as Parameters<typeof registerConversations>[0];
    let notSent = 0;
    const page = { conversationId, postNotSent: () => notSent++, postSent: assert.fail };
    const text = 'Moss. '.repeat(1000);
    const send = () =>
      registerConversations(services).intents.send(
        { type: 'send', conversationId, text, overflow: 'document' },
        page as unknown as HostPage,
      );
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    await send();
    await chat.whenSaved(conversationId);
    assert.deepEqual([notSent, recorded.texts], [1, []]);
    storage.refuses = (step) => step === 'stat' || step === 'read';
    await send();
    storage.refuses = () => false;
    assert.equal(notSent, 2);
    assert.match(recorded.texts.join('\n'), /^Couldn’t send the message\. .*Refused/);
    assert.ok(fixture.takeErrors().some((error) => /Refused/.test(String(error))));
  });
});
