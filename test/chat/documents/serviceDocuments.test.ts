import assert from 'node:assert/strict';
import { findServiceDocuments } from '../../../src/chat/documents/serviceDocuments';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

describe('Documents from elsewhere', () => {
  let fixture: ChatFixture;
  let id: string;

  const start = async (options: LocalServiceOptions) => {
    fixture = await startChat(options);
    ({ id } = fixture.newConversation());
  };
  afterEach(() => fixture.close());

  const upload = async (window: ChatFixture, conversationId: string, name: string, replaces?: string) => {
    const open = () => openBytes(new TextEncoder().encode('text'));
    const { turnId, finished } = window.uploads.add(
      conversationId,
      confirmed({
        name,
        contentType: 'text/plain',
        opened: open(),
        reopen: async () => open(),
        ...(replaces !== undefined && { replaces }),
      }),
    );
    await finished;
    return turnId;
  };
  const show = () => fixture.documentStatus.setVisible(new Set([id]));
  const findDocuments = () => findServiceDocuments(fixture.chat.findConversation(id) ?? assert.fail());
  const describeDocuments = () => findDocuments().map(({ document, origin }) => `${document.name} ${origin}`);
  const until = (fits: () => boolean) => fixture.until(fits);
  /** Adds a document to the same conversation from another machine. */
  const addElsewhere = async (name: string) => {
    const other = await fixture.otherMachine();
    const { remote } = fixture.chat.findConversation(id) ?? {};
    const conversation = other.newConversation();
    if (remote) other.chat.update(conversation.id, { remote });
    await upload(other, conversation.id, name);
    await other.close();
  };

  for (const profile of ['lenient', 'hosted'] as const) {
    const lists = { profile, missing: [], conversionMs: 0, listingMs: 0 };

    it(`are shown when the conversation comes on screen (${profile})`, async () => {
      await start(lists);
      await fixture.replies.send(id, 'Hi');
      await fixture.ended(id);
      await addElsewhere('plan.txt');
      assert.deepEqual(describeDocuments(), []);
      show();
      await until(() => describeDocuments().length === 1);
      assert.deepEqual(describeDocuments(), ['plan.txt addedElsewhere']);
    });

    it(`do not include those uploaded here (${profile})`, async () => {
      await start(lists);
      show();
      await upload(fixture, id, 'own.txt');
      await addElsewhere('plan.txt');
      fixture.documentStatus.setVisible(new Set());
      show();
      await until(() => describeDocuments().includes('plan.txt addedElsewhere'));
      assert.deepEqual(describeDocuments(), ['plan.txt addedElsewhere']);
    });
  }

  it('are polled until they are converted', async () => {
    await start({ profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY });
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    show();
    await until(() => findDocuments()[0]?.document.status === 'syncing');
    fixture.service.conversions.finish('plan.txt');
    await until(() => findDocuments()[0]?.document.status === 'synced');
  });

  it('are shown as older versions once there is a newer one, and can be removed', async () => {
    await start({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
    show();
    const first = await upload(fixture, id, 'own.txt');
    await until(() => fixture.chat.findConversation(id)?.listed?.documents.length === 1);
    const second = await upload(fixture, id, 'own.txt', first);
    assert.notEqual(first, second);
    await until(() => fixture.chat.findConversation(id)?.listed?.documents.length === 2);
    await until(() => describeDocuments().length === 1);
    assert.deepEqual(describeDocuments(), ['own.txt older']);
    const [older] = findDocuments();
    assert.equal(await fixture.serviceDocuments.removeDocument(id, older?.document.id ?? ''), true);
    assert.deepEqual(describeDocuments(), []);
    assert.equal(fixture.service.documents.size, 1);
  });

  it('are removed without an error when the service has already removed them', async () => {
    await start({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    show();
    await until(() => describeDocuments().length === 1);
    const [document] = findDocuments();
    await fixture.connect().client.deleteDocument(document?.document.id ?? '');
    assert.equal(await fixture.serviceDocuments.removeDocument(id, document?.document.id ?? ''), true);
    assert.deepEqual(describeDocuments(), []);
  });

  it('are removed without an error when the service has removed them and has no list', async () => {
    await start({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    const [document = assert.fail()] = fixture.service.documents.keys();
    await fixture.connect().client.deleteDocument(document);
    fixture.connect().capabilities.setMissing('GET /documents');
    assert.equal(await fixture.serviceDocuments.removeDocument(id, document), true);
  });

  it("can't be removed when the service lacks the operation, which is not offered again", async () => {
    await start({ profile: 'hosted', listingMs: 0, conversionMs: 0, missing: ['DELETE /documents/{id}'] });
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    show();
    await until(() => describeDocuments().length === 1);
    const [document] = findDocuments();
    assert.equal(await fixture.serviceDocuments.removeDocument(id, document?.document.id ?? ''), false);
    assert.deepEqual(describeDocuments(), ['plan.txt addedElsewhere']);
    assert.equal(fixture.chat.findConversation(id)?.listed?.canRemove, false);
  });
});
