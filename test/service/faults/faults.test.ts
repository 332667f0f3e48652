import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { waitUntil } from '../../support/waitUntil';
import type { LocalService } from '../localService';
import { call, createConversation, requestEchoUrl, requestStreamUrl, sendRaw } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';
import type { AnswerFault, Fault } from './faults';

describe('local service: faults in place of a response', () => {
  let service: LocalService;
  const restart = withLocalService((started) => {
    service = started;
  });

  const on = 'GET /bots';
  const listBots = (path = '/bots') =>
    sendRaw(service.baseUrl + path, { headers: { Authorization: `Bearer ${service.key}` } });

  it('affects its operation only, as often as asked, and can be cleared', async () => {
    service.inject({ name: 'status', on, status: 500, times: 2 });
    assert.equal((await call(service, 'GET /conversations')).status, 200);
    for (const expected of [500, 500, 200]) assert.equal((await call(service, 'GET /bots')).status, expected);
    service.inject({ name: 'status', on: '*', status: 503, times: Number.POSITIVE_INFINITY });
    assert.equal((await call(service, 'GET /conversations')).status, 503);
    assert.equal((await fetch(`${service.storageOrigin}/x`)).status, 404);
    service.clearFaults();
    assert.equal((await call(service, 'GET /conversations')).status, 200);
  });

  it('makes reset throw if it is unused, like an unused script', async () => {
    service.inject({ name: 'status', on, status: 500, times: Number.POSITIVE_INFINITY });
    await call(service, 'GET /bots');
    assert.equal(service.requests.length, 1);
    service.reset();
    assert.deepEqual([service.requests.length, (await call(service, 'GET /bots')).status], [0, 200]);
    service.inject({ name: 'put-503' });
    service.script();
    assert.throws(() => service.reset(), /never used the fault put-503 on PUT object, a scripted reply/);
    service.reset();
  });

  it('answers with another status, body, type or header', async () => {
    const cases: [Omit<Extract<AnswerFault, { name: 'status' }>, 'name' | 'on'>, string, unknown][] = [
      [{ status: 500, body: '<h1>No</h1>' }, 'text/html', '<h1>No</h1>'],
      [{ status: 402, body: { message: 'Pay.' } }, 'application/json', { message: 'Pay.' }],
      [{ status: 401 }, 'text/html', ''],
      [
        { status: 418, body: '{}', contentType: 'application/json', headers: { 'X-A': 'b' } },
        'application/json',
        {},
      ],
    ];
    for (const [fault, type, body] of cases) {
      service.inject({ name: 'status', on, ...fault });
      const answer = await call(service, 'GET /bots');
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), answer.body, answer.headers.get('x-a')],
        [fault.status, type, body, fault.headers?.['X-A'] ?? null],
      );
    }
  });

  it('answers with malformed JSON responses by name', async () => {
    const answerTo = (fault: Fault) => {
      service.inject(fault);
      return call(service, 'GET /bots');
    };
    const html = await answerTo({ name: 'html-200', on });
    assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    const empty = await answerTo({ name: 'empty-200', on });
    assert.deepEqual([empty.status, empty.body], [200, '']);
    assert.equal((await answerTo({ name: 'empty-204', on })).status, 204);
    const errorsNull = await answerTo({ name: 'errors-null', on });
    assert.deepEqual([errorsNull.status, errorsNull.body.errors], [422, null]);
    assert.equal(typeof (await answerTo({ name: 'errors-string', on })).body.errors, 'string');
    assert.ok((await answerTo({ name: 'errors-huge', on })).body.errors.name[0].length > 1_000_000);
    const later = await answerTo({ name: 'retry-after', on, value: '-1' });
    assert.deepEqual([later.status, later.headers.get('retry-after')], [429, '-1']);
    const busy = await answerTo({ name: 'retry-after', on, value: 'soon', status: 503 });
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, 'soon']);
  });

  it('redirects nowhere, anywhere, or endlessly', async () => {
    service.inject({ name: 'redirect', on });
    const nowhere = await call(service, 'GET /bots');
    assert.deepEqual([nowhere.status, nowhere.headers.get('location')], [302, null]);
    service.inject({ name: 'redirect', on, status: 307, location: 'file:///etc/passwd' });
    const anywhere = await call(service, 'GET /bots');
    assert.deepEqual([anywhere.status, anywhere.headers.get('location')], [307, 'file:///etc/passwd']);
    service.inject({ name: 'redirect-loop', on });
    const looping = fetch(`${service.baseUrl}/bots`, { headers: { Authorization: `Bearer ${service.key}` } });
    await assert.rejects(looping, (error: Error) => /redirect count/.test(String(error.cause)));
    assert.ok(service.requests.filter(({ path }) => path.startsWith('/redirect-loop/')).length > 5);
  });

  it('breaks the connection before, during and instead of the headers', async () => {
    service.inject({ name: 'fin-before-headers', on });
    assert.deepEqual((await listBots()).error, 'ECONNRESET');
    service.inject({ name: 'reset', on });
    assert.equal((await listBots()).error, 'ECONNRESET');
    service.inject({ name: 'garbage', on });
    assert.match((await listBots()).error ?? '', /^HPE_/);
    service.inject({ name: 'headers-too-big', on });
    assert.equal((await listBots()).error, 'HPE_HEADER_OVERFLOW');
    assert.equal((await listBots()).status, 200);
    assert.equal(
      service.requests.some(({ aborted }) => aborted),
      false,
    );
  });

  it('closes with FIN or with RST without sending a byte', async () => {
    const answerTo = async (name: 'fin-before-headers' | 'reset') => {
      service.inject({ name, on });
      const socket = connect(Number(new URL(service.apiOrigin).port), '127.0.0.1');
      socket.write('GET /api/v1/bots HTTP/1.1\r\nHost: x\r\n\r\n');
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      return answer;
    };
    assert.equal(await answerTo('fin-before-headers'), '');
    await assert.rejects(answerTo('reset'), { code: 'ECONNRESET' });
  });

  it('trickles headers, or never answers, until the client disconnects', async () => {
    for (const name of ['headers-trickle', 'hang'] as const) {
      service.inject({ name, on, ...(name === 'headers-trickle' && { intervalMs: 1 }) } as Fault);
      const socket = connect(Number(new URL(service.apiOrigin).port), '127.0.0.1');
      socket.write('GET /api/v1/bots HTTP/1.1\r\nHost: x\r\n\r\n');
      let answer = '';
      if (name === 'hang') {
        await service.waitForRequest(() => true);
      } else {
        while (!answer.includes('X-Trickle-3')) answer += await nextData(socket);
        assert.equal(answer.includes('\r\n\r\n'), false);
      }
      socket.destroy();
      const left = await service.waitForRequest(({ closed }) => closed);
      assert.equal(left.aborted, true);
      await restart();
    }
  });

  it('carries out what was asked and never answers, until the client disconnects', async () => {
    service.inject({ name: 'answer-held', on: 'POST /conversations' });
    const controller = new AbortController();
    const asked = fetch(`${service.baseUrl}/conversations`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ bot_id: service.bots[0]?.id, name: 'Held' }),
      signal: controller.signal,
    });
    await waitUntil('it is carried out', () => service.conversations.size === 1);
    controller.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await service.waitForRequest(({ closed }) => closed);
  });

  it('corrupts a gzip body', async () => {
    service.inject({ name: 'corrupt-gzip', on });
    const { gunzipSync } = await import('node:zlib');
    const socket = connect(Number(new URL(service.apiOrigin).port), '127.0.0.1');
    socket.write('GET /api/v1/bots HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const parts: Buffer[] = [];
    for await (const chunk of socket) parts.push(chunk as Buffer);
    const answer = Buffer.concat(parts);
    assert.match(answer.toString('latin1'), /^HTTP\/1.1 200 OK.*Content-Encoding: gzip/s);
    assert.throws(() => gunzipSync(answer.subarray(answer.indexOf('\r\n\r\n') + 4)));
  });

  it('delays a response, and limits the rate of a PUT', async () => {
    service.inject({ name: 'slow', on, delayMs: 60 });
    let started = performance.now();
    assert.equal((await call(service, 'GET /bots')).status, 200);
    assert.ok(performance.now() - started >= 59);
    service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 1_000_000 });
    const { url, key } = (await call(service, 'POST /uploads/signed-url', signed)).body;
    started = performance.now();
    await sendRaw(url, put(100_000));
    assert.ok(performance.now() - started >= 90);
    assert.equal(service.objects.get(key)?.length, 100_000);
  });

  it('issues an expired URL, or rejects a valid one as expired', async () => {
    service.inject({ name: 'url-expired' });
    service.inject({ name: 'url-expired', on: 'PUT object' });
    const sign = () => call(service, 'POST /uploads/signed-url', signed);
    const dead = await sendRaw((await sign()).body.url, put(4));
    const refused = await sendRaw((await sign()).body.url, put(4));
    for (const { status, body } of [dead, refused]) {
      assert.deepEqual([status, body.includes('Request has expired')], [403, true]);
    }
    assert.equal((await sendRaw((await sign()).body.url, put(4))).status, 200);
    service.inject({ name: 'url-expired', on: 'POST /messages/stream' });
    assert.equal((await fetch(await requestStreamUrl(service))).status, 403);
  });

  it('fails a PUT halfway, at its end, or with RST', async () => {
    const sendPut = async (fault: Fault) => {
      service.inject(fault);
      const { url, key } = (await call(service, 'POST /uploads/signed-url', signed)).body;
      const result = await sendRaw(url, put(4_000_000));
      assert.equal(service.objects.has(key), false);
      return { ...result, received: service.requests.at(-1)?.receivedBytes ?? 0 };
    };
    const forbidden = await sendPut({ name: 'put-forbidden-halfway' });
    assert.deepEqual([forbidden.status, forbidden.body.includes('AccessDenied')], [403, true]);
    assert.ok(forbidden.received >= 2_000_000 && forbidden.received < 4_000_000);
    assert.equal((await sendPut({ name: 'put-503' })).status, 503);
    const reset = await sendPut({ name: 'put-reset', afterBytes: 1000 });
    assert.match(reset.error ?? '', /ECONNRESET|EPIPE/);
  });

  it('answers the stream request with a redirect, or with the stream itself', async () => {
    const conversation_id = await createConversation(service);
    const message = { content: 'hello', conversation_id, redirect: false };
    const send = () => call(service, 'POST /messages/stream', message);
    service.inject({ name: 'answer-redirect' });
    const absolute = await send();
    assert.equal(absolute.status, 302);
    assert.ok(absolute.headers.get('location')?.startsWith(service.streamOrigin));
    service.inject({ name: 'answer-redirect', relative: true });
    const location = (await send()).headers.get('location') ?? '';
    assert.ok(location.startsWith('/streams/'));
    const followed = await fetch(service.apiOrigin + location, {
      headers: { Authorization: `Bearer ${service.key}` },
    });
    assert.match(await followed.text(), /"hello".*\[END\]/s);
    service.inject({ name: 'answer-stream' });
    const inline = await send();
    assert.equal(inline.headers.get('content-type'), 'text/event-stream');
    assert.match(inline.body, /"hello".*\[END\]/s);
  });

  it('affects the stream’s own request like any other', async () => {
    service.inject({ name: 'status', on: 'GET stream', status: 500, body: 'no' });
    const url = await requestEchoUrl(service);
    assert.equal((await fetch(url)).status, 500);
    assert.equal((await fetch(url)).status, 200);
  });
});

const signed = { file_name: 'a.txt', content_type: 'text/plain' };

function put(length: number) {
  return {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain', 'Content-Length': String(length) },
    chunks: ['x'.repeat(length)],
  };
}

function nextData(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
}
