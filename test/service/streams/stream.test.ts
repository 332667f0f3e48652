import assert from 'node:assert/strict';
import type { LocalService } from '../localService';
import { call, createConversation, requestEchoUrl, requestStreamUrl, sendRaw } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';

describe('local service: streams', () => {
  let clock = Date.now();
  let service: LocalService;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    { now: () => clock },
  );

  it('streams START, the chunks and END, then closes the connection', async () => {
    const { body, error } = await sendRaw(await requestEchoUrl(service, 'Grüße, 😀!'));
    assert.equal(error, undefined);
    assert.equal(
      body,
      'data: [START]\n\ndata: {"chunk":"Grüße, "}\n\ndata: {"chunk":"😀!"}\n\ndata: [END]\n\n',
    );
    const { closed, aborted } = await service.waitForRequest((r) => r.origin === 'stream' && r.closed);
    assert.deepEqual({ closed, aborted }, { closed: true, aborted: false });
  });

  it('allows one read of a URL, with its signature, before it expires and without a key', async () => {
    const url = await requestEchoUrl(service);
    const forged = url.replace(/Signature=.{4}/, 'Signature=0000');
    assert.equal((await fetch(forged)).status, 403);
    const withKey = await fetch(url, { headers: { Authorization: `Bearer ${service.key}` } });
    assert.equal(withKey.status, 400);
    assert.equal((await fetch(`${service.streamOrigin}/streams/unknown`)).status, 404);
    assert.equal((await fetch(url)).status, 200);
    assert.equal((await fetch(url)).status, 410);
    const late = await requestEchoUrl(service);
    clock += 302_000;
    assert.equal((await fetch(late)).status, 403);
  });

  it('requires the key for streams on the API’s own origin', async () => {
    await restart({ streamOnApi: true });
    const url = await requestEchoUrl(service, 'hello');
    assert.ok(url.startsWith(service.apiOrigin));
    assert.equal((await fetch(url)).status, 401);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${service.key}` } });
    assert.match(await response.text(), /"hello"/);
  });

  it('stores the streamed part of a reply, also when the client disconnects', async () => {
    const conversation_id = await createConversation(service);
    await sendRaw(await requestStreamUrl(service, 'whole reply', conversation_id));
    const script = service.script();
    const controller = new AbortController();
    const response = await fetch(await requestStreamUrl(service, 'go on', conversation_id), {
      signal: controller.signal,
    });
    await script.opened;
    script.chunk('partial ');
    const reader = response.body?.getReader();
    for (let received = ''; !received.includes('partial'); )
      received += new TextDecoder().decode((await reader?.read())?.value);
    controller.abort();
    await script.closed;
    script.chunk('never');
    const listed = (await call(service, `GET /messages?conversation_id=${conversation_id}`)).body;
    assert.deepEqual(
      listed.map((m: { content: string; failed_responding: boolean }) => [m.content, m.failed_responding]),
      [
        ['whole reply', false],
        ['whole reply', false],
        ['go on', false],
        ['partial ', true],
      ],
    );
    assert.equal(service.requests.find(({ aborted }) => aborted)?.origin, 'stream');
  });

  it('lets a test script replies, one script per message, in order', async () => {
    const [first, second] = [service.script(), service.script()];
    const urls = [await requestStreamUrl(service, 'a'), await requestStreamUrl(service, 'b')];
    first.chunk('1');
    first.raw('data: {"chunk":"raw"}\n\n');
    void first.chunks(['2', '3'], 1).then(() => first.end());
    second.chunk('B');
    second.end();
    const [one, two] = await Promise.all(urls.map((url) => sendRaw(url)));
    assert.deepEqual(
      [...(one?.body ?? '').matchAll(/"chunk":"(\w+)"/g)].map((m) => m[1]),
      ['1', 'raw', '2', '3'],
    );
    assert.match(two?.body ?? '', /"B"/);
    await Promise.all([first.closed, second.closed]);
    const contents = [...service.messages.values()].map(({ content }) => content);
    assert.deepEqual(contents, ['a', 'b', '123', 'B']);
  });

  it('ends a scripted reply with FIN or RST and without END', async () => {
    for (const how of ['close', 'reset'] as const) {
      const script = service.script();
      const answer = sendRaw(await requestStreamUrl(service));
      await script.opened;
      script.chunk('half');
      script[how]();
      const { body, error } = await answer;
      assert.equal(body.includes('[END]'), false);
      assert.equal(error, how === 'close' ? undefined : 'ECONNRESET');
      await script.closed;
      assert.equal([...service.messages.values()].at(-1)?.failed_responding, true);
      await restart();
    }
  });

  it('uses a scripted reply for POST /messages too', async () => {
    const script = service.script();
    const sent = call(service, 'POST /messages', { content: 'x' });
    await script.opened;
    void script.chunks(['a', 'b']).then(() => script.end());
    assert.equal((await sent).body.data.content, 'ab');
    await script.closed;
  });

  it('replies at a human pace if told to', async () => {
    await restart({ pace: 'human' });
    const url = await requestEchoUrl(service, 'word '.repeat(30).trim());
    const started = performance.now();
    const { body } = await sendRaw(url);
    const elapsed = performance.now() - started;
    assert.equal(body.match(/"chunk"/g)?.length, 30);
    assert.ok(elapsed > 250, `30 words took ${elapsed} ms`);
  });

  it('answers CORS preflights and exposes its headers on all three origins', async () => {
    for (const origin of [service.apiOrigin, service.streamOrigin, service.storageOrigin]) {
      const preflight = await fetch(`${origin}/anything`, {
        method: 'OPTIONS',
        headers: { Origin: 'http://page.test', 'Access-Control-Request-Method': 'PUT' },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'Authorization, Content-Type');
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT.*DELETE/);
      const answer = await fetch(`${origin}/anything`, { headers: { Origin: 'http://page.test' } });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(
        answer.headers.get('access-control-expose-headers'),
        'Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
      );
    }
    assert.equal(
      service.requests.some(({ method }) => method === 'OPTIONS'),
      false,
    );
  });
});
