import assert from 'node:assert/strict';
import { LastDocumentError } from '../../../src/chat/documents/focusSync';
import { findServiceDocuments } from '../../../src/chat/documents/serviceDocuments';
import { findDocument, getFocusState } from '../../../src/chat/model/conversation';
import { ServiceError } from '../../../src/client/serviceError';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { LocalServiceOptions } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const READ = 'GET /conversations/{id}';
const CHANGE = 'POST /conversations/{id}';

describe('The focus of a conversation', () => {
  let fixture: ChatFixture;
  let id: string;

  const start = async (options: LocalServiceOptions = {}) => {
    fixture = await startChat({ profile: 'hosted', listingMs: 0, conversionMs: 0, ...options });
    ({ id } = fixture.newConversation());
  };
  afterEach(() => fixture.close());

  const find = () => fixture.chat.findConversation(id) ?? assert.fail();
  const startUpload = (name: string, window = fixture, conversationId = id) => {
    const open = () => openBytes(new TextEncoder().encode('text'));
    const file = { name, contentType: 'text/plain', opened: open(), reopen: async () => open() };
    return window.uploads.add(conversationId, confirmed(file));
  };
  /** Uploads a file and returns its document, once its id is known. */
  const upload = async (name: string, shows = false) => {
    const { turnId, finished } = startUpload(name);
    await finished;
    if (shows) show();
    const getId = () => findDocument(find(), turnId)?.documentId;
    await fixture.until(() => getId() !== undefined);
    return { id: getId() ?? assert.fail(), name };
  };
  const addElsewhere = async (name: string) => {
    const other = await fixture.otherMachine();
    const { remote } = find();
    const conversation = other.newConversation();
    if (remote) other.chat.update(conversation.id, { remote });
    await startUpload(name, other, conversation.id).finished;
    await other.close();
  };
  const show = () => {
    fixture.documentStatus.setVisible(new Set([id]));
    fixture.focusSync.setVisible(new Set([id]));
  };
  const hide = () => {
    fixture.documentStatus.setVisible(new Set());
    fixture.focusSync.setVisible(new Set());
  };
  const getServiceFocus = () => [
    ...(fixture.service.conversations.get(find().remote?.id ?? '')?.document_ids ?? []),
  ];
  const updateElsewhere = (documentIds: readonly string[]) =>
    fixture.connect().client.updateConversation(find().remote?.id ?? '', {
      name: 'Elsewhere',
      botId: 'echo',
      documentIds,
    });
  const countReads = () =>
    fixture.service.requests.filter(({ path }) => path.includes('includes=document_ids')).length;
  const whenOffered = () => fixture.until(() => find().focus !== undefined);

  it('loses a document that is excluded, and regains it when it is included', async () => {
    await start();
    show();
    const first = await upload('first.txt');
    const second = await upload('second.txt');
    await whenOffered();
    assert.equal(getFocusState(find(), first.id), 'included');
    const { name, bot } = find();

    const changing = fixture.focusSync.setIncluded(id, first, false);
    assert.equal(getFocusState(find(), first.id), 'excluded');
    await changing;
    assert.equal(getFocusState(find(), first.id), 'excluded');
    assert.deepEqual(getServiceFocus(), [second.id]);
    const onService = fixture.service.conversations.get(find().remote?.id ?? '');
    assert.deepEqual([onService?.name, onService?.bot_id], [name, bot?.id]);

    await fixture.focusSync.setIncluded(id, first, true);
    assert.deepEqual(getServiceFocus(), [second.id, first.id]);
    assert.equal(getFocusState(find(), first.id), 'included');
  });

  it('is read again when the conversation is shown again', async () => {
    await start();
    show();
    const own = await upload('own.txt');
    const other = await upload('other.txt');
    await whenOffered();
    hide();
    await updateElsewhere([other.id]);
    show();
    await fixture.until(() => getFocusState(find(), own.id) === 'excluded');
  });

  it('keeps a document from elsewhere in the list while it is excluded', async () => {
    await start();
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    const own = await upload('own.txt', true);
    const getNames = () => findServiceDocuments(find()).map(({ document }) => document.name);
    await fixture.until(() => getNames().length === 1);
    await whenOffered();
    const { document } = findServiceDocuments(find())[0] ?? assert.fail();

    await fixture.focusSync.setIncluded(id, document, false);
    assert.deepEqual(getServiceFocus(), [own.id]);
    hide();
    show();
    await fixture.until(() => find().listed?.documents.length === 1);
    assert.deepEqual([getNames(), getFocusState(find(), document.id)], [['plan.txt'], 'excluded']);

    await fixture.focusSync.setIncluded(id, document, true);
    assert.deepEqual([getNames(), getFocusState(find(), document.id)], [['plan.txt'], 'included']);
    assert.deepEqual(getServiceFocus(), [own.id, document.id]);
  });

  it('keeps an excluded document from elsewhere across a reload, as long as the service offers the focus', async () => {
    await start();
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    await upload('own.txt', true);
    await fixture.until(() => findServiceDocuments(find()).length === 1);
    await whenOffered();
    const { document } = findServiceDocuments(find())[0] ?? assert.fail();
    await fixture.focusSync.setIncluded(id, document, false);
    await fixture.chat.whenSaved(id);

    const reloaded = await fixture.otherWindow();
    const findReloaded = () => reloaded.chat.findConversation(id) ?? assert.fail();
    await reloaded.chat.openWhole(id);
    assert.deepEqual(findServiceDocuments(findReloaded()), []);
    reloaded.focusSync.setVisible(new Set([id]));
    await reloaded.until(() => findReloaded().focus !== undefined);
    assert.deepEqual(
      findServiceDocuments(findReloaded()).map((found) => found.document.name),
      ['plan.txt'],
    );
    await reloaded.focusSync.setIncluded(id, document, true);
    assert.ok(getServiceFocus().includes(document.id));
    await reloaded.chat.whenSaved(id);
    await reloaded.close();
    const later = await fixture.otherWindow();
    assert.deepEqual((await later.chat.openWhole(id))?.excluded, []);
    await later.close();
  });

  it('never becomes empty: the last document can’t be excluded', async () => {
    await start();
    show();
    const first = await upload('first.txt');
    await whenOffered();
    assert.equal(getFocusState(find(), first.id), undefined);
    const second = await upload('second.txt');
    assert.equal(getFocusState(find(), first.id), 'included');
    await updateElsewhere([first.id]);
    await assert.rejects(fixture.focusSync.setIncluded(id, first, false), LastDocumentError);
    assert.deepEqual(getServiceFocus(), [first.id]);
    await fixture.until(() => getFocusState(find(), second.id) === 'excluded');
    assert.equal(getFocusState(find(), first.id), undefined);
  });

  it('excludes nothing more when the service’s list is empty, whatever that means', async () => {
    await start();
    show();
    const own = await upload('own.txt');
    const other = await upload('other.txt');
    await whenOffered();
    await fixture.focusSync.setIncluded(id, other, false);
    hide();
    await updateElsewhere([]);
    show();
    await fixture.until(() => find().focus?.included.length === 0);
    assert.deepEqual(
      [getFocusState(find(), own.id), getFocusState(find(), other.id)],
      [undefined, 'excluded'],
    );
    await fixture.focusSync.setIncluded(id, other, true);
    assert.deepEqual(getServiceFocus(), [other.id]);
  });

  it('keeps a file that is registered while another document is excluded', async () => {
    await start();
    show();
    const first = await upload('first.txt');
    await whenOffered();
    fixture.service.inject({ name: 'slow', on: 'POST /documents/file', delayMs: 100 });
    // A change that doesn't wait for the registration would arrive after it, with the list from before it.
    fixture.service.inject({ name: 'slow', on: CHANGE, delayMs: 250 });
    const { turnId, finished } = startUpload('second.txt');
    await fixture.until(
      (event) =>
        event.type === 'turn' &&
        event.turn.id === turnId &&
        findDocument(find(), turnId)?.state === 'registering',
    );
    await fixture.focusSync.setIncluded(id, first, false);
    await finished;
    await fixture.until(() => findDocument(find(), turnId)?.documentId !== undefined);
    const secondId = findDocument(find(), turnId)?.documentId ?? assert.fail();
    assert.deepEqual(getServiceFocus(), [secondId]);
    assert.deepEqual(
      [getFocusState(find(), first.id), getFocusState(find(), secondId)],
      ['excluded', undefined],
    );
  });

  it('keeps every one of several changes that are made at once', async () => {
    await start();
    show();
    const documents = [await upload('a.txt'), await upload('b.txt'), await upload('c.txt')];
    await whenOffered();
    const last = await upload('d.txt');
    const [, second] = documents;
    await Promise.all(documents.map((document) => fixture.focusSync.setIncluded(id, document, false)));
    assert.deepEqual(getServiceFocus(), [last.id]);
    if (second) {
      await Promise.all([
        fixture.focusSync.setIncluded(id, second, true),
        fixture.focusSync.setIncluded(id, second, false),
        fixture.focusSync.setIncluded(id, second, true),
      ]);
      assert.deepEqual(getServiceFocus(), [last.id, second.id]);
    }
    const states = documents.map((document) => getFocusState(find(), document.id));
    assert.deepEqual(states, ['excluded', 'included', 'excluded']);
  });

  for (const operation of [READ, CHANGE] as const) {
    it(`is shown as it was when ${operation} fails`, async () => {
      await start();
      show();
      const own = await upload('own.txt');
      const other = await upload('other.txt');
      await whenOffered();
      fixture.service.inject({ name: 'status', on: operation, status: 403 });
      const changing = fixture.focusSync.setIncluded(id, own, false);
      assert.equal(getFocusState(find(), own.id), 'excluded');
      await assert.rejects(changing, ServiceError);
      assert.equal(getFocusState(find(), own.id), 'included');
      assert.deepEqual(getServiceFocus(), [own.id, other.id]);
    });
  }

  it('is read again when the response to a change is lost', async () => {
    await start();
    show();
    const own = await upload('own.txt');
    await upload('other.txt');
    await whenOffered();
    fixture.service.inject({ name: 'answer-lost', on: CHANGE });
    await assert.rejects(fixture.focusSync.setIncluded(id, own, false), ServiceError);
    await fixture.until(() => getFocusState(find(), own.id) === 'excluded');
  });

  it('drops an excluded document that is removed from the service', async () => {
    await start();
    show();
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await addElsewhere('plan.txt');
    hide();
    await upload('own.txt', true);
    await fixture.until(() => findServiceDocuments(find()).length === 1);
    await whenOffered();
    const { document } = findServiceDocuments(find())[0] ?? assert.fail();
    await fixture.focusSync.setIncluded(id, document, false);
    assert.equal(await fixture.serviceDocuments.removeDocument(id, document.id), true);
    assert.deepEqual([findServiceDocuments(find()), find().excluded], [[], []]);
  });

  it('is forgotten when the conversation starts anew on the service, without its documents', async () => {
    await start();
    const own = await upload('own.txt', true);
    await upload('other.txt');
    await whenOffered();
    await fixture.focusSync.setIncluded(id, own, false);
    hide();
    const remote = find().remote ?? assert.fail();
    await fixture.connect().client.deleteConversation(remote.id);
    fixture.chat.update(id, { remote: { ...remote, gone: true } });
    await fixture.remote.recreate(id);
    assert.deepEqual([find().focus, find().excluded], [undefined, []]);
  });

  it('is not offered by a minimal service', async () => {
    await start({ profile: 'minimal', empty: [] });
    show();
    const own = await upload('own.txt');
    const { capabilities } = fixture.connect();
    await waitUntil('the answer was read', () => !capabilities.has('document_ids'));
    assert.deepEqual([find().focus, getFocusState(find(), own.id)], [undefined, undefined]);
    hide();
    show();
    await upload('second.txt');
    assert.equal(countReads(), 1);
  });
});
