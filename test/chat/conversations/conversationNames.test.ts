import assert from 'node:assert/strict';
import { openBytes } from '../../../src/host/platform/openBytes';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

describe('Conversation name', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat({ profile: 'hosted' });
  });
  afterEach(() => fixture.close());

  const upload = async (id: string, name: string) => {
    const open = () => openBytes(new TextEncoder().encode('text'));
    const file = { name, contentType: 'text/plain', opened: open(), reopen: async () => open() };
    await fixture.uploads.add(id, confirmed(file)).finished;
  };
  const getServiceName = () => [...fixture.service.conversations.values()][0]?.name;
  const isUpdate = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && /\/conversations\/[^/]+\?/.test(path);

  it('is the file name until the first message, and then the message, here and on the service', async () => {
    const { id } = fixture.newConversation();
    await upload(id, 'report.txt');
    await upload(id, 'more.txt');
    assert.deepEqual(
      [fixture.chat.findConversation(id)?.name, getServiceName()],
      ['report.txt', 'report.txt'],
    );
    await fixture.replies.send(id, 'What does it say?\nAll of it.');
    assert.equal(fixture.chat.findConversation(id)?.name, 'What does it say?');
    await fixture.ended(id);
    await fixture.service.waitForRequest(isUpdate);
    // After another complete request the name must have arrived.
    await fixture.connect().client.listBots();
    assert.equal(getServiceName(), 'What does it say?');
    await fixture.replies.send(id, 'And what else?');
    await fixture.ended(id);
    await upload(id, 'later.txt');
    assert.deepEqual(
      [fixture.chat.findConversation(id)?.name, getServiceName()],
      ['What does it say?', 'What does it say?'],
    );
    assert.equal(fixture.service.requests.filter(isUpdate).length, 1);
  });

  it('is not changed after the user has renamed the conversation', async () => {
    const { id } = fixture.newConversation();
    await upload(id, 'report.txt');
    await fixture.remote.rename(id, 'Quarter');
    await fixture.replies.send(id, 'What does it say?');
    await fixture.ended(id);
    assert.deepEqual([fixture.chat.findConversation(id)?.name, getServiceName()], ['Quarter', 'Quarter']);
    assert.equal(fixture.service.requests.filter(isUpdate).length, 1);
  });

  it('is the message even if it was sent while the file was uploading', async () => {
    fixture.service.inject({ name: 'slow', on: 'POST /conversations', delayMs: 50 });
    const { id } = fixture.newConversation();
    const uploaded = upload(id, 'report.txt');
    await fixture.service.waitForRequest(({ path }) => path.endsWith('/conversations'));
    await fixture.replies.send(id, 'What does it say?');
    await fixture.ended(id);
    await uploaded;
    await fixture.service.waitForRequest(isUpdate);
    await fixture.connect().client.listBots();
    assert.deepEqual(
      [fixture.chat.findConversation(id)?.name, getServiceName()],
      ['What does it say?', 'What does it say?'],
    );
  });

  it('does not delay a message when the service refuses the name', async () => {
    const { id } = fixture.newConversation();
    await upload(id, 'report.txt');
    fixture.service.inject({ name: 'hang', on: 'POST /conversations/{id}' });
    await fixture.replies.send(id, 'What does it say?');
    assert.equal((await fixture.ended(id)).ending, 'complete');
    await fixture.service.waitForRequest(isUpdate);
    assert.equal(fixture.chat.findConversation(id)?.name, 'What does it say?');
  });
});
