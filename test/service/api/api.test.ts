import assert from 'node:assert/strict';
import { demoBots } from '../demo/demoBots';
import type { LocalService } from '../localService';
import { call, createConversation, requestStreamUrl, upload } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';

describe('local service: API', () => {
  let clock = Date.now();
  let service: LocalService;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    { now: () => clock, bots: demoBots },
  );

  it('requires exactly the key for every operation', async () => {
    for (const Authorization of ['', 'Bearer ', `Bearer ${service.key}x`, service.key, 'Basic eA==']) {
      const { status, body } = await call(service, 'GET /bots', undefined, { Authorization });
      assert.equal(status, 401, Authorization);
      assert.equal(typeof body.message, 'string');
    }
    assert.equal((await call(service, 'GET /bots')).status, 200);
  });

  it('answers 404 and 405 with JSON', async () => {
    assert.equal((await call(service, 'GET /nothing')).status, 404);
    assert.equal((await call(service, 'GET /conversations/none')).status, 404);
    assert.equal((await call(service, 'GET /messages/none')).status, 404);
    assert.equal((await call(service, 'GET /messages?conversation_id=none')).status, 404);
    const wrongMethod = await call(service, 'DELETE /bots');
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'GET']);
    assert.equal(typeof wrongMethod.body.message, 'string');
  });

  it('accepts JSON objects only and reports anything else', async () => {
    const { key, baseUrl } = service;
    const send = (body: string, type: string) =>
      fetch(`${baseUrl}/conversations`, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
      });
    assert.equal((await send('{}', 'text/plain')).status, 415);
    assert.equal((await send('{', 'application/json')).status, 400);
    assert.equal((await send('[]', 'application/json')).status, 422);
    assert.equal((await send('"x'.padEnd(1_100_000), 'application/json')).status, 413);
  });

  it('creates, gets, updates and deletes a conversation', async () => {
    const created = await call(service, 'POST /conversations', { name: 'First', bot_id: 'guide' });
    assert.equal(created.status, 200);
    const { id, created_at, ...rest } = created.body.data;
    assert.deepEqual(rest, { name: 'First', bot_id: 'guide' });
    assert.equal(created_at, Math.floor(clock / 1000));
    const updated = await call(service, `POST /conversations/${id}`, { name: 'Second', bot_id: 'echo' });
    assert.equal(updated.body.data.name, 'Second');
    const got = await call(service, `GET /conversations/${id}`);
    assert.deepEqual(got.body.data, {
      id,
      created_at,
      name: 'Second',
      bot_id: 'echo',
      sources: { data: [] },
    });
    const plain = await call(service, `GET /conversations/${id}?includes=`);
    assert.equal('sources' in plain.body.data, false);
    await upload(service, id, 'a.txt', 'text');
    await call(service, 'POST /messages', { content: 'hi', conversation_id: id });
    assert.equal((await call(service, `DELETE /conversations/${id}?includes=sources`)).body.data.id, id);
    assert.equal((await call(service, `GET /conversations/${id}`)).status, 404);
    assert.deepEqual([service.messages.size, service.documents.size], [0, 0]);
  });

  it('answers 422 with field errors for a missing name and an unknown bot, on create and update', async () => {
    const id = await createConversation(service);
    for (const path of ['/conversations', `/conversations/${id}`]) {
      const { status, body } = await call(service, `POST ${path}`, { bot_id: 'nobody' });
      assert.equal(status, 422);
      assert.equal(typeof body.message, 'string');
      assert.deepEqual(Object.keys(body.errors).sort(), ['bot_id', 'name']);
      assert.equal(typeof body.errors.bot_id[0], 'string');
    }
  });

  it('lists bots and conversations by keyword, bot and page', async () => {
    const names = ['apple', 'banana', 'cherry'];
    for (const name of names) await call(service, 'POST /conversations', { name, bot_id: 'echo' });
    await call(service, 'POST /conversations', { name: 'apple tart', bot_id: 'guide' });
    const list = async (query: string) => {
      const { body } = await call(service, `GET /conversations${query}`);
      return body.data.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await list(''), ['apple tart', 'cherry', 'banana', 'apple']);
    assert.deepEqual(await list('?keyword=APPLE'), ['apple tart', 'apple']);
    assert.deepEqual(await list('?keyword=apple&bot_id=echo'), ['apple']);
    assert.deepEqual(await list('?per_page=3&page=2'), ['apple']);
    const { meta } = (await call(service, 'GET /conversations?per_page=3')).body;
    assert.deepEqual(meta.pagination, {
      count: 3,
      total: 4,
      per_page: 3,
      total_pages: 2,
      next_page: 2,
      previous_page: null,
    });
    const bots = (await call(service, 'GET /bots')).body;
    assert.deepEqual(
      bots.data.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
      service.bots,
    );
    assert.equal((await call(service, 'GET /bots?keyword=ech')).body.data.length, 1);
  });

  it('answers 404 to both lists when they are turned off', async () => {
    await restart({ missing: ['GET /bots', 'GET /conversations'] });
    assert.equal((await call(service, 'GET /bots')).status, 404);
    assert.equal((await call(service, 'GET /conversations')).status, 405);
    assert.equal((await call(service, 'POST /conversations', { name: 'x', bot_id: 'echo' })).status, 200);
  });

  it('counts the limit of 2000 characters in code points', async () => {
    const send = (content: unknown) => call(service, 'POST /messages/stream', { content, redirect: false });
    assert.equal((await send('😀'.repeat(2000))).status, 200);
    const tooLong = await send('😀'.repeat(2001));
    assert.equal(tooLong.status, 422);
    assert.match(tooLong.body.errors.content[0], /2000/);
    for (const content of [undefined, '', ' \n', 7, null]) assert.equal((await send(content)).status, 422);
  });

  it('opens a conversation with the first bot for a message without one, and answers 404 for an unknown one', async () => {
    await requestStreamUrl(service, 'A question about everything\nand more');
    const [conversation] = service.conversations.values();
    assert.deepEqual([conversation?.bot_id, conversation?.name], ['guide', 'A question about everything']);
    const unknown = { content: 'x', conversation_id: 'none' };
    assert.equal((await call(service, 'POST /messages/stream', unknown)).status, 404);
    assert.equal(
      (await call(service, 'POST /messages/stream', { content: 'x', redirect: 'no' })).status,
      422,
    );
  });

  it('redirects to the stream by default and returns its URL on request', async () => {
    const redirected = await call(service, 'POST /messages/stream', { content: 'x' });
    assert.equal(redirected.status, 302);
    assert.ok(redirected.headers.get('location')?.startsWith(`${service.streamOrigin}/streams/`));
    assert.ok((await requestStreamUrl(service)).startsWith(`${service.streamOrigin}/streams/`));
  });

  it('answers 402 beyond the quota of the last 30 days', async () => {
    await restart({ quota: 2 });
    const conversation_id = await createConversation(service);
    const send = (path: string) => call(service, `POST ${path}`, { content: 'x', conversation_id });
    assert.equal((await send('/messages/stream')).status, 302);
    assert.equal((await send('/messages')).status, 200);
    for (const path of ['/messages/stream', '/messages']) {
      const refused = await send(path);
      assert.equal(refused.status, 402);
      assert.deepEqual(Object.keys(refused.body), ['message']);
    }
    assert.equal(service.messages.size, 3);
    clock += 31 * 24 * 60 * 60 * 1000;
    assert.equal((await send('/messages')).status, 200);
  });

  it('answers a message with web search with the whole reply, and lists messages as an array', async () => {
    const conversation_id = await createConversation(service);
    const sent = await call(service, 'POST /messages?includes=sources', {
      content: 'Exactly  this.',
      conversation_id,
      is_web_search: true,
    });
    const { data } = sent.body;
    assert.deepEqual(
      [data.content, data.machine, data.is_web_search, data.failed_responding, data.sources],
      ['Exactly  this.', true, true, false, { data: [] }],
    );
    const listed = (await call(service, `GET /messages?conversation_id=${conversation_id}`)).body;
    assert.ok(Array.isArray(listed));
    assert.deepEqual(
      listed.map(({ machine, content }) => [machine, content]),
      [
        [false, 'Exactly  this.'],
        [true, 'Exactly  this.'],
      ],
    );
    const second = await call(service, `GET /messages?conversation_id=${conversation_id}&per_page=1&page=2`);
    assert.deepEqual(second.body, [listed[1]]);
    assert.deepEqual((await call(service, `GET /messages/${data.id}`)).body.data, listed[1]);
  });

  it('wraps the responses for which the contract shows two forms, if told to', async () => {
    await restart({ wrapSigned: true, wrapMessages: true });
    const signed = { file_name: 'a.txt', content_type: 'text/plain' };
    const { data } = (await call(service, 'POST /uploads/signed-url', signed)).body;
    assert.deepEqual(Object.keys(data), ['url', 'key']);
    await requestStreamUrl(service);
    assert.equal((await call(service, 'GET /messages')).body.data.length, 1);
  });

  it('records each request with its parsed body, and waits for future ones', async () => {
    const waiting = service.waitForRequest(({ path }) => path.endsWith('/conversations'));
    await createConversation(service);
    const { origin, method, body, headers } = await waiting;
    assert.deepEqual([origin, method, body], ['api', 'POST', { name: 'Test', bot_id: 'echo' }]);
    assert.equal(headers.authorization, `Bearer ${service.key}`);
    assert.equal(service.requests.length, 1);
    await assert.rejects(
      service.waitForRequest(() => false, 5),
      /Seen: api POST \/api\/v1\/conversations/,
    );
  });
});
