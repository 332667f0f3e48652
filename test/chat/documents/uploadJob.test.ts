import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Chat } from '../../../src/chat/conversations/chat';
import type { FileToUpload } from '../../../src/chat/documents/fileToUpload';
import { FolderQuestions } from '../../../src/chat/documents/folderQuestions';
import { UploadJob } from '../../../src/chat/documents/uploadJob';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import type { RemoteConversations } from '../../../src/chat/remote/remoteConversations';
import type { Service } from '../../../src/chat/remote/service';
import type { PutFileOptions } from '../../../src/client/putFile';
import {
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from '../../../src/client/serviceError';
import { openBytes } from '../../../src/host/platform/openBytes';
import { AskedForFolder } from '../support/askedForFolder';
import { confirmed } from '../support/confirmed';

const MINUTE_MS = 60_000;

const fail = (code: ServiceErrorCode, details: Partial<ServiceErrorDetails> = {}) =>
  new ServiceError(code, { operation: 'PUT', message: 'no', maySend: true, ...details });
const expired = () => fail('forbidden', { status: 403 });
const unreachable = () => fail('unreachable');
const limited = (retryAfterMs?: number) => fail('rateLimited', { status: 429, retryAfterMs });

/** A service in memory: each step fails with its next error, if it has one. */
function createService(errors: { create?: Error[]; sign?: Error[]; put?: Error[]; register?: Error[] }) {
  const counts = { create: 0, sign: 0, put: 0, register: 0 };
  const capabilities = new Capabilities();
  const run = (step: keyof typeof counts) => {
    counts[step]++;
    service.onStep(step);
    const error = errors[step]?.shift();
    if (error) throw error;
  };
  const service = {
    counts,
    capabilities,
    onStep: (_step: keyof typeof counts): unknown => undefined,
    onProgress: (_report: (sent: number) => void): unknown => undefined,
    remote: {
      async ensureCreated() {
        run('create');
        return 'remote';
      },
    } as unknown as RemoteConversations,
    connection: {
      baseUrl: 'http://localhost/',
      capabilities,
      client: {
        rateLimit: { getDelay: () => 0 },
        clock: { toServiceTime: (now: number) => now },
        async createSignedUpload() {
          run('sign');
          return { url: 'http://localhost/put', key: 'key' };
        },
        async putFile(_upload: unknown, { onProgress }: PutFileOptions) {
          run('put');
          if (onProgress) service.onProgress(onProgress);
        },
        async createDocument() {
          run('register');
        },
      },
    } as unknown as Service,
  };
  return service;
}

describe('UploadJob', () => {
  let service: ReturnType<typeof createService>;
  let events: DocumentTurn[];
  let job: UploadJob;

  const start = (errors: Parameters<typeof createService>[0] = {}, about: Partial<FileToUpload> = {}) => {
    service = createService(errors);
    events = [];
    const put = (_id: string, turn: DocumentTurn) => void events.push(turn);
    const open = () => openBytes(new Uint8Array(100));
    const file = { name: 'a.xyz', contentType: 'text/xyz', opened: open(), reopen: async () => open() };
    const chat = {
      writer: { putDocument: put },
      addDocument: put,
      findConversation: () => ({}),
      whenSaved: async () => undefined,
    } as unknown as Chat;
    const folders = new FolderQuestions(new AskedForFolder());
    job = new UploadJob({ chat, remote: service.remote, folders }, 'c', confirmed({ ...file, ...about }));
  };
  const run = async (...[errors, about]: Parameters<typeof start>) => {
    start(errors, about);
    await job.run(() => service.connection);
    return job.turn;
  };

  describe('sends the bytes', () => {
    const attached = 'attached' as const;
    const failed = 'failed' as const;
    const serverError = () => fail('service', { status: 500 });
    for (const { when, errors, state, signs, puts } of [
      { when: 'the URL has expired', errors: [expired()], state: attached, signs: 2, puts: 2 },
      { when: 'the URL expires twice', errors: [expired(), expired()], state: failed, signs: 2, puts: 2 },
      {
        when: 'the credentials have expired',
        errors: [fail('service', { status: 400, serviceMessage: 'ExpiredToken: renew' })],
        ...{ state: attached, signs: 2, puts: 2 },
      },
      {
        when: 'the storage names another reason',
        errors: [fail('service', { status: 400, serviceMessage: 'No ExpiredToken' })],
        ...{ state: failed, signs: 1, puts: 1 },
      },
      {
        when: 'the storage names no reason',
        errors: [fail('service', { status: 400 })],
        ...{ state: failed, signs: 1, puts: 1 },
      },
      {
        when: 'another status has that reason',
        errors: [fail('service', { status: 500, serviceMessage: 'ExpiredToken' })],
        ...{ state: failed, signs: 1, puts: 1 },
      },
      { when: 'the storage can’t be reached', errors: [unreachable()], state: attached, signs: 1, puts: 2 },
      { when: 'a deadline passes', errors: [fail('timeout')], state: attached, signs: 1, puts: 2 },
      {
        when: 'the storage is busy',
        errors: [fail('service', { status: 503 })],
        ...{ state: attached, signs: 1, puts: 2 },
      },
      { when: 'the storage fails', errors: [serverError()], state: failed, signs: 1, puts: 1 },
      {
        when: 'the storage can’t be reached twice',
        errors: [unreachable(), unreachable()],
        ...{ state: failed, signs: 1, puts: 2 },
      },
      {
        when: 'the storage can’t be reached, and then the URL has expired',
        errors: [unreachable(), expired()],
        ...{ state: attached, signs: 2, puts: 3 },
      },
      {
        when: 'the URL has expired, and then the storage can’t be reached',
        errors: [expired(), unreachable()],
        ...{ state: attached, signs: 2, puts: 3 },
      },
      { when: 'the file can’t be read', errors: [new Error('EIO')], state: failed, signs: 1, puts: 1 },
    ])
      it(`${puts}× with ${signs === 1 ? 'one URL' : 'two URLs'} if ${when}, and is then ${state}`, async () => {
        const turn = await run({ put: [...errors] });
        assert.deepEqual([turn.state, service.counts.sign, service.counts.put], [state, signs, puts]);
      });
  });

  it('shows each step while it runs', async () => {
    start({ put: [expired()] });
    const shown: unknown[] = [];
    service.onStep = (step) => shown.push([step, job.turn.state, job.turn.sent]);
    await job.run(() => service.connection);
    assert.deepEqual(shown, [
      ['create', 'signing', 0],
      ['sign', 'signing', 0],
      ['put', 'uploading', 0],
      ['sign', 'signing', 0],
      ['put', 'uploading', 0],
      ['register', 'registering', 100],
    ]);
  });

  it('shows progress at most ten times a second, and always the end', async () => {
    start();
    service.onProgress = (report) => {
      for (const sent of [10, 20, 90, 100]) report(sent);
    };
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    try {
      await job.run(() => service.connection);
    } finally {
      mock.timers.reset();
    }
    const uploading = events.filter(({ state, sha256 }) => state === 'uploading' && !sha256);
    assert.deepEqual(
      uploading.map(({ sent }) => sent),
      [0, 10, 100],
    );
  });

  it('stores that the contents are unsaved', async () => {
    assert.equal((await run({}, { unsaved: true })).unsaved, true);
    assert.equal('unsaved' in (await run()), false);
  });

  it('is pending if the service lists documents, and has no status otherwise', async () => {
    assert.equal((await run()).status, 'pending');
    start();
    service.capabilities.setMissing('GET /documents');
    await job.run(() => service.connection);
    assert.deepEqual([job.turn.state, 'status' in job.turn], ['attached', false]);
  });

  it('starts from the beginning when the service refused what was uploaded', async () => {
    const refused = fail('validation', { status: 422, fieldErrors: { key: ['no'] } });
    const create: Error[] = [];
    const turn = await run({ register: [refused], create });
    assert.deepEqual([turn.state, turn.failedAt, turn.failure?.reason], ['failed', 'registering', undefined]);
    create.push(unreachable());
    job.restart(false);
    assert.equal(job.turn.state, 'queued');
    await job.run(() => service.connection);
    assert.equal(job.turn.failedAt, 'signing');
    job.restart(false);
    await job.run(() => service.connection);
    assert.deepEqual([job.turn.state, service.counts.sign, service.counts.put], ['attached', 2, 2]);
  });

  it('is refused as text only once, and fails at the first step', async () => {
    const unsupported = () => fail('service', { status: 415 });
    const asText = { name: 'a.xyz.txt', contentType: 'text/plain' };
    const create: Error[] = [];
    await run({ register: [unsupported(), unsupported()], create }, { asText });
    assert.equal(job.turn.failure?.reason, 'type');
    job.restart(true);
    await job.run(() => service.connection);
    assert.deepEqual([job.turn.name, job.turn.failure?.reason], ['a.xyz.txt', undefined]);
    create.push(unreachable());
    job.restart(true);
    await job.run(() => service.connection);
    assert.equal(job.turn.failedAt, 'signing');
  });

  describe('refused because of too many requests', () => {
    let pauses: number[];
    beforeEach(() => {
      pauses = [];
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    });
    afterEach(() => mock.timers.reset());

    /** Runs the upload without waiting, and collects its pauses. */
    const runAll = async (errors: Parameters<typeof start>[0]) => {
      start(errors);
      let ended = false;
      const done = job
        .run(() => service.connection)
        .finally(() => {
          ended = true;
        });
      while (!ended) {
        await new Promise(setImmediate);
        const { waitsUntil } = job.turn;
        if (waitsUntil === undefined) continue;
        const pause = waitsUntil - Date.now();
        pauses.push(pause);
        mock.timers.tick(pause + 1);
      }
      await done;
      return [job.turn.state, job.turn.failedAt];
    };

    it('waits twice as long each time, at most a minute, and up to five minutes in all', async () => {
      const sign = Array.from({ length: 20 }, () => limited());
      assert.deepEqual(await runAll({ sign }), ['failed', 'signing']);
      const seconds = pauses.map((ms) => ms / 1000);
      assert.deepEqual(seconds, [2, 4, 8, 16, 32, 60, 60, 60]);
    });

    it('waits up to an hour in all to be registered', async () => {
      const minutes = Array.from({ length: 14 }, () => limited(4 * MINUTE_MS));
      assert.deepEqual(await runAll({ register: [...minutes] }), ['attached', undefined]);
      const tooMany = Array.from({ length: 16 }, () => limited(4 * MINUTE_MS));
      assert.deepEqual(await runAll({ register: tooMany }), ['failed', 'registering']);
    });

    it('doesn’t wait longer than five minutes for one request', async () => {
      assert.deepEqual(await runAll({ register: [limited(5 * MINUTE_MS + 1)] }), ['failed', 'registering']);
      assert.deepEqual(pauses, []);
    });
  });
});
