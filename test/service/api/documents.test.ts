import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { LocalService } from '../localService';
import { call, createConversation, sendRaw, upload } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';

describe('local service: uploads and documents', () => {
  let clock = Date.now();
  let service: LocalService;
  withLocalService(
    (started) => {
      service = started;
    },
    { now: () => clock, maxUploadBytes: 1_000_000 },
  );

  const sign = async (file_name = 'a.txt', content_type = 'text/plain') =>
    (await call(service, 'POST /uploads/signed-url', { file_name, content_type })).body;
  const put = (url: string, headers: Record<string, string>, body = 'text') =>
    sendRaw(url, {
      method: 'PUT',
      chunks: [body],
      headers: { 'Content-Type': 'text/plain', 'Content-Length': String(body.length), ...headers },
    });

  it('stores uploaded bytes exactly and returns them by content_url', async () => {
    const id = await createConversation(service);
    const bytes = randomBytes(700_000);
    const { status, body } = await upload(service, id, 'b.pdf', new Uint8Array(bytes), 'application/pdf');
    assert.equal(status, 200);
    assert.deepEqual([...service.objects.values()], [bytes]);
    const { data, meta } = (await call(service, `GET /documents?conversation_id=${id}`)).body;
    assert.deepEqual([data[0].id, data[0].name, meta.pagination.total], [body.data.id, 'b.pdf', 1]);
    const read = await fetch(data[0].content_url);
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), bytes);
    const other = await createConversation(service);
    assert.deepEqual((await call(service, `GET /documents?conversation_id=${other}`)).body.data, []);
  });

  it('reports a document as syncing, then as synced, by the clock', async () => {
    const id = await createConversation(service);
    assert.equal((await upload(service, id, 'a.txt', 'x')).body.data.status, 'syncing');
    clock += 1500;
    assert.equal((await call(service, 'GET /documents')).body.data[0].status, 'synced');
  });

  it('requires an extension and a MIME type before it signs', async () => {
    for (const file_name of ['Dockerfile', '.env', 'a.', '', undefined]) {
      const { status, body } = await call(service, 'POST /uploads/signed-url', {
        file_name,
        content_type: 'x',
      });
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors).sort(), ['content_type', 'file_name']);
    }
  });

  it('rejects requests that the signature does not cover, with an XML error', async () => {
    const { url, key } = await sign();
    const refusals: [Promise<{ status: number | undefined; body: string }>, number, string][] = [
      [put(url, { Authorization: 'Bearer x' }), 400, 'InvalidArgument'],
      [put(url, { 'Content-Type': 'text/html' }), 403, 'SignatureDoesNotMatch'],
      [put(url.replace(/Signature=.{4}/, 'Signature=0000'), {}), 403, 'SignatureDoesNotMatch'],
      [put(url.replace('Expires=900', 'Expires=9000'), {}), 403, 'SignatureDoesNotMatch'],
      [put(url.replace(/\?.*/, ''), {}), 403, 'AccessDenied'],
      [put(url.replace('/tmp/', '/tmq/'), {}), 404, 'NoSuchKey'],
      [sendRaw(url), 403, 'SignatureDoesNotMatch'],
      [put(url, { 'Content-Length': String(2 ** 31 + 1) }), 400, 'EntityTooLarge'],
    ];
    for (const [answer, status, code] of refusals) {
      const { status: got, body } = await answer;
      assert.equal(got, status, code);
      assert.match(body, new RegExp(`^<\\?xml.*<Code>${code}</Code>`, 's'));
    }
    assert.equal(service.objects.has(key), false);
    assert.equal((await put(url, {})).status, 200);
    assert.equal(service.objects.get(key)?.toString(), 'text');
  });

  it('rejects a chunked body and a missing length', async () => {
    const { url } = await sign();
    const headers = { 'Content-Type': 'text/plain' };
    const chunked = await sendRaw(url, {
      method: 'PUT',
      headers: { ...headers, 'Transfer-Encoding': 'chunked' },
      chunks: ['te', 'xt'],
    });
    assert.deepEqual([chunked.status, chunked.body.includes('NotImplemented')], [501, true]);
    const { host, pathname, search } = new URL(url);
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\n\r\n`;
    assert.match(await exchange(Number(new URL(url).port), head), /^HTTP\/1.1 411 .*MissingContentLength/s);
  });

  it('rejects a signed URL after it expires', async () => {
    const { url } = await sign();
    clock += 902_000;
    const { status, body } = await put(url, {});
    assert.deepEqual([status, body.includes('Request has expired')], [403, true]);
  });

  it('answers 422 for an invalid key, name, size, type or conversation', async () => {
    const conversation_id = await createConversation(service);
    const errors = async (name: string, bytes: string, type: string, change: object = {}) => {
      const { url, key } = await sign(name, type);
      await fetch(url, { method: 'PUT', body: bytes, headers: { 'Content-Type': type } });
      const body = { key, file_name: name, conversation_id, ...change };
      const reply = await call(service, 'POST /documents/file', body);
      return reply.status === 422 ? Object.keys(reply.body.errors) : reply.status;
    };
    assert.deepEqual(await errors('a.ts', 'x', 'text/plain'), ['file_name']);
    assert.deepEqual(await errors('a.txt', 'x', 'video/mp2t'), ['content_type']);
    assert.deepEqual(await errors('a.txt', 'x'.repeat(1_000_001), 'text/plain'), ['file_size']);
    assert.deepEqual(await errors('a.txt', 'x', 'text/plain', { key: 'tmp/none.txt' }), ['key']);
    assert.deepEqual(await errors('a.txt', 'x', 'text/plain', { conversation_id: 'none' }), [
      'conversation_id',
    ]);
    for (const file_name of ['../a.txt', 'a\\b.txt', 'a\r\nb.txt', 'a\u202etxt.txt']) {
      assert.deepEqual(await errors('a.txt', 'x', 'text/plain', { file_name }), ['file_name']);
    }
    assert.equal(await errors('a.MD', 'x', 'text/markdown'), 200);
    const unsent = await sign();
    const early = { key: unsent.key, file_name: 'a.txt', conversation_id };
    assert.deepEqual(Object.keys((await call(service, 'POST /documents/file', early)).body.errors), ['key']);
  });
});

/** Sends these bytes to a server; resolves to the response. */
async function exchange(port: number, bytes: string): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (answer.includes('</Error>')) break;
  }
  return answer;
}
