import assert from 'node:assert/strict';
import { demoBots } from './demo/demoBots';
import { type LocalService, type LocalServiceOptions, startLocalService } from './localService';
import { call, createConversation, requestStreamUrl, sendRaw, upload } from './support/testCalls';

describe('local service: profiles', () => {
  let service: LocalService;
  let clock = Date.now();
  const start = async (options: LocalServiceOptions) => {
    service = await startLocalService({ now: () => clock, bots: demoBots, ...options });
  };
  afterEach(async () => {
    await service.close();
    service.reset();
  });

  const listDocuments = async (query = '') => (await call(service, `GET /documents${query}`)).body.data;
  const getStatuses = async () => {
    const documents: { name: string; status: string }[] = await listDocuments();
    return documents.map(({ name, status }) => `${name} ${status}`);
  };

  describe('minimal', () => {
    beforeEach(() => start({ profile: 'minimal' }));

    it('doesn’t have the operations that the contract doesn’t show', async () => {
      const refused: [string, number][] = [
        ['GET /bots', 404],
        ['GET /conversations', 405],
        ['POST /documents', 405],
        ['GET /documents/1', 404],
        ['DELETE /documents/1', 404],
      ];
      for (const [operation, status] of refused) {
        const body = operation.startsWith('POST') ? {} : undefined;
        const answer = await call(service, operation, body);
        assert.deepEqual([answer.status, answer.body], [status, ''], operation);
      }
    });

    it('answers with an empty body where the contract shows none', async () => {
      const id = await createConversation(service);
      for (const answer of [
        await upload(service, id, 'a.txt', 'text'),
        await call(service, `GET /documents?conversation_id=${id}`),
        await call(service, `DELETE /conversations/${id}`),
      ]) {
        assert.deepEqual([answer.status, answer.body], [200, '']);
      }
      assert.equal((await call(service, 'GET /conversations/none')).body, '');
      assert.equal((await call(service, 'GET /messages', undefined, { Authorization: '' })).body, '');
    });

    it('answers with the bodies that the contract shows, including errors', async () => {
      const created = await call(service, 'POST /conversations', { name: 'First', bot_id: 'echo' });
      assert.deepEqual(Object.keys(created.body.data).sort(), ['bot_id', 'created_at', 'id', 'name']);
      const got = await call(service, `GET /conversations/${created.body.data.id}`);
      assert.deepEqual(got.body, created.body);
      const invalid = await call(service, 'POST /conversations', { name: 'x', bot_id: 'nobody' });
      assert.equal(typeof invalid.body.errors.bot_id[0], 'string');
      const signed = { file_name: 'a.txt', content_type: 'text/plain' };
      const { body } = await call(service, 'POST /uploads/signed-url', signed);
      assert.deepEqual(Object.keys(body), ['url', 'key']);
    });

    it('lists all messages as a bare array, whatever page is requested', async () => {
      const conversation_id = await createConversation(service);
      const message = { content: 'x', conversation_id, is_web_search: true };
      assert.deepEqual((await call(service, 'POST /messages', message)).body, {
        data: { is_web_search: true },
      });
      const { body } = await call(service, 'GET /messages?page=7&per_page=1&includes=sources,usage');
      assert.deepEqual(body, [{ is_web_search: true }, { is_web_search: true }]);
    });

    it('streams the reply of a bot that has read the document', async () => {
      const id = await createConversation(service, 'guide');
      await upload(service, id, 'notes.txt', 'A bicycle costs 2 euros.');
      const { body } = await sendRaw(await requestStreamUrl(service, 'How much is a bicycle?', id));
      assert.match(body, /euros/);
    });
  });

  describe('hosted', () => {
    const manual = { listingMs: Number.POSITIVE_INFINITY, conversionMs: Number.POSITIVE_INFINITY };

    it('accepts a file with an empty 200, then lists it as syncing, then as synced, by the clock', async () => {
      await start({ profile: 'hosted', listingMs: 1000, conversionMs: 3000 });
      const id = await createConversation(service);
      const accepted = await upload(service, id, 'a.txt', 'x');
      assert.deepEqual([accepted.status, accepted.body], [200, '']);
      assert.deepEqual(await getStatuses(), []);
      clock += 1000;
      assert.deepEqual(await getStatuses(), ['a.txt syncing']);
      clock += 2000;
      assert.deepEqual(await getStatuses(), ['a.txt synced']);
    });

    it('lists and converts a document when the test says so', async () => {
      await start({ profile: 'hosted', ...manual });
      const id = await createConversation(service);
      for (const name of ['a.txt', 'a.txt', 'b.txt']) await upload(service, id, name, 'x');
      assert.deepEqual(await getStatuses(), []);
      service.conversions.list('a.txt');
      assert.deepEqual(await getStatuses(), ['a.txt syncing']);
      service.conversions.finish('a.txt');
      service.conversions.finish('b.txt', 'sync_failed');
      assert.deepEqual(await getStatuses(), ['a.txt synced', 'b.txt sync_failed']);
      assert.deepEqual(
        service.conversions.pending.map(({ name }) => name),
        ['a.txt'],
      );
      assert.throws(() => service.conversions.finish('b.txt'), /No document “b\.txt” is being converted/);
    });

    it('fails a conversion when the fault is injected', async () => {
      await start({ profile: 'hosted', conversionMs: 0, listingMs: 0 });
      service.inject({ name: 'conversion-fails' });
      const id = await createConversation(service);
      await upload(service, id, 'a.txt', 'x');
      await upload(service, id, 'b.txt', 'x');
      assert.deepEqual(await getStatuses(), ['a.txt sync_failed', 'b.txt synced']);
    });

    it('rejects a file when maxConversions conversions are running', async () => {
      await start({ profile: 'hosted', ...manual, maxConversions: 2 });
      const id = await createConversation(service);
      const add = async (name: string) => (await upload(service, id, name, 'x')).status;
      assert.deepEqual([await add('a.txt'), await add('b.txt'), await add('c.txt')], [200, 200, 429]);
      service.conversions.finish('b.txt');
      assert.equal(await add('c.txt'), 200);
    });

    it('lets a bot answer only from synced documents', async () => {
      await start({ profile: 'hosted', ...manual });
      const id = await createConversation(service, 'guide');
      await upload(service, id, 'notes.txt', 'A bicycle costs 2 euros.');
      const ask = async () =>
        (await sendRaw(await requestStreamUrl(service, 'How much is a bicycle?', id))).body;
      assert.doesNotMatch(await ask(), /euros/);
      service.conversions.finish('notes.txt');
      assert.match(await ask(), /euros/);
    });

    it('lets a bot answer only from documents in the conversation’s document_ids', async () => {
      await start({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
      const id = await createConversation(service, 'guide');
      await upload(service, id, 'notes.txt', 'A bicycle costs 2 euros.');
      const ask = async () =>
        (await sendRaw(await requestStreamUrl(service, 'How much is a bicycle?', id))).body;
      const setDocumentIds = (document_ids: unknown) =>
        call(service, `POST /conversations/${id}?includes=document_ids`, {
          name: 'x',
          bot_id: 'guide',
          document_ids,
        });
      const [{ id: documentId }] = await listDocuments(`?conversation_id=${id}`);
      assert.deepEqual((await setDocumentIds([])).body.data.document_ids, []);
      assert.deepEqual(await listDocuments(`?conversation_id=${id}`), []);
      assert.doesNotMatch(await ask(), /euros/);
      assert.deepEqual((await setDocumentIds([documentId])).body.data.document_ids, [documentId]);
      assert.match(await ask(), /euros/);
      const renamed = { name: 'y', bot_id: 'guide' };
      await call(service, `POST /conversations/${id}`, renamed);
      assert.equal((await listDocuments(`?conversation_id=${id}`)).length, 1);
      for (const wrong of ['x', [7], ['none'], Array(1001).fill(documentId)]) {
        assert.deepEqual(Object.keys((await setDocumentIds(wrong)).body.errors), ['document_ids']);
      }
      const [listed] = (await call(service, 'GET /conversations?includes=document_ids')).body.data;
      assert.deepEqual(listed.document_ids, [documentId]);
    });

    it('creates, gets and deletes text documents, and lists them by folder and keyword', async () => {
      await start({ profile: 'hosted' });
      const created = await call(service, 'POST /documents', {
        name: 'Opening hours',
        folder_id: 'handbooks',
        content: 'From 9 to 16.',
      });
      const { id, content_url, ...rest } = created.body.data;
      assert.deepEqual(rest, {
        name: 'Opening hours',
        status: 'synced',
        folder_id: 'handbooks',
        created_at: Math.floor(clock / 1000),
      });
      assert.equal(await (await fetch(content_url)).text(), 'From 9 to 16.');
      await call(service, 'POST /documents', { name: 'Prices', content: 'x' });
      assert.equal((await listDocuments('?folder_id=handbooks')).length, 1);
      assert.equal((await listDocuments('?keyword=PRICE')).length, 1);
      assert.equal((await call(service, `GET /documents/${id}`)).body.data.name, 'Opening hours');
      const big = { name: 'x', folder_id: 'none', content: 'x'.repeat(768 * 1024 + 1) };
      const { body } = await call(service, 'POST /documents', big);
      assert.deepEqual(Object.keys(body.errors).sort(), ['content', 'folder_id']);
      const deleted = await call(service, `DELETE /documents/${id}`);
      assert.deepEqual([deleted.status, deleted.body], [200, '']);
      assert.equal((await call(service, `GET /documents/${id}`)).status, 404);
      assert.equal((await listDocuments()).length, 1);
    });

    it('returns a single source as an object in a list and as an array otherwise, and several as an array', async () => {
      await start({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
      const id = await createConversation(service);
      await upload(service, id, 'a.txt', 'x');
      const [document] = await listDocuments();
      const link = { type: 'link', document_url: 'https://example.com/', document_name: 'Example' };
      const say = async (sources: (string | Record<string, unknown>)[]) => {
        service.script().end({ sources, usage: { tokens: 7, credits: 3 } });
        await sendRaw(await requestStreamUrl(service, 'x', id));
        return (await call(service, 'GET /messages?includes=sources,usage')).body.data.at(-1);
      };
      const one = await say([document.id]);
      assert.deepEqual([one.sources.data.document_name, one.usage], ['a.txt', { tokens: 7, credits: 3 }]);
      const alone = await call(service, `GET /messages/${one.id}?includes=sources`);
      assert.equal(alone.body.data.sources.data[0].document_id, document.id);
      assert.equal('usage' in alone.body.data, false);
      const several = await say([document.id, link]);
      assert.deepEqual(several.sources.data[1], link);
    });

    it('lists the text of a failure after POST /messages answers 500, and marks flagged replies', async () => {
      await start({ profile: 'hosted' });
      const conversation_id = await createConversation(service);
      service.inject({ name: 'overloaded', text: 'Too busy.' });
      const message = { content: 'x', conversation_id };
      assert.equal((await call(service, 'POST /messages', message)).status, 500);
      service.script().end({ flagged: true, failed: true });
      await sendRaw(await requestStreamUrl(service, 'y', conversation_id));
      const { data, meta } = (await call(service, 'GET /messages')).body;
      assert.equal(meta.pagination.total, 4);
      assert.deepEqual(
        [data[1].content, data[1].failed_responding, data[1].flagged],
        ['Too busy.', true, false],
      );
      assert.deepEqual([data[3].failed_responding, data[3].flagged], [true, true]);
    });

    it('sends its rate limit with each response and answers 429 beyond it until the minute is over', async () => {
      await start({ profile: 'hosted', requestsPerMinute: 2 });
      const ask = async () => {
        const { status, headers } = await call(service, 'GET /bots');
        const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
          Number(headers.get(`x-ratelimit-${name}`)),
        );
        return { status, limit, remaining, reset, retryAfter: headers.get('retry-after') };
      };
      const reset = Math.floor(clock / 1000) + 60;
      assert.deepEqual(await ask(), { status: 200, limit: 2, remaining: 1, reset, retryAfter: null });
      assert.equal((await ask()).remaining, 0);
      const refused = await ask();
      assert.deepEqual([refused.status, refused.remaining], [429, 0]);
      assert.equal(Number(refused.retryAfter), Math.ceil(reset - clock / 1000));
      clock += 60_000;
      assert.equal((await ask()).status, 200);
    });

    it('wraps signed uploads', async () => {
      await start({ profile: 'hosted' });
      const signed = { file_name: 'a.txt', content_type: 'text/plain' };
      const { data } = (await call(service, 'POST /uploads/signed-url', signed)).body;
      assert.deepEqual(Object.keys(data), ['url', 'key']);
    });
  });

  it('carries out an operation whose response is lost', async () => {
    await start({ profile: 'hosted' });
    const id = await createConversation(service);
    service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
    await assert.rejects(upload(service, id, 'a.txt', 'x'));
    assert.equal(service.documents.size, 1);
  });

  it('omits single operations and fields when told to', async () => {
    await start({ profile: 'hosted', listingMs: 0, missing: ['GET /messages'], omit: ['document.status'] });
    await upload(service, await createConversation(service), 'a.txt', 'x');
    assert.equal((await call(service, 'GET /messages')).status, 405);
    const [document] = await listDocuments();
    assert.deepEqual(Object.keys(document).sort(), ['content_url', 'created_at', 'folder_id', 'id', 'name']);
  });
});
