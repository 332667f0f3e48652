import assert from 'node:assert/strict';
import { copyFile, readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createChat } from '../../../src/chat/createChat';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { createMirror } from '../support/memoryMirror';
import { putTurn } from '../support/writing';

const DELETE = 'DELETE /conversations/{id}';

describe('A deletion that its window never completed', () => {
  let fixture: ChatFixture;
  let id: string;

  /** Deletes a conversation with a draft, chips and a queue in a window that closes before Undo is over. */
  beforeEach(async () => {
    fixture = await startChat();
    const window = await fixture.otherWindow();
    ({ id } = window.newConversation());
    await window.replies.send(id, 'Hello');
    await window.ended(id);
    window.chat.composers.setDraft(id, 'A draft');
    window.chat.composers.setState(id, { webSearch: true });
    await window.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    await window.chat.deleteConversation(id);
    await window.close();
  });
  afterEach(() => fixture.close());

  const getFiles = async () =>
    (await readdir(fixture.folder)).filter((name) => name.startsWith(id)).toSorted();
  const countOnService = () => fixture.service.conversations.size;

  it('is completed at the next start, once the conversations are listed', async () => {
    const onError = (error: unknown) => assert.ifError(error);
    const store = new ConversationStore(new NodeStorage(fixture.folder), 'next start', onError);
    const bots = { named: (botId: string) => ({ id: botId, name: botId }), listBots: async () => undefined };
    const services = createChat(store, fixture.connect, bots, fixture.folders, createMirror());
    await services.chat.load();
    await waitUntil('its files are deleted', async () => (await getFiles()).length === 0);
    assert.equal(countOnService(), 0);
    await services.close();
  });

  it('is completed here and on the service', async () => {
    assert.deepEqual(await getFiles(), [
      `${id}.composing.draft`,
      `${id}.deleted`,
      `${id}.draft`,
      `${id}.queue`,
    ]);
    await fixture.remote.completeDeletions();
    assert.deepEqual([await getFiles(), countOnService()], [[], 0]);
  });

  it('is tried again at a later start when the service fails', async () => {
    fixture.service.inject({ name: 'status', on: DELETE, status: 500 });
    await fixture.remote.completeDeletions();
    assert.equal(fixture.takeErrors().length, 1);
    assert.deepEqual([(await getFiles()).includes(`${id}.deleted`), countOnService()], [true, 1]);
    await fixture.remote.completeDeletions();
    assert.deepEqual([await getFiles(), countOnService()], [[], 0]);
  });

  it('is completed here if the window was killed after the service had deleted it', async () => {
    for (const remoteId of fixture.service.conversations.keys())
      await fixture.connect().client.deleteConversation(remoteId);
    await fixture.remote.completeDeletions();
    assert.deepEqual(await getFiles(), []);
  });

  it('leaves the draft, the queue and the file of a conversation with its id alone [fault 51]', async () => {
    const { chat } = fixture;
    const { turns, bot } = (await chat.readConversation(id)) ?? fixture.newConversation();
    chat.importConversation({
      ...fixture.newConversation(),
      id,
      turns,
      ...(bot && { bot }),
      name: 'Imported',
    });
    await putTurn(chat, id, { kind: 'message', id: 'm', text: 'Imported', at: 1 });
    await chat.whenSaved(id);
    await fixture.remote.completeDeletions();
    // The service's conversation was that of the deleted one.
    assert.equal(countOnService(), 0);
    assert.deepEqual(await getFiles(), [
      `${id}.composing.draft`,
      `${id}.draft`,
      `${id}.jsonl`,
      `${id}.queue`,
    ]);
    assert.equal(await chat.composers.getDraft(id), 'A draft');
  });

  it('leaves the service’s conversation alone if the file was renamed only in part', async () => {
    await copyFile(path.join(fixture.folder, `${id}.deleted`), path.join(fixture.folder, `${id}.jsonl`));
    await fixture.remote.completeDeletions();
    assert.equal(countOnService(), 1);
    assert.ok(!(await getFiles()).includes(`${id}.deleted`));
    assert.equal((await fixture.chat.openWhole(id))?.draft, 'A draft');
  });

  it('leaves the service’s conversation alone if the user has opened it again', async () => {
    fixture.service.inject({ name: 'status', on: DELETE, status: 500 });
    await fixture.remote.completeDeletions();
    fixture.takeErrors();
    const [remoteId = ''] = fixture.service.conversations.keys();
    const { chat, messageSync, connect } = fixture;
    const bots = { named: (bot: string) => ({ id: bot, name: bot }), listBots: async () => undefined };
    const opened = await new ServiceConversations(chat, messageSync, connect, bots).openFromService(remoteId);
    await chat.whenSaved(opened);
    await fixture.remote.completeDeletions();
    assert.deepEqual([await getFiles(), countOnService()], [[], 1]);
    assert.equal((await chat.openWhole(opened))?.turns.length, 2);
  });

  it('waits for its service while another one is set', async () => {
    const { baseUrl } = fixture.connect();
    fixture.useBaseUrl(`${baseUrl}/other`);
    await fixture.remote.completeDeletions();
    assert.equal(fixture.takeErrors().length, 1);
    assert.deepEqual([(await getFiles()).includes(`${id}.deleted`), countOnService()], [true, 1]);
    fixture.useBaseUrl(baseUrl);
    await fixture.remote.completeDeletions();
    assert.deepEqual([await getFiles(), countOnService()], [[], 0]);
  });

  it('is completed here after a day although the service fails', async () => {
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    await utimes(path.join(fixture.folder, `${id}.deleted`), twoDaysAgo, twoDaysAgo);
    // Lists conversations first, as a start does.
    await fixture.chat.load();
    fixture.service.inject({ name: 'status', on: DELETE, status: 500 });
    await fixture.remote.completeDeletions();
    assert.equal(fixture.takeErrors().length, 1);
    assert.deepEqual([await getFiles(), countOnService()], [[], 1]);
  });
});

describe('A conversation that is deleted while the service creates it', () => {
  it('is deleted there once its id is known', async () => {
    const fixture = await startChat();
    try {
      const { id } = fixture.newConversation();
      fixture.chat.update(id, { name: 'Named' });
      const service = fixture.connect();
      let resolve: () => void = () => assert.fail();
      const isDeleted = new Promise<void>((settle) => {
        resolve = settle;
      });
      const createConversation: typeof service.client.createConversation = async (conversation) => {
        const created = await fixture.connect().client.createConversation(conversation);
        await isDeleted;
        return created;
      };
      const client = Object.assign(Object.create(service.client), {
        createConversation,
        deleteConversation: (remoteId: string) => fixture.connect().client.deleteConversation(remoteId),
      });
      const creating = fixture.remote.ensureCreated(id, { ...service, client }, new AbortController().signal);
      const rejected = assert.rejects(creating, { code: 'aborted' });
      await fixture.chat.deleteConversation(id);
      resolve();
      await rejected;
      assert.equal(fixture.service.conversations.size, 0);
    } finally {
      await fixture.close();
    }
  });
});
