import assert from 'node:assert/strict';
import { readDocuments } from '../../../src/chat/documents/readDocuments';
import {
  findPendingServiceDocuments,
  findServiceDocuments,
  getServiceReadiness,
} from '../../../src/chat/documents/serviceDocuments';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { ServiceError } from '../../../src/client/serviceError';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { conversationOf } from '../support/conversations';

const toDocument = (id: string, status?: string) => ({ id, name: `${id}.md`, status });
const createTurn = (about: Partial<DocumentTurn>): DocumentTurn => ({
  ...{ kind: 'document', id: 't', name: 'own.md', size: 1, sent: 1, at: 1, state: 'attached' },
  ...about,
});
const createError = (about: { status?: number; reason?: string }) =>
  new ServiceError('service', { operation: 'GET', message: 'no', maySend: true, ...about });

describe('findServiceDocuments', () => {
  const listed = { documents: [toDocument('own'), toDocument('a')], canRemove: true };
  const find = (about: object, ...turns: DocumentTurn[]) =>
    findServiceDocuments({ ...conversationOf(turns), ...about }).map(({ document, origin }) => [
      document.id,
      origin,
    ]);

  it('leaves out what was uploaded here, by its id or, before that is known, by its name', () => {
    const both = [
      ['own', 'addedElsewhere'],
      ['a', 'addedElsewhere'],
    ];
    const [, other] = both;
    assert.deepEqual(find({ listed }), both);
    assert.deepEqual(find({ listed }, createTurn({ documentId: 'own', name: 'a.md' })), [other]);
    assert.deepEqual(find({ listed }, createTurn({})), [other]);
    assert.deepEqual(find({ listed }, createTurn({ state: 'registering' })), [other]);
    assert.deepEqual(find({ listed }, createTurn({ documentId: 'x' })), both);
    for (const state of ['failed', 'cancelled'] as const)
      assert.deepEqual(find({ listed }, createTurn({ state })), both);
  });

  it('finds older versions of documents that were uploaded here', () => {
    const turns = [
      createTurn({ documentId: 'own' }),
      createTurn({ id: 't2', documentId: 'new', replaces: 't' }),
    ];
    assert.deepEqual(find({ listed }, ...turns), [
      ['own', 'older'],
      ['a', 'addedElsewhere'],
    ]);
  });

  it('includes documents that aren’t listed because they aren’t in the focus', () => {
    const excluded = [toDocument('b')];
    const changes = [{ document: toDocument('c'), included: true }];
    assert.deepEqual(find({ excluded }), []);
    assert.deepEqual(find({ focus: { included: [], changes } }), [['c', 'addedElsewhere']]);
    assert.deepEqual(find({ excluded, focus: { included: [], changes } }), [
      ['b', 'addedElsewhere'],
      ['c', 'addedElsewhere'],
    ]);
  });

  it('finds those that a bot can’t use yet', () => {
    const documents = [toDocument('a', 'synced'), toDocument('b', 'syncing'), toDocument('own', 'syncing')];
    const turns = [createTurn({ documentId: 'own' }), createTurn({ id: 't2', replaces: 't', name: 'x.md' })];
    const conversation = { ...conversationOf(turns), listed: { documents, canRemove: true } };
    assert.deepEqual(findPendingServiceDocuments(conversation), ['b']);
    const getReadiness = (id: string) => getServiceReadiness(conversation, id);
    assert.deepEqual(['a', 'b', 'x'].map(getReadiness), ['ready', 'pending', 'ready']);
    assert.equal(getServiceReadiness(undefined, 'b'), 'ready');
    assert.equal(getServiceReadiness(conversationOf([]), 'b'), 'ready');
  });
});

describe('The documents of a service', () => {
  let fixture: ChatFixture;
  let id: string;
  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    const { baseUrl } = fixture.service;
    fixture.chat.update(id, { remote: { baseUrl, id: 'c' } });
    fixture.chat.documents.setListed(id, { documents: [toDocument('a'), toDocument('b')], canRemove: true });
  });
  afterEach(() => fixture.close());

  const getListed = () => {
    const { documents = [], canRemove } = fixture.chat.findConversation(id)?.listed ?? {};
    return [documents.map((document) => document.id), canRemove];
  };
  const answerList = (...documents: string[]) => {
    fixture.connect().client.listDocuments = async () => ({
      items: documents.map((document) => toDocument(document)),
    });
  };

  it('are undefined if the service answers without a list, and otherwise fail', async () => {
    for (const [reason, fails] of [
      ['empty', false],
      ['field', false],
      ['json', true],
    ] as const) {
      fixture.connect().client.listDocuments = async () => {
        throw createError({ reason });
      };
      const read = readDocuments(fixture.connect(), fixture, id, 'c');
      if (fails) await assert.rejects(read, { reason });
      else assert.equal(await read, undefined);
    }
  });

  describe('when one is deleted', () => {
    let error: Error | undefined;
    let deleted: string[];
    beforeEach(() => {
      deleted = [];
      error = undefined;
      fixture.connect().client.deleteDocument = async (documentId) => {
        deleted.push(documentId);
        if (error) throw error;
      };
    });
    const remove = () => fixture.serviceDocuments.removeDocument(id, 'a');

    it('leaves the other documents in the list and in the focus', async () => {
      const changes = [{ document: toDocument('d'), included: true }];
      const excluded = [toDocument('a'), toDocument('c')];
      fixture.chat.documents.setFocus(id, { included: ['a', 'b'], changes }, excluded);
      assert.equal(await remove(), true);
      assert.deepEqual([getListed(), deleted], [[['b'], true], ['a']]);
      const { focus, excluded: left } = fixture.chat.findConversation(id) ?? {};
      assert.deepEqual([focus, left?.map((document) => document.id)], [{ included: ['b'], changes }, ['c']]);
    });

    it('leaves the other documents, also without a focus or if it was already gone', async () => {
      error = createError({ status: 404 });
      answerList('b');
      assert.equal(await remove(), true);
      assert.deepEqual([getListed(), fixture.chat.findConversation(id)?.focus], [[['b'], true], undefined]);
    });

    for (const [what, failure, has] of [
      ['still lists it', createError({ status: 404 }), true],
      ['refuses the method', createError({ status: 405 }), false],
    ] as const)
      it(`are all, and none can be deleted any more, if the service ${what}`, async () => {
        error = failure;
        answerList('b', 'a');
        fixture.chat.documents.setFocus(id, { included: ['a', 'b'], changes: [] }, []);
        assert.equal(await remove(), false);
        assert.deepEqual(getListed(), [['a', 'b'], false]);
        assert.deepEqual(fixture.chat.findConversation(id)?.focus?.included, ['a', 'b']);
        assert.equal(fixture.connect().capabilities.has('DELETE /documents/{id}'), has);
      });

    it('leaves all documents if that fails, or if the conversation is on another service or none', async () => {
      for (const failure of [
        createError({ status: 500 }),
        Object.assign(new Error('Bug'), { status: 404 }),
      ]) {
        error = failure;
        await assert.rejects(remove(), failure);
      }
      deleted = [];
      fixture.chat.update(id, { remote: { baseUrl: 'https://elsewhere.example/', id: 'c' } });
      assert.equal(await remove(), false);
      ({ id } = fixture.newConversation());
      assert.equal(await remove(), false);
      assert.deepEqual(deleted, []);
    });
  });
});
