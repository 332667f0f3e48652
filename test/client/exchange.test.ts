import assert from 'node:assert/strict';
import type { Fetch } from '../../src/client/fetch';
import { createClient, getServiceError } from './support/clients';

const API = 'https://api.example.com';

describe('A request', () => {
  /** Creates a client with a transport that answers each URL; records the URLs. */
  function createFakeClient(answer: (url: string) => Response | Promise<Response>) {
    const urls: string[] = [];
    const fetch: Fetch = async (url, { signal }) => {
      urls.push(url);
      signal.throwIfAborted();
      return answer(url);
    };
    return { ...createClient(API, { fetch }), urls };
  }

  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
  const conversation = (name: string) => JSON.stringify({ id: 'c', name });
  const stream = (...chunks: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });

  it('follows a redirect from https: to https:, and none without a target', async () => {
    const elsewhere = 'https://other.example.com/c';
    const moved = createFakeClient((url) =>
      url === elsewhere ? new Response(conversation('A')) : redirect(elsewhere),
    );
    assert.equal((await moved.client.getConversation('c')).name, 'A');
    assert.equal(moved.urls.length, 2);
    const lost = createFakeClient(() => new Response(null, { status: 302 }));
    assert.equal(
      (await getServiceError(lost.client.getConversation('c'), 'invalidResponse')).reason,
      'redirect',
    );
    assert.equal(lost.urls.length, 1);
  });

  it('says that an error comes from another origin only if it was redirected there', async () => {
    const failing = createFakeClient(() => new Response(null, { status: 500 }));
    const own = await getServiceError(failing.client.deleteConversation('c'), 'service');
    assert.equal(own.reason, undefined);
    const file = { size: 1, open: async () => new Blob(['a']) };
    const upload = { url: 'https://storage.example.com/a', contentType: 'text/plain', file };
    assert.equal((await getServiceError(failing.client.putFile(upload, {}), 'service')).reason, undefined);
    const elsewhere = createFakeClient((url) =>
      url.startsWith(API) ? redirect('https://other.example.com/c') : new Response(null, { status: 404 }),
    );
    const other = await getServiceError(elsewhere.client.getConversation('c'), 'notFound');
    assert.equal(other.reason, 'redirected');
  });

  it('fails with its status if the body of the error breaks off, and is aborted while the body is read', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.error(new Error('reset'));
      },
    });
    const failing = createFakeClient(() => new Response(broken, { status: 500 }));
    assert.equal((await getServiceError(failing.client.deleteConversation('c'), 'service')).status, 500);
    const controller = new AbortController();
    const silent = new ReadableStream({ pull: () => controller.abort() }, { highWaterMark: 0 });
    const waiting = createFakeClient(() => new Response(silent, { status: 500 }));
    await getServiceError(waiting.client.deleteConversation('c', controller.signal), 'aborted');
  });

  it('decodes a character that comes in two chunks, and names a body that breaks off', async () => {
    const bytes = new TextEncoder().encode(conversation('ä'));
    const middle = bytes.indexOf(0xc3) + 1;
    const split = createFakeClient(() => new Response(stream(bytes.slice(0, middle), bytes.slice(middle))));
    assert.equal((await split.client.getConversation('c')).name, 'ä');
    let pulls = 0;
    const cut = new ReadableStream({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(bytes.slice(0, middle));
        else controller.error(new Error('reset'));
      },
    });
    const broken = createFakeClient(() => new Response(cut));
    const error = await getServiceError(
      broken.client.createConversation({ name: 'ä', botId: 'b' }),
      'interrupted',
    );
    assert.equal(error.reason, 'reset');
  });

  it('is not sent with an id that no URL can contain, and may be sent again', async () => {
    const { client, urls } = createFakeClient(() => new Response(conversation('A')));
    const error = await getServiceError(client.getConversation('..'), 'notFound');
    assert.deepEqual(
      [error.operation, error.message, error.maySend],
      ['GET /conversations/{id}', 'GET /conversations/{id}: invalid id', true],
    );
    assert.deepEqual(urls, []);
  });

  it('sets the clock of the service', async () => {
    const now = Date.now();
    const date = new Date(now - 3_600_000).toUTCString();
    const { client } = createFakeClient(() => new Response(conversation('A'), { headers: { date } }));
    assert.equal(client.clock.toServiceTime(now), now);
    await client.getConversation('c');
    assert.ok(client.clock.toServiceTime(now) < now - 3_000_000);
  });
});
