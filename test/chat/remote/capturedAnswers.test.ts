import assert from 'node:assert/strict';
import { DocumentStatus } from '../../../src/chat/documents/documentStatus';
import { findServiceDocuments } from '../../../src/chat/documents/serviceDocuments';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { Sources } from '../../../src/chat/remote/replySources';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

describe('With answers as the hosted service was seen to send them', () => {
  let fixture: ChatFixture;
  let sources: Sources;
  let documentStatus: DocumentStatus;
  let id: string;
  let now: number;

  const start = async (options?: LocalServiceOptions) => {
    fixture = await startChat({ profile: 'captured', requiresFolder: false, ...options });
    const { chat, remote, connect } = fixture;
    sources = new Sources(chat, remote, connect);
    const intervals = { firstMs: 20, maxMs: 40, minListAgeMs: 0 };
    documentStatus = new DocumentStatus(chat, remote, connect, intervals);
    now = Date.now();
    fixture.useClock(() => now);
    ({ id } = fixture.newConversation());
  };
  afterEach(async () => {
    sources.dispose();
    documentStatus.dispose();
    await fixture.close();
  });

  const say = async (window: ChatFixture, conversationId: string, text: string): Promise<ReplyTurn> => {
    assert.equal(await window.replies.send(conversationId, text), 'sent');
    return window.ended(conversationId);
  };
  /** Opens the conversation on another machine. */
  const openElsewhere = async () => {
    const other = await fixture.otherMachine();
    const conversation = other.newConversation();
    const { remote } = fixture.chat.findConversation(id) ?? {};
    other.chat.update(conversation.id, { remote: remote ?? assert.fail('It is not on the service.') });
    return { other, otherId: conversation.id };
  };
  const upload = async (window: ChatFixture, conversationId: string, name: string) => {
    const opened = openBytes(new TextEncoder().encode('Text'));
    const file = { name, contentType: 'text/plain', opened, reopen: async () => opened };
    await window.uploads.add(conversationId, confirmed(file)).finished;
  };
  const getTexts = () =>
    (fixture.chat.findConversation(id)?.turns ?? []).map((turn) =>
      turn.kind === 'document' ? turn.name : turn.text,
    );
  const refreshLater = async () => {
    now += 31_000;
    await fixture.messageSync.fetchMessages(id);
  };

  it('a conversation shows all messages that another machine has added on three pages', async () => {
    await start();
    const texts: string[] = [];
    const exchange = async (window: ChatFixture, conversationId: string, text: string) => {
      await say(window, conversationId, text);
      texts.push(text, text);
    };
    for (const text of ['one', 'two', 'three']) await exchange(fixture, id, text);
    const { other, otherId } = await openElsewhere();
    for (let number = 1; number <= 12; number++) await exchange(other, otherId, `Other ${number}`);
    await other.close();
    await refreshLater();
    assert.deepEqual(getTexts(), texts);
  });

  it('a conversation has nothing of another one whose messages the service lists as well', async () => {
    await start({ ignoresConversation: ['GET /messages'] });
    await say(fixture, id, 'Mine');
    const other = fixture.newConversation();
    await say(fixture, other.id, 'Another’s');
    await refreshLater();
    assert.deepEqual(getTexts(), ['Mine', 'Mine']);
  });

  for (const documentNames of ['withoutExtension', 'changed'] as const)
    it(`uploads become ready although their names are listed ${documentNames}`, async () => {
      await start({ documentNames, listingMs: 0, conversionMs: 0 });
      documentStatus.setVisible(new Set([id]));
      for (const name of ['knowledge.txt', 'app.ts.txt', 'app.js.txt']) await upload(fixture, id, name);
      const getDocuments = () =>
        (fixture.chat.findConversation(id)?.turns ?? []).flatMap((turn) =>
          turn.kind === 'document' ? [[turn.name, turn.status, turn.documentId]] : [],
        );
      await fixture.until(() => getDocuments().every(([, status]) => status === 'synced'));
      const stored = [...fixture.service.documents.values()].map((document) => [
        document.name,
        'synced',
        document.id,
      ]);
      assert.deepEqual(getDocuments(), stored);
    });

  it('an upload is not taken for a document of that name that was listed before', async () => {
    await start({ omit: ['document.created_at'], listingMs: 0, conversionMs: 0 });
    await say(fixture, id, 'Hi');
    const { other, otherId } = await openElsewhere();
    await upload(other, otherId, 'Knowledge.md');
    await other.close();
    documentStatus.setVisible(new Set([id]));
    await fixture.until(() => fixture.chat.findConversation(id)?.listed !== undefined);
    const [before] = fixture.service.documents.keys();
    await upload(fixture, id, 'knowledge.txt');
    const getOwn = () => fixture.chat.findConversation(id)?.turns.find(({ kind }) => kind === 'document');
    const own = await fixture.until((event) => {
      const turn = event.type === 'turn' ? event.turn : undefined;
      return turn?.kind === 'document' && turn.documentId !== undefined;
    });
    assert.ok(own && getOwn());
    assert.notEqual((getOwn() as { documentId?: string }).documentId, before);
  });

  it('a document that was added elsewhere is listed once a reply has ended', async () => {
    await start({ listingMs: 0, conversionMs: 0 });
    await say(fixture, id, 'Hi');
    documentStatus.setVisible(new Set([id]));
    await fixture.service.waitForRequest(({ path }) => path.includes('/documents?'));
    const { other, otherId } = await openElsewhere();
    await upload(other, otherId, 'plan.md');
    await other.close();
    const getNames = () =>
      findServiceDocuments(fixture.chat.findConversation(id) ?? assert.fail()).map(
        ({ document }) => document.name,
      );
    assert.deepEqual(getNames(), []);
    await say(fixture, id, 'And?');
    await fixture.until(() => getNames().length > 0);
    assert.deepEqual(getNames(), ['plan']);
  });

  it('a reply has all its sources although the list shows one, and its message is read once', async () => {
    await start();
    const kinds = [
      { type: 'written', document_id: 'd1', document_name: 'Plan' },
      { type: 'file', file_name: 'notes.pdf' },
      { type: 'webpage', webpage_url: 'https://example.com/' },
    ];
    const script = fixture.service.script();
    await fixture.replies.send(id, 'Why?');
    script.chunk('So.');
    script.end({ sources: kinds });
    const { id: turnId } = await fixture.ended(id);
    const getSources = () => {
      const turn = fixture.chat.findConversation(id)?.turns.find((each) => each.id === turnId);
      return turn?.kind === 'reply' ? (turn.sources ?? []).map(({ name }) => name) : [];
    };
    await fixture.until(() => getSources().length === 3);
    assert.deepEqual(getSources(), ['Plan', 'notes.pdf', 'https://example.com/']);
    sources.complete(id, turnId);
    await sources.whenSettled(id);
    const reads = fixture.service.requests.filter(({ path }) => /\/messages\/[^?]+\?/.test(path));
    assert.equal(reads.length, 1);
  });

  it('a message from elsewhere says that it searched the web', async () => {
    await start();
    await say(fixture, id, 'Hi');
    const { other, otherId } = await openElsewhere();
    const { client } = other.connect();
    const conversationId = other.chat.findConversation(otherId)?.remote?.id ?? '';
    await client.createMessage({ conversationId, content: 'Look it up', isWebSearch: true });
    await other.close();
    await refreshLater();
    const turns = fixture.chat.findConversation(id)?.turns ?? [];
    assert.deepEqual(
      turns.map((turn) => turn.kind !== 'document' && turn.webSearch === true),
      [false, false, true, true],
    );
  });

  it('a conversation without a name keeps its bot changeable, and sends no empty name', async () => {
    await start();
    await say(fixture, id, 'What is moss?');
    fixture.chat.update(id, { name: '' });
    await fixture.remote.changeBot(id, { id: 'echo', name: 'Echo' });
    const [stored] = fixture.service.conversations.values();
    assert.equal(stored?.name, 'What is moss?');
    const { id: emptyId } = fixture.newConversation();
    await fixture.remote.ensureCreated(emptyId, fixture.connect(), new AbortController().signal);
    assert.deepEqual(
      [...fixture.service.conversations.values()].map(({ name }) => name),
      ['What is moss?', 'New Conversation'],
    );
  });
});
