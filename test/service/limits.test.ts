import assert from 'node:assert/strict';
import { BoundedMap, type Limits } from './limits';
import type { LocalService } from './localService';
import { call, createConversation, requestStreamUrl, sendRaw, upload } from './support/testCalls';
import { withLocalService } from './support/withLocalService';

describe('local service: limits', () => {
  let service: LocalService;
  const restart = withLocalService((started) => {
    service = started;
  });
  const limit = (limits: Partial<Limits>) => restart({ limits });
  const control = async (path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${service.apiOrigin}/local/${path}`, init)).status;
  };

  it('keeps the latest requests, by their number and by the bytes of their bodies', async () => {
    await limit({ requests: 2, requestBytes: 200 });
    for (let i = 0; i < 3; i++) await call(service, 'GET /bots');
    assert.equal(service.requests.length, 2);
    for (const name of ['first', 'second']) {
      await call(service, 'POST /conversations', { name: name.padEnd(120), bot_id: 'echo' });
    }
    assert.match(JSON.stringify(service.requests.map(({ body }) => body)), /^\[\{"name":"second/);
    await call(service, 'POST /conversations', { name: 'x'.repeat(300), bot_id: 'echo' });
    assert.equal(service.requests.length, 0);
  });

  it('deletes the oldest conversation with its messages and documents', async () => {
    await limit({ conversations: 2 });
    const oldest = await createConversation(service);
    await sendRaw(await requestStreamUrl(service, 'old', oldest));
    await upload(service, oldest, 'old.txt', 'old');
    for (let i = 0; i < 2; i++) await createConversation(service);
    assert.equal((await call(service, `GET /conversations/${oldest}`)).status, 404);
    const { conversations, messages, documents, objects } = service;
    assert.deepEqual(
      [conversations, messages, documents, objects].map(({ size }) => size),
      [2, 0, 0, 0],
    );
  });

  it('deletes the oldest messages', async () => {
    await limit({ messages: 3 });
    const conversation = await createConversation(service);
    for (const text of ['one', 'two']) await sendRaw(await requestStreamUrl(service, text, conversation));
    assert.deepEqual(
      [...service.messages.values()].map(({ content }) => content),
      ['one', 'two', 'two'],
    );
  });

  it('deletes the oldest documents, by their number and by their bytes', async () => {
    await limit({ documents: 3, objectBytes: 10 });
    const conversation = await createConversation(service);
    const names = () => [...service.documents.values()].map(({ name }) => name);
    for (const name of ['1.txt', '2.txt', '3.txt', '4.txt']) await upload(service, conversation, name, 'x');
    assert.deepEqual(names(), ['2.txt', '3.txt', '4.txt']);
    await upload(service, conversation, '5.txt', 'x'.repeat(9));
    assert.deepEqual(names(), ['4.txt', '5.txt']);
    assert.equal(service.objects.size, 2);
    assert.deepEqual(service.conversations.get(conversation)?.document_ids, [...service.documents.keys()]);
  });

  it('deletes the oldest uploads and streams', async () => {
    await limit({ uploads: 1, streams: 1 });
    const sign = async () => {
      const body = { file_name: 'a.txt', content_type: 'text/plain' };
      return (await call(service, 'POST /uploads/signed-url', body)).body.url;
    };
    const put = async (url: string) =>
      (await fetch(url, { method: 'PUT', body: 'x', headers: { 'Content-Type': 'text/plain' } })).status;
    const urls = [await sign(), await sign()];
    assert.deepEqual([await put(urls[0]), await put(urls[1])], [404, 200]);
    const streams = [await requestStreamUrl(service), await requestStreamUrl(service)];
    assert.equal((await sendRaw(streams[0] ?? '')).status, 404);
    assert.equal((await sendRaw(streams[1] ?? '')).status, 200);
  });

  it('refuses faults, scripts and steps beyond the limits over HTTP', async () => {
    await limit({ waiting: 1, scriptBytes: 100 });
    const fault = { name: 'status', on: 'GET /bots', status: 503 };
    assert.deepEqual([await control('faults', fault), await control('faults', fault)], [200, 429]);
    await call(service, 'GET /bots');
    assert.equal(await control('faults', fault), 200, 'a used fault makes room');
    await call(service, 'GET /bots');
    assert.deepEqual([await control('scripts', {}), await control('scripts', {})], [200, 429]);
    assert.equal(await control('scripts/0', { chunks: ['x'.repeat(100)] }), 413);
    assert.equal(await control('scripts/0', { end: {} }), 200);
    await sendRaw(await requestStreamUrl(service));
  });

  it('counts an entry of a map once, also when it is replaced or deleted', () => {
    const evicted: string[] = [];
    const map = new BoundedMap<string>(
      5,
      (value) => evicted.push(value),
      (value) => value.length,
    );
    map.set('a', 'aaa').set('a', 'aa').set('b', 'bbb');
    assert.deepEqual([...map.keys()], ['a', 'b']);
    map.delete('a');
    map.set('c', 'cc').set('d', 'dddddd');
    assert.deepEqual([[...map.keys()], evicted], [['d'], ['bbb', 'cc']]);
    map.clear();
    map.set('e', 'ee').set('f', 'fff');
    assert.deepEqual(
      [[...map.keys()], evicted],
      [
        ['e', 'f'],
        ['bbb', 'cc'],
      ],
    );
  });
});
