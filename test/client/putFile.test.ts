import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import * as http from 'node:http';
import type { UploadBody } from '../../src/client/serviceClient';
import { assertLogged, createClient, getServiceError, KEY, TRANSPORTS } from './support/clients';
import { CLOSED_PORT, listen, startServer, stopServers, type TestServer } from './support/servers';

const API = 'http://127.0.0.1:9';
const CHUNK_BYTES = 64 * 1024;

/** Returns a stream of these bytes, with one chunk per read. */
function createStreamBody(bytes: Uint8Array, size = bytes.length): UploadBody {
  return {
    size,
    open: () => {
      let at = 0;
      return new ReadableStream({
        pull(controller) {
          if (at >= bytes.length) return controller.close();
          controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES));
          at += CHUNK_BYTES;
        },
      });
    },
  };
}

function createBlobBody(bytes: Uint8Array<ArrayBuffer>): UploadBody {
  return { size: bytes.length, open: () => new Blob([bytes], { type: 'application/x-of-the-blob' }) };
}

interface Storage extends TestServer {
  readonly headers: http.IncomingHttpHeaders[];
  readonly digests: string[];
}

/** Accepts uploads and keeps their digests. */
async function startStorage(): Promise<Storage> {
  const headers: http.IncomingHttpHeaders[] = [];
  const digests: string[] = [];
  const server = http.createServer(async (request, response) => {
    headers.push(request.headers);
    const hash = createHash('sha256');
    try {
      for await (const chunk of request) hash.update(chunk);
    } catch {
      digests.push('broken off');
      server.emit('broken');
      return;
    }
    digests.push(hash.digest('hex'));
    response.end();
  });
  return { ...(await listen(server, [])), headers, digests };
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const uploads = [
  ...TRANSPORTS.map(({ name, fetch }) => ({ name: `a Blob over ${name}`, fetch, bodyOf: createBlobBody })),
  { name: 'a stream over http.request', fetch: TRANSPORTS[0]?.fetch ?? fetch, bodyOf: createStreamBody },
];

for (const { name, fetch, bodyOf } of uploads) {
  describe(`putFile, ${name}`, () => {
    afterEach(stopServers);

    it('sends the bytes with length and type, without the key and not chunked [attack: other origin]', async () => {
      const storage = await startStorage();
      const { client, log } = createClient(API, { fetch });
      for (const size of [0, 1, CHUNK_BYTES, 3_000_001]) {
        const bytes = randomBytes(size);
        const progress: number[] = [];
        const startedAt = Date.now();
        await client.putFile(
          { url: `${storage.origin}/b?X-Sig=${KEY}`, contentType: 'text/plain', file: bodyOf(bytes) },
          { onProgress: (sent) => progress.push(sent) },
        );
        const headers = storage.headers.at(-1);
        assert.equal(storage.digests.at(-1), digest(bytes));
        assert.equal(headers?.['content-type'], 'text/plain');
        assert.equal(headers?.['content-length'], String(size));
        assert.equal(headers?.['transfer-encoding'], undefined);
        assert.equal(headers?.authorization, undefined);
        assert.deepEqual(
          progress,
          progress.toSorted((a, b) => a - b),
        );
        assert.equal(progress.at(-1) ?? 0, size);
        assertLogged(log.slice(-1), [{ operation: 'PUT {url}', status: 200 }], startedAt);
      }
    });

    it('does not send the key to the origin of the API either, because a signed URL refuses a second authentication', async () => {
      const storage = await startStorage();
      const { client } = createClient(storage.origin, { fetch });
      await client.putFile({ url: `${storage.origin}/b`, contentType: 'a/b', file: bodyOf(randomBytes(9)) });
      assert.equal(storage.headers[0]?.authorization, undefined);
    });

    it('needs no key', async () => {
      const storage = await startStorage();
      const { client } = createClient(API, { fetch, key: undefined });
      await client.putFile({ url: `${storage.origin}/b`, contentType: 'a/b', file: bodyOf(randomBytes(9)) });
      assert.equal(storage.digests.length, 1);
    });

    it("reports the storage's refusal without retrying and without the key", async () => {
      for (const [status, code] of [
        [400, 'service'],
        [403, 'forbidden'],
        [404, 'notFound'],
        [411, 'service'],
        [413, 'tooLarge'],
        [501, 'service'],
        [503, 'service'],
      ] as const) {
        const storage = await startServer((_request, response) => {
          const xml = `<Error><Code>AccessDenied</Code><Message>Request of ${KEY} has expired</Message></Error>`;
          response.writeHead(status, { 'Content-Type': 'application/xml' }).end(xml);
        });
        const { client } = createClient(API, { fetch });
        const upload = { url: storage.origin, contentType: 'a/b', file: bodyOf(randomBytes(9)) };
        const error = await getServiceError(client.putFile(upload), code);
        assert.deepEqual(
          [error.status, error.maySend, error.serviceMessage, error.operation],
          [status, true, 'AccessDenied: Request of ••• has expired', 'PUT {url}'],
        );
        assert.equal(storage.requests.length, 1);
      }
    });

    it('does not follow redirects', async () => {
      const other = await startStorage();
      for (const status of [301, 302, 303, 307, 308]) {
        const storage = await startServer((_request, response) => {
          response.writeHead(status, { Location: `${other.origin}/b` }).end();
        });
        const { client } = createClient(API, { fetch });
        const upload = { url: storage.origin, contentType: 'a/b', file: bodyOf(randomBytes(9)) };
        assert.equal((await getServiceError(client.putFile(upload), 'invalidResponse')).reason, 'redirect');
      }
      assert.equal(other.headers.length, 0);
    });

    it('fails as unreachable when no server listens', async () => {
      const { client } = createClient(API, { fetch });
      const url = `http://127.0.0.1:${CLOSED_PORT}/b`;
      const error = await getServiceError(
        client.putFile({ url, contentType: 'a/b', file: bodyOf(randomBytes(9)) }),
        'unreachable',
      );
      assert.deepEqual([error.reason, error.maySend], ['refused', true]);
    });

    it("aborts halfway with the caller's signal", async () => {
      const controller = new AbortController();
      const server = http.createServer((request) => {
        request.once('data', () => {
          request.pause();
          controller.abort();
          taken.push(request);
        });
        request.on('error', () => undefined);
      });
      const taken: http.IncomingMessage[] = [];
      const storage = await listen(server, []);
      const { client, log } = createClient(API, { fetch });
      const upload = { url: storage.origin, contentType: 'a/b', file: bodyOf(Buffer.alloc(30_000_000)) };
      await getServiceError(client.putFile(upload, { signal: controller.signal }), 'aborted');
      // A server notices that its client has disconnected only while reading.
      for (const request of taken) request.resume();
      await storage.untilClosed();
      assert.equal(log[0]?.errorCode, 'aborted');
    });

    it('opens nothing and sends nothing to a refused URL [attack: upload URL]', async () => {
      const { client, log } = createClient(API, { fetch });
      for (const [url, reason] of [
        ['http://bucket.example.com/b', 'notHttps'],
        ['ftp://127.0.0.1/b', 'notHttps'],
        ['file:///tmp/b', 'notHttps'],
        ['https://user:pass@bucket.example.com/b', 'hasCredentials'],
        ['https://169.254.169.254/b', 'linkLocal'],
        ['https://[fe80::1]/b', 'linkLocal'],
        ['/b', 'notAbsolute'],
        ['', 'notAbsolute'],
      ] as const) {
        const file: UploadBody = { size: 1, open: () => assert.fail('opened') };
        const error = await getServiceError(client.putFile({ url, contentType: 'a/b', file }), 'refusedUrl');
        assert.deepEqual([error.reason, error.maySend], [reason, true], url);
      }
      assert.deepEqual(log, []);
    });
  });
}

describe('putFile with a stream', () => {
  afterEach(stopServers);

  it('reports each chunk as it is sent', async () => {
    const storage = await startStorage();
    const progress: number[] = [];
    await createClient(API).client.putFile(
      { url: storage.origin, contentType: 'a/b', file: createStreamBody(randomBytes(CHUNK_BYTES * 3 + 1)) },
      { onProgress: (sent) => progress.push(sent) },
    );
    assert.deepEqual(progress, [CHUNK_BYTES, CHUNK_BYTES * 2, CHUNK_BYTES * 3, CHUNK_BYTES * 3 + 1]);
  });

  it('fails a stream that is too short or too long, so that no truncated file is ever stored', async () => {
    for (const size of [CHUNK_BYTES * 2 + 1, CHUNK_BYTES * 2 - 1, CHUNK_BYTES, CHUNK_BYTES - 1, 0]) {
      const storage = await startStorage();
      const upload = {
        url: storage.origin,
        contentType: 'a/b',
        file: createStreamBody(randomBytes(CHUNK_BYTES * 2), size),
      };
      const { client, log } = createClient(API);
      const error = await getServiceError(client.putFile(upload), 'interrupted');
      assert.deepEqual([error.reason, error.maySend, log[0]?.errorCode], ['bodyLength', true, 'interrupted']);
      await storage.untilClosed();
      assert.ok(!storage.digests.some((each) => each !== 'broken off'), 'a body was taken for complete');
    }
  });

  it('rejects with the error of a failing stream, and closes the connection', async () => {
    const storage = await startStorage();
    const mine = new Error('The file is gone');
    let pieces = 0;
    const file: UploadBody = {
      size: CHUNK_BYTES * 3,
      open: () =>
        new ReadableStream({
          pull(controller) {
            if (++pieces === 3) throw mine;
            controller.enqueue(new Uint8Array(CHUNK_BYTES));
          },
        }),
    };
    const { client } = createClient(API);
    await assert.rejects(client.putFile({ url: storage.origin, contentType: 'a/b', file }), mine);
    await storage.untilClosed();
  });

  it('cancels the stream when the storage refuses halfway', async () => {
    const server = http.createServer((request, response) => {
      request.once('data', () => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'));
    });
    const storage = await listen(server, []);
    let cancelled: () => void = () => undefined;
    const untilCancelled = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const file: UploadBody = {
      size: 1e9,
      open: () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(CHUNK_BYTES)),
          cancel: () => cancelled(),
        }),
    };
    const error = await getServiceError(
      createClient(API).client.putFile({ url: storage.origin, contentType: 'a/b', file }),
      'forbidden',
    );
    assert.equal(error.serviceMessage, 'AccessDenied');
    await untilCancelled;
    await storage.untilClosed();
  });

  it('cancels a hanging stream', async () => {
    const server = http.createServer((request, response) => {
      request.once('data', () => response.writeHead(503).end());
    });
    const busy = await listen(server, []);
    let pieces = 0;
    await new Promise<void>((resolve) => {
      const file: UploadBody = {
        size: CHUNK_BYTES * 2,
        open: () =>
          new ReadableStream({
            pull: (controller) =>
              ++pieces === 1 ? controller.enqueue(new Uint8Array(CHUNK_BYTES)) : new Promise(() => undefined),
            cancel: () => resolve(),
          }),
      };
      void getServiceError(
        createClient(API).client.putFile({ url: busy.origin, contentType: 'a/b', file }),
        'service',
      );
    });
  });

  it('reads a stream of 64 MB only as fast as the storage accepts it', async () => {
    const size = 64 * 1024 * 1024;
    let received = 0;
    const server = http.createServer(async (request, response) => {
      for await (const chunk of request) {
        received += chunk.length;
        // Slower than the source, which has all its chunks ready.
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const storage = await listen(server, []);
    let ahead = 0;
    await createClient(API).client.putFile(
      { url: storage.origin, contentType: 'a/b', file: createStreamBody(Buffer.alloc(size)) },
      { onProgress: (sent) => (ahead = Math.max(ahead, sent - received)) },
    );
    assert.equal(received, size);
    assert.ok(ahead < 24 * 1024 * 1024, `${ahead} bytes were held`);
  });

  it('times out when the server neither reads the stream nor answers', async () => {
    for (const takes of [false, true]) {
      const pending: http.IncomingMessage[] = [];
      const server = http.createServer((request) => {
        request.on('error', () => undefined);
        if (takes) request.resume();
        else pending.push(request);
      });
      const storage = await listen(server, []);
      const { client } = createClient(API, { deadlines: { quietUpload: 100 } });
      const file = createStreamBody(Buffer.alloc(takes ? 10 : 30_000_000));
      const upload = { url: storage.origin, contentType: 'a/b', file };
      assert.equal((await getServiceError(client.putFile(upload), 'timeout')).maySend, true);
      for (const request of pending) request.resume();
      await storage.untilClosed();
    }
  });

  it('may take longer than its deadline while there is progress', async () => {
    const storage = await startStorage();
    let pieces = 0;
    const file: UploadBody = {
      size: 10,
      open: () =>
        new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 500));
            controller.enqueue(new Uint8Array(1));
            if (++pieces === 10) controller.close();
          },
        }),
    };
    const { client } = createClient(API, { deadlines: { quietUpload: 4000 } });
    await client.putFile({ url: storage.origin, contentType: 'a/b', file });
    assert.equal(storage.digests.length, 1);
  });
});
