import assert from 'node:assert/strict';
import type { ReplyTurn, Turn } from '../../../src/chat/model/turn';
import { getSourceTarget, isOldestFirst, readReply, Sources } from '../../../src/chat/remote/replySources';
import type { Message, Source } from '../../../src/client/models';
import type { Page } from '../../../src/client/pages';
import { ServiceError } from '../../../src/client/serviceError';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { conversationOf } from '../support/conversations';
import { acquire } from '../support/writing';

const createMessage = (id: string, about: Partial<Message> = {}): Message => ({
  ...{ id, content: 'Moss', sources: [] },
  ...about,
});

describe('readReply', () => {
  it('returns only what the message says besides its text', () => {
    const usage = { tokens: 1 };
    assert.deepEqual(readReply(createMessage('m')), {});
    assert.deepEqual(readReply(createMessage('m', { usage })), { usage, remoteId: 'm' });
    assert.deepEqual(readReply(createMessage('', { usage })), { usage });
    for (const [about, code] of [
      [{ flagged: true, failedResponding: true }, 'flagged'],
      [{ failedResponding: true }, 'unanswered'],
    ] as const) {
      const failure = { code, maySend: false };
      assert.deepEqual(readReply(createMessage('', about)), { ending: 'failed', failure });
    }
  });

  it('returns each source once, with the best available name', () => {
    const getSources = (...sources: Source[]) => readReply(createMessage('m', { sources })).sources;
    assert.deepEqual(
      getSources(
        { documentId: 'd1', documentName: ' a.md ' },
        { documentId: 'd1', documentName: 'again.md' },
        { documentId: 'd2', documentName: 'a.md' },
        { documentUrl: 'https://a.example/' },
        { documentUrl: 'https://b.example/', documentName: 'a.md' },
        { documentId: 'd3' },
        { documentId: '', documentName: 'b.md' },
        { type: ' web ' },
        { type: ' ' },
        {},
      ),
      [
        { name: 'a.md', id: 'd1' },
        { name: 'a.md', id: 'd2' },
        { name: 'https://a.example/', url: 'https://a.example/' },
        { name: 'a.md', url: 'https://b.example/' },
        { name: 'd3', id: 'd3' },
        { name: 'b.md', id: '' },
        { name: 'web' },
      ],
    );
  });
});

describe('getSourceTarget', () => {
  const document = { kind: 'document', name: 'a.md', size: 1, sent: 1, at: 1, state: 'attached' } as const;
  const turns: Turn[] = [
    { kind: 'message', id: 'm', text: 'Hi', at: 1 },
    { ...document, id: 'd1', documentId: 'x', uri: 'file:///a.md' },
    { ...document, id: 'd2', documentId: 'y' },
    { ...document, id: 'd3', uri: 'file:///b.md' },
  ];
  const url = 'https://example.org/';
  for (const { what, source, target } of [
    { what: 'the uploaded file', source: { id: 'x', url }, target: { kind: 'file', uri: 'file:///a.md' } },
    {
      what: 'the address of a document without a file',
      source: { id: 'y', url },
      target: { kind: 'link', href: url },
    },
    { what: 'the address of a source without an id', source: { url }, target: { kind: 'link', href: url } },
    { what: 'nothing for another address', source: { url: 'http://example.org/' }, target: undefined },
    { what: 'nothing for an unknown document', source: { id: 'z' }, target: undefined },
  ])
    it(`is ${what}`, () => {
      assert.deepEqual(getSourceTarget(conversationOf(turns), { name: 'a.md', ...source }), target);
    });
});

describe('isOldestFirst', () => {
  it('compares the first time with the last one, and returns undefined without two different times', () => {
    const isSorted = (...times: number[]) =>
      isOldestFirst(times.map((createdAt) => createMessage('m', { createdAt })));
    assert.deepEqual(
      [isSorted(), isSorted(1, 2), isSorted(2, 1), isSorted(5, 9, 1), isSorted(1, 0, 2)],
      [undefined, true, false, false, true],
    );
    const untimed = createMessage('u');
    const [one, two] = [createMessage('a', { createdAt: 1 }), createMessage('b', { createdAt: 2 })];
    assert.deepEqual(
      [
        [untimed, one],
        [one, untimed],
        [untimed, one, two, untimed],
        [two, one, untimed],
      ].map(isOldestFirst),
      [undefined, undefined, true, false],
    );
  });
});

describe('Sources of a service that answers differently', () => {
  let fixture: ChatFixture;
  let sources: Sources;
  let id: string;
  let asked: (number | undefined)[];

  beforeEach(async () => {
    fixture = await startChat();
    sources = new Sources(fixture.chat, fixture.remote, fixture.connect);
    ({ id } = fixture.newConversation());
    fixture.chat.update(id, { remote: { baseUrl: fixture.service.baseUrl, id: 'c' } });
  });
  afterEach(async () => {
    sources.dispose();
    await fixture.close();
  });

  const answer = (get: (page: number | undefined) => Partial<Page<Message>>) => {
    asked = [];
    fixture.connect().client.listMessages = async ({ page }) => {
      asked.push(page ?? 1);
      return { items: [], ...get(page) };
    };
  };
  /** Ends a reply, and returns the service's id for it. */
  const endReply = async (about: Partial<ReplyTurn> = {}) => {
    // It may be found under the same ID as the one before.
    for (const turn of fixture.chat.findConversation(id)?.turns ?? [])
      if (turn.kind === 'reply') {
        const { remoteId: _, ...rest } = turn;
        fixture.chat.writer.putReplyDetails(id, rest);
      }
    const turnId = crypto.randomUUID();
    const reply = { kind: 'reply', id: turnId, messageId: 'm', bot: 'Echo', text: 'Moss\n', at: 1 } as const;
    const permission = await acquire(fixture.chat, id);
    fixture.chat.writer.putTurn(permission, reply);
    fixture.chat.writer.endReply(permission, { ...reply, ending: 'complete', ...about });
    await permission.release();
    await sources.whenSettled(id);
    const turn = fixture.chat.findConversation(id)?.turns.find((each) => each.id === turnId);
    return turn?.kind === 'reply' ? turn.remoteId : assert.fail();
  };
  const usage = { tokens: 1 };
  const found = (about: Partial<Message> = {}) =>
    createMessage('found', { content: ' Moss', usage, ...about });
  const other = (about: Partial<Message> = {}) =>
    createMessage('other', { content: 'Fern', usage, ...about });
  const asks = async (pages: number[], remoteId: string | undefined) => {
    assert.deepEqual([await endReply(), asked], [remoteId, pages]);
  };

  it('finds the newest reply with the text, in any order', async () => {
    answer(() => ({
      items: [found({ createdAt: 2 }), createMessage('older', { createdAt: 1, usage })],
      total: 2,
    }));
    await asks([1], 'found');
    answer(() => ({ items: [createMessage('older', { usage }), found(), other()], total: 3 }));
    await asks([1], 'found');
    answer(() => ({ items: [found(), createMessage('own', { machine: false, usage })], total: 2 }));
    await asks([1], 'found');
  });

  it('asks for one more page if the newest messages come first', async () => {
    answer((page) => ({
      items: page === 2 ? [found()] : [other({ createdAt: 2 }), other({ id: 'another', createdAt: 1 })],
      next: 2,
    }));
    await asks([1, 2], 'found');
    await asks([1, 2, 1, 2], 'found');
  });

  it('asks for no other page if there is none', async () => {
    answer(() => ({ items: [other()], total: 1 }));
    await asks([1], undefined);
    answer(() => ({ items: [] }));
    await asks([1], undefined);
    answer(() => ({ items: [found()], lastPage: 1 }));
    await asks([1], 'found');
  });

  it('starts at the first page again when the reply wasn’t found', async () => {
    answer((page = 1) => ({
      items: [2, 1].map((at) => other({ id: `${page}.${at}`, createdAt: at })),
      next: page + 1,
    }));
    await asks([1, 2], undefined);
    await asks([1, 2, 1, 2], undefined);
  });

  it('asks for the last page if the oldest messages come first, and starts there the next time', async () => {
    const last = [other({ createdAt: 3 }), found({ createdAt: 4 })];
    const first = [other({ id: 'o1', createdAt: 1 }), found({ id: 'earlier', createdAt: 2 })];
    for (const about of [{ total: 6, next: 2 }, { lastPage: 3 }] satisfies Partial<Page<Message>>[]) {
      ({ id } = fixture.newConversation());
      const remote = { baseUrl: fixture.service.baseUrl, id: crypto.randomUUID() };
      fixture.chat.update(id, { remote });
      answer((page) => (page === 3 ? { items: last } : { items: first, ...about }));
      await asks([1, 3], 'found');
      await asks([1, 3, 3], 'found');
    }
  });

  it('reads all pages if the oldest messages come first and nothing tells which page is the last', async () => {
    const items = (page: number) =>
      Array.from({ length: 10 }, (_, at) => other({ id: `${page}.${at}`, createdAt: page }));
    answer((page = 1) => ({ items: page === 3 ? [found({ createdAt: 3 })] : items(page) }));
    await asks([1, 2, 3], 'found');
  });

  it('looks up only complete replies of conversations on this service', async () => {
    answer(() => ({ items: [found()], total: 1 }));
    assert.equal(await endReply({ ending: 'stopped' }), undefined);
    fixture.chat.update(id, { remote: { baseUrl: 'https://elsewhere.example/', id: 'c' } });
    assert.equal(await endReply(), undefined);
    ({ id } = fixture.newConversation());
    assert.equal(await endReply(), undefined);
    assert.deepEqual([asked, fixture.takeErrors()], [[], []]);
  });

  it('reports usage only if there is any, and changes the reply only then', async () => {
    const reports: unknown[] = [];
    sources.onUsage((report) => reports.push(report));
    answer(() => ({ items: [found({ usage: undefined })], total: 1 }));
    await asks([1], undefined);
    assert.deepEqual(reports, []);
    assert.equal(fixture.events.at(-1)?.type, 'changed');
    answer(() => ({ items: [found()], total: 1 }));
    await asks([1], 'found');
    assert.deepEqual(reports, [{ baseUrl: fixture.service.baseUrl, usage }]);
  });

  it('reports no errors of the service, and asks no more if it lacks the operation', async () => {
    const { client, capabilities } = fixture.connect();
    const fail = (error: unknown) => {
      client.listMessages = async () => Promise.reject(error);
    };
    const createError = (status: number) =>
      new ServiceError('service', { operation: 'GET', message: 'no', maySend: true, status });
    fail(createError(500));
    await endReply();
    assert.deepEqual([fixture.takeErrors(), capabilities.has('GET /messages')], [[], true]);
    fail(createError(405));
    await endReply();
    assert.deepEqual([fixture.takeErrors(), capabilities.has('GET /messages')], [[], false]);
  });

  it('reports other errors, unless the conversation was deleted', async () => {
    const error = new Error('Bug');
    const { client } = fixture.connect();
    client.listMessages = async () => Promise.reject(error);
    await endReply();
    assert.deepEqual(fixture.takeErrors(), [error]);
    client.listMessages = async (_query, signal) => {
      await fixture.chat.deleteConversation(id);
      assert.equal(signal?.aborted, true);
      throw error;
    };
    await assert.rejects(endReply());
    assert.deepEqual(fixture.takeErrors(), []);
    await fixture.chat.deleteConversation(fixture.newConversation().id);
  });

  it('leaves a reply alone that was removed in the meantime', async () => {
    const permission = await acquire(fixture.chat, id);
    answer(() => {
      const turn = fixture.chat.findConversation(id)?.turns.at(-1) ?? assert.fail();
      fixture.chat.writer.removeTurn(permission, turn.id);
      return { items: [found()], total: 1 };
    });
    await assert.rejects(endReply());
    await permission.release();
    assert.deepEqual([fixture.chat.findConversation(id)?.turns, fixture.takeErrors()], [[], []]);
  });
});
