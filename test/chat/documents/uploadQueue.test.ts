import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ConfirmedFile, OpenedFile } from '../../../src/chat/documents/fileToUpload';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { Fault } from '../../service/faults/faults';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';
import { UnwatchedStorage } from '../support/unwatchedStorage';

interface FakeFile extends ConfirmedFile {
  /** How often it was reopened and closed. */
  reopened: number;
  closed: number;
  /** Its current contents; `open` checks whether they are unchanged. */
  bytes: Uint8Array;
  isUnchanged: boolean;
}

/** A file in memory that can change while it is uploaded. */
function createFakeFile(name: string, bytes: Uint8Array): FakeFile {
  const open = (): OpenedFile => {
    const blob = new Blob([new Uint8Array(fake.bytes)]);
    return {
      body: { size: blob.size, open: () => blob.stream() },
      sha256: async () => sha256(new Uint8Array(await blob.arrayBuffer())),
      unchanged: async () => fake.isUnchanged,
      close: async () => {
        fake.closed++;
      },
    };
  };
  const fake = {
    name,
    contentType: name.endsWith('.pdf') ? 'application/pdf' : 'text/plain',
    uri: `file:///home/me/${name}`,
    bytes,
    isUnchanged: true,
    reopened: 0,
    closed: 0,
    async reopen() {
      fake.reopened++;
      return open();
    },
  };
  return confirmed(Object.assign(fake, { opened: open() }));
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('UploadQueue', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(() => fixture.close());

  const getDocuments = (id: string) =>
    fixture.chat
      .findConversation(id)
      ?.turns.filter((turn): turn is DocumentTurn => turn.kind === 'document') ?? [];
  const countRequests = (method: string, path: RegExp) =>
    fixture.service.requests.filter((request) => request.method === method && path.test(request.path)).length;

  const waitForRequests = (method: string, path: RegExp, count: number) =>
    waitUntil(`${count} requests arrive`, () => countRequests(method, path) >= count);

  async function upload(file: ConfirmedFile, ...faults: Fault[]) {
    for (const fault of faults) fixture.service.inject(fault);
    const { id } = fixture.newConversation();
    const { turnId, finished } = fixture.uploads.add(id, file);
    await finished;
    const turn = getDocuments(id)[0];
    assert.ok(turn);
    return { id, turnId, turn };
  }

  it('uploads a file to the conversation byte for byte, and names the conversation after it', async () => {
    const bytes = randomBytes(3_000_000);
    const source = createFakeFile('report.pdf', bytes);
    const { id, turn } = await upload(source);
    assert.deepEqual([turn.state, turn.sent, turn.size], ['attached', bytes.length, bytes.length]);
    assert.deepEqual([...fixture.service.objects.values()][0], bytes);
    const stored = [...fixture.service.documents.values()][0];
    assert.equal(stored?.name, 'report.pdf');
    assert.equal(fixture.chat.findConversation(id)?.name, 'report.pdf');
    assert.deepEqual([source.reopened, source.closed], [0, 1]);
  });

  it('reports increasing progress from queued to attached', async () => {
    const { turnId } = await upload(createFakeFile('report.pdf', randomBytes(2_000_000)));
    const progress = fixture.events.flatMap((event) =>
      event.type === 'turn' && event.turn.id === turnId ? [event.turn as DocumentTurn] : [],
    );
    assert.deepEqual(
      [...new Set(progress.map(({ state }) => state))],
      ['queued', 'signing', 'uploading', 'registering', 'attached'],
    );
    const sent = progress.map((turn) => turn.sent);
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    );
  });

  const failures: [step: DocumentTurn['failedAt'], fault: Fault][] = [
    ['signing', { name: 'status', on: 'POST /uploads/signed-url', status: 500 }],
    ['uploading', { name: 'put-forbidden-halfway', times: 2 }],
    ['registering', { name: 'status', on: 'POST /documents/file', status: 500 }],
  ];
  for (const [step, fault] of failures) {
    it(`reports the step when ${step} fails, and Retry continues from there`, async () => {
      const file = createFakeFile('notes.txt', randomBytes(500_000));
      const asText = { name: 'notes.txt.txt', contentType: 'text/plain' };
      const { id, turnId, turn } = await upload({ ...file, asText }, fault);
      assert.deepEqual([turn.state, turn.failedAt], ['failed', step]);
      assert.deepEqual(fixture.uploads.find(turnId), turn);
      const puts = countRequests('PUT', /./);
      await fixture.uploads.retry(turnId, async () => true);
      assert.deepEqual(
        getDocuments(id).map(({ state, name }) => [state, name]),
        [['attached', 'notes.txt']],
      );
      assert.equal(fixture.uploads.find(turnId), undefined);
      assert.equal(getDocuments(id)[0]?.failure, undefined);
      if (step === 'registering') assert.equal(countRequests('PUT', /./), puts, 'the bytes do not go twice');
      assert.equal(fixture.service.documents.size, 1);
    });
  }

  it('renews the signed URL once when it has expired [fault 41]', async () => {
    const { turn } = await upload(createFakeFile('notes.txt', randomBytes(1000)), {
      name: 'url-expired',
      on: 'POST /uploads/signed-url',
    } as Fault);
    assert.equal(turn.state, 'attached');
    assert.equal(countRequests('POST', /signed-url$/), 2);
  });

  it('restarts the PUT when the storage is busy or drops the connection [fault 43]', async () => {
    for (const name of ['put-503', 'put-reset'] as const) {
      const bytes = randomBytes(400_000);
      const { turn } = await upload(createFakeFile('notes.txt', bytes), { name } as Fault);
      assert.equal(turn.state, 'attached', name);
      assert.deepEqual([...fixture.service.objects.values()].at(-1), bytes);
    }
  });

  it('registers a document only once it is stored that the service may have it', async () => {
    const steps: string[] = [];
    class SlowStorage extends NodeStorage {
      override async appendFile(...[name, bytes, options]: Parameters<NodeStorage['appendFile']>) {
        const isAboutRegistering = new TextDecoder().decode(bytes).includes('"state":"registering"');
        if (isAboutRegistering) for (let turn = 0; turn < 50; turn++) await setImmediate();
        const info = await super.appendFile(name, bytes, options);
        if (isAboutRegistering) steps.push('stored');
        return info;
      }
    }
    const window = await fixture.otherWindow({
      createStorage: (folder) => new SlowStorage(folder),
      wrapFetch:
        (fetch) =>
        (request, ...rest) => {
          if (/\/documents\/file$/.test(String(request))) steps.push('requested');
          return fetch(request, ...rest);
        },
    });
    const { id } = window.newConversation();
    await window.uploads.add(id, createFakeFile('a.txt', randomBytes(10))).finished;
    assert.deepEqual(steps, ['stored', 'requested']);
    await window.close();
  });

  it('registers nothing in a conversation that was deleted during the upload', async () => {
    const { id } = fixture.newConversation();
    const source = createFakeFile('a.txt', randomBytes(10));
    const unchanged = async () => {
      if (getDocuments(id)[0]?.state === 'uploading') {
        await fixture.chat.whenSaved(id);
        await fixture.chat.deleteConversation(id);
      }
      return true;
    };
    const file = confirmed({ ...source, opened: { ...source.opened, unchanged } });
    await fixture.uploads.add(id, file).finished;
    await fixture.chat.undelete(id);
    await fixture.chat.openConversation(id);
    assert.equal(getDocuments(id)[0]?.state, 'cancelled');
    assert.equal(countRequests('POST', /\/documents\/file$/), 0);
  });

  it('repeats nothing that another window has removed, even if nothing reported it', async () => {
    const window = await fixture.otherWindow({ createStorage: (folder) => new UnwatchedStorage(folder) });
    const { id } = window.newConversation();
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500 });
    const { turnId, finished } = window.uploads.add(id, createFakeFile('a.txt', randomBytes(10)));
    await finished;
    await window.chat.whenSaved(id);
    await fixture.chat.openConversation(id);
    fixture.chat.writer.removeDocument(id, getDocuments(id)[0] ?? assert.fail());
    await fixture.chat.whenSaved(id);
    await window.uploads.retry(turnId, () => assert.fail('It asked.'));
    assert.equal(countRequests('POST', /signed-url$/), 1);
    await window.close();
  });

  it('repeats nothing that another window has repeated while this one uploaded something else', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500 });
    const { id, turnId } = await upload(createFakeFile('failed.txt', randomBytes(10)));
    await fixture.chat.whenSaved(id);
    const window = await fixture.otherWindow();
    await window.chat.openConversation(id);
    fixture.service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 3_000_000 });
    const other = fixture.uploads.add(id, createFakeFile('big.pdf', randomBytes(5_000_000)));
    await fixture.service.waitForRequest(({ method }) => method === 'PUT');
    await window.uploads.add(id, createFakeFile('failed.txt', randomBytes(10)), turnId).finished;
    await other.finished;
    await window.chat.whenSaved(id);
    await fixture.uploads.retry(turnId, () => assert.fail('It asked.'));
    assert.deepEqual(
      getDocuments(id)
        .map(({ name }) => name)
        .toSorted(),
      ['big.pdf', 'failed.txt'],
    );
    assert.equal(countRequests('POST', /\/documents\/file$/), 2);
    await window.close();
  });

  it('shows what another window does with a document while this one may write', async () => {
    const { id, turn } = await upload(createFakeFile('a.txt', randomBytes(10)));
    await fixture.chat.whenSaved(id);
    const window = await fixture.otherWindow();
    await window.chat.openConversation(id);
    const permission = (await fixture.chat.acquirePermission(id)) ?? assert.fail();
    window.chat.writer.putDocument(id, { ...turn, updateOnSave: true });
    await window.chat.whenSaved(id);
    await fixture.chat.readChanges(id);
    assert.equal(getDocuments(id)[0]?.updateOnSave, true);
    window.chat.writer.removeDocument(id, turn);
    await window.chat.whenSaved(id);
    await fixture.chat.readChanges(id);
    assert.deepEqual(getDocuments(id), []);
    await permission.release();
    await window.close();
  });

  it('closes the socket and registers nothing when canceled during the upload', async () => {
    fixture.service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 3_000_000 });
    const { id } = fixture.newConversation();
    const source = createFakeFile('big.pdf', randomBytes(5_000_000));
    const { turnId, finished } = fixture.uploads.add(id, source);
    const put = await fixture.service.waitForRequest(({ method }) => method === 'PUT');
    fixture.uploads.cancel(turnId);
    await finished;
    const ends = fixture.events.filter(
      (event) => event.type === 'turn' && event.turn.kind === 'document' && event.turn.state === 'cancelled',
    );
    assert.deepEqual([getDocuments(id)[0]?.state, ends.length, source.closed], ['cancelled', 1, 1]);
    await fixture.service.waitForRequest((request) => request === put && request.aborted);
    assert.equal(fixture.service.documents.size, 0);
  });

  it('an upload is canceled when the window closes', async () => {
    fixture.service.inject({ name: 'hang', on: 'POST /conversations' });
    const { id } = fixture.newConversation();
    const source = createFakeFile('notes.txt', randomBytes(100));
    const { finished } = fixture.uploads.add(id, source);
    await waitForRequests('POST', /\/conversations$/, 1);
    fixture.uploads.dispose();
    await finished;
    assert.deepEqual([getDocuments(id)[0]?.state, source.closed], ['cancelled', 1]);
  });

  it('ignores actions on unknown documents, and on those that are being uploaded', async () => {
    const { uploads } = fixture;
    await uploads.retry('unknown', () => assert.fail('It asked.'));
    await uploads.retryAsText('unknown');
    uploads.cancel('unknown');
    assert.equal(await uploads.attachIfFound('unknown', 'unknown'), false);
    fixture.service.inject({ name: 'slow', on: 'POST /conversations', delayMs: 30 });
    const { id } = fixture.newConversation();
    const { turnId, finished } = uploads.add(id, createFakeFile('notes.txt', randomBytes(100)));
    await uploads.retry(turnId, () => assert.fail('It asked.'));
    await finished;
    assert.equal(countRequests('POST', /file$/), 1);
  });

  it('uploads while another window writes, and releases its lease', async () => {
    const { id } = fixture.newConversation();
    const source = createFakeFile('notes.txt', randomBytes(100));
    await fixture.uploads.add(id, source).finished;
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    const lease = await other.chat.acquirePermission(id);
    assert.equal(lease?.kind, 'leased');
    await fixture.uploads.add(id, createFakeFile('more.txt', randomBytes(100))).finished;
    assert.deepEqual(
      getDocuments(id).map(({ state }) => state),
      ['attached', 'attached'],
    );
    await lease?.release();
    await other.close();
  });

  it('holds the conversation’s lease while an upload waits for the uploads of another one', async () => {
    const busy = fixture.newConversation().id;
    const { id } = fixture.newConversation();
    await fixture.uploads.add(id, createFakeFile('first.txt', randomBytes(10))).finished;
    const other = await fixture.otherWindow();
    try {
      fixture.service.inject({ name: 'hang', on: 'PUT object', times: 3 });
      const running = ['a', 'b', 'c'].map((name) =>
        fixture.uploads.add(busy, createFakeFile(`${name}.txt`, randomBytes(10))),
      );
      await waitForRequests('PUT', /./, 1 + running.length);
      const waiting = fixture.uploads.add(id, createFakeFile('more.txt', randomBytes(10)));
      await waitUntil('the lease is held', async () => {
        const lease = await other.store.acquireLease(id);
        if ('heldBy' in lease) return true;
        await lease.release();
      });
      assert.equal(getDocuments(id).at(-1)?.state, 'queued');
      for (const { turnId } of [...running, waiting]) fixture.uploads.cancel(turnId);
      await Promise.all([...running, waiting].map(({ finished }) => finished));
      const lease = await other.store.acquireLease(id);
      assert.ok('release' in lease);
      await lease.release();
    } finally {
      await other.close();
    }
  });

  it('does not send a file that changed after the user agreed, and Retry sends it as it is now [fault 44]', async () => {
    const source = createFakeFile('notes.txt', randomBytes(1000));
    source.isUnchanged = false;
    const { id, turnId, turn } = await upload(source);
    assert.deepEqual([turn.failure?.code, turn.failedAt, source.closed], ['fileChanged', 'signing', 1]);
    assert.equal(countRequests('PUT', /./) + countRequests('POST', /signed-url$/), 0);
    source.isUnchanged = true;
    source.bytes = randomBytes(2000);
    await fixture.uploads.retry(turnId, async () => true);
    const [retried] = getDocuments(id);
    assert.deepEqual([retried?.state, retried?.size, source.closed], ['attached', 2000, 2]);
    assert.deepEqual([...fixture.service.objects.values()], [source.bytes]);
  });

  it('does not register a file that changed while it was sent', async () => {
    fixture.service.inject({ name: 'slow', on: 'PUT object', delayMs: 50 });
    const source = createFakeFile('notes.txt', randomBytes(1000));
    const { id } = fixture.newConversation();
    const { finished } = fixture.uploads.add(id, source);
    await fixture.service.waitForRequest(({ method }) => method === 'PUT');
    source.isUnchanged = false;
    await finished;
    const [turn] = getDocuments(id);
    assert.deepEqual([turn?.failure?.code, turn?.failedAt], ['fileChanged', 'uploading']);
    assert.equal(fixture.service.documents.size, 0);
  });

  it('stores the location of the file and the hash of the sent bytes', async () => {
    const source = createFakeFile('notes.txt', randomBytes(70_000));
    const { turn } = await upload(source);
    assert.deepEqual([turn.uri, turn.sha256], ['file:///home/me/notes.txt', sha256(source.bytes)]);
  });

  for (const on of [
    'POST /conversations',
    'POST /uploads/signed-url',
    'PUT object',
    'POST /documents/file',
  ] as const) {
    it(`waits when ${on} answers 429, shows until when, and continues`, async () => {
      const from = Date.now();
      const { turnId, turn } = await upload(createFakeFile('notes.txt', randomBytes(1000)), {
        name: 'retry-after',
        on,
        value: '0.3',
      });
      assert.equal(turn.state, 'attached');
      assert.equal(turn.waitsUntil, undefined);
      const waits = fixture.events.flatMap((event) =>
        event.type === 'turn' && event.turn.id === turnId && 'waitsUntil' in event.turn
          ? [event.turn.waitsUntil]
          : [],
      );
      assert.equal(waits.length, 1);
      assert.ok((waits[0] ?? 0) >= from + 300 && Date.now() >= (waits[0] ?? 0));
      assert.equal(fixture.service.documents.size, 1);
    });
  }

  it('fails instead of waiting for an hour, and says when to try again', async () => {
    const { turn } = await upload(createFakeFile('notes.txt', randomBytes(1000)), {
      name: 'retry-after',
      on: 'POST /documents/file',
      value: '3000',
    });
    assert.deepEqual(
      [turn.state, turn.failedAt, turn.failure?.code],
      ['failed', 'registering', 'rateLimited'],
    );
    assert.ok((turn.failure?.retryAt ?? 0) > Date.now() + 2_900_000);
  });

  it('an upload can be canceled while it waits', async () => {
    fixture.service.inject({ name: 'retry-after', on: 'POST /uploads/signed-url', value: '60' });
    const { id } = fixture.newConversation();
    const { turnId, finished } = fixture.uploads.add(id, createFakeFile('notes.txt', randomBytes(1000)));
    await fixture.until((event) => event.type === 'turn' && 'waitsUntil' in event.turn);
    fixture.uploads.cancel(turnId);
    await finished;
    assert.equal(getDocuments(id)[0]?.state, 'cancelled');
  });

  it('immediately closes a file that is canceled in the queue, and sends nothing of it', async () => {
    const { id } = fixture.newConversation();
    fixture.service.inject({ name: 'slow', on: 'POST /uploads/signed-url', delayMs: 50, times: 3 });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => createFakeFile(`${name}.txt`, randomBytes(100)));
    const added = all.map((each) => fixture.uploads.add(id, each));
    const getStates = () => getDocuments(id).map(({ state }) => state);
    await fixture.until(() => getStates().filter((state) => state === 'signing').length === 3);
    // One that waits behind another, the first that waits, and one that is being uploaded.
    for (const index of [4, 3, 0]) {
      fixture.uploads.cancel(added[index]?.turnId ?? '');
      if (index > 0) await added[index]?.finished;
    }
    assert.deepEqual(getStates(), ['signing', 'signing', 'signing', 'cancelled', 'cancelled', 'queued']);
    await Promise.all(added.map(({ finished }) => finished));
    assert.deepEqual(
      all.map(({ closed }) => closed),
      [1, 1, 1, 1, 1, 1],
    );
    const [done, gone] = ['attached', 'cancelled'];
    assert.deepEqual(getStates(), [gone, done, done, gone, gone, done]);
    assert.equal(fixture.service.objects.size, 3);
  });

  describe('file type refused by the service', () => {
    const picture = () => ({
      ...createFakeFile('notes.xyz', randomBytes(1000)),
      asText: { name: 'notes.xyz.txt', contentType: 'text/plain' },
    });

    it('is reported, and the file can be uploaded as text', async () => {
      const { id, turnId, turn } = await upload(picture());
      assert.deepEqual([turn.failure?.code, turn.failure?.reason], ['validation', 'type']);
      await fixture.uploads.retryAsText(turnId);
      const [sent] = getDocuments(id);
      assert.deepEqual([sent?.state, sent?.name], ['attached', 'notes.xyz.txt']);
      const put = fixture.service.requests.findLast(({ method }) => method === 'PUT');
      assert.equal(put?.headers['content-type'], 'text/plain');
    });

    it('is reported when the signed URL is refused, and for a status of 415', async () => {
      const errors = { content_type: ['no'] };
      for (const fault of [
        { status: 422, body: { message: 'no', errors } },
        { status: 415, body: { message: 'no' } },
      ]) {
        const { turn } = await upload(picture(), {
          name: 'status',
          on: 'POST /uploads/signed-url',
          ...fault,
        });
        assert.equal(turn.failure?.reason, 'type');
      }
    });

    it('is not reported when the file is already text, nor for other refusals', async () => {
      const { turn } = await upload(createFakeFile('notes.xyz', randomBytes(1000)));
      assert.deepEqual([turn.failure?.code, turn.failure?.reason], ['validation', undefined]);
      const { turn: other } = await upload(picture(), {
        name: 'status',
        on: 'POST /uploads/signed-url',
        status: 422,
        body: { message: 'no', errors: { file_size: ['too large'] } },
      });
      assert.equal(other.failure?.reason, undefined);
    });
  });

  it('renews the signed URL only once, and requests a new one on Retry', async () => {
    const expired = { name: 'url-expired', on: 'POST /uploads/signed-url', times: 2 } as const;
    const { turnId, turn } = await upload(createFakeFile('notes.txt', randomBytes(1000)), expired);
    assert.deepEqual([turn.state, turn.failedAt, turn.failure?.status], ['failed', 'uploading', 403]);
    assert.equal(countRequests('POST', /signed-url$/), 2);
    await fixture.uploads.retry(turnId, async () => true);
    assert.equal(countRequests('POST', /signed-url$/), 3);
    assert.equal(fixture.service.documents.size, 1);
  });

  it('attaches an accepted document, and reports the error, when its file can’t be closed', async () => {
    const { id } = fixture.newConversation();
    const error = new Error('EIO');
    const file = createFakeFile('notes.txt', randomBytes(1000));
    const opened = { ...file.opened, close: () => Promise.reject(error) };
    await fixture.uploads.add(id, { ...file, opened }).finished;
    assert.deepEqual(
      getDocuments(id).map(({ state }) => state),
      ['attached'],
    );
    assert.deepEqual(fixture.takeErrors(), [error]);
    assert.equal(fixture.service.documents.size, 1);
  });

  describe('of a file without a location, such as a pasted one', () => {
    const uploadPasted = async (bytes: Uint8Array) => {
      const { uri: _, ...file } = createFakeFile('notes.txt', bytes);
      return upload({ ...file, asText: { name: 'notes.txt.txt', contentType: 'text/plain' } });
    };
    const setStatus = (id: string, turnId: string, status: string) => {
      const turn = getDocuments(id).find((document) => document.id === turnId) ?? assert.fail();
      fixture.chat.writer.putDocument(id, { ...turn, status });
    };

    it('can be repeated when its conversion failed, with the same bytes', async () => {
      const bytes = randomBytes(1000);
      const { id, turnId } = await uploadPasted(bytes);
      setStatus(id, turnId, 'sync_failed');
      assert.equal(await fixture.uploads.repeat(id, turnId), true);
      const [, second] = getDocuments(id);
      assert.deepEqual([second?.replaces, second?.state, second?.name], [turnId, 'attached', 'notes.txt']);
      assert.deepEqual([...fixture.service.objects.values()], [bytes, bytes]);
      setStatus(id, second?.id ?? '', 'sync_failed');
      assert.equal(await fixture.uploads.repeat(id, second?.id ?? ''), true);
    });

    it('is repeated as text if it was uploaded as text', async () => {
      const { uri: _, ...file } = createFakeFile('notes.xyz', randomBytes(1000));
      const asText = { name: 'notes.xyz.txt', contentType: 'text/plain' };
      const { id, turnId } = await upload({ ...file, asText });
      await fixture.uploads.retryAsText(turnId);
      setStatus(id, turnId, 'sync_failed');
      assert.equal(await fixture.uploads.repeat(id, turnId), true);
      assert.deepEqual(
        getDocuments(id).map(({ name, state }) => [name, state]),
        Array(2).fill(['notes.xyz.txt', 'attached']),
      );
    });

    it('a pasted file isn’t kept in memory once it is converted, removed, or canceled, or if it is large or has a location', async () => {
      const { id, turnId } = await uploadPasted(randomBytes(1000));
      setStatus(id, turnId, 'synced');
      assert.equal(await fixture.uploads.repeat(id, turnId), false);
      for (const state of ['failed', 'cancelled'] as const) {
        const gone = await uploadPasted(randomBytes(1000));
        const turn = getDocuments(gone.id)[0] ?? assert.fail();
        if (state === 'cancelled') fixture.chat.writer.putDocument(gone.id, { ...turn, state });
        else fixture.chat.writer.removeDocument(gone.id, turn);
        assert.equal(await fixture.uploads.repeat(gone.id, gone.turnId), false);
      }
      const located = await upload(createFakeFile('notes.txt', randomBytes(1000)));
      setStatus(located.id, located.turnId, 'sync_failed');
      assert.equal(await fixture.uploads.repeat(located.id, located.turnId), false);
      const large = await uploadPasted(new Uint8Array(10 * 1024 * 1024 + 1));
      assert.equal(await fixture.uploads.repeat(large.id, large.turnId), false);
    });

    it('is kept in memory as long as the deletion of its conversation can be undone', async () => {
      const { id, turnId } = await uploadPasted(randomBytes(1000));
      const kept = await uploadPasted(randomBytes(1000));
      await fixture.chat.whenSaved(id);
      await fixture.chat.deleteConversation(id);
      await fixture.chat.undelete(id);
      await fixture.chat.openConversation(id);
      setStatus(id, turnId, 'sync_failed');
      assert.equal(await fixture.uploads.repeat(id, turnId), true);
      const newest = getDocuments(id).at(-1) ?? assert.fail();
      await fixture.chat.whenSaved(id);
      await fixture.chat.deleteConversation(id);
      await fixture.chat.purge(id);
      assert.equal(await fixture.uploads.repeat(id, newest.id), false);
      assert.equal(await fixture.uploads.repeat(kept.id, kept.turnId), true);
    });
  });

  it('drops the uploads of a conversation when its deletion can no longer be undone', async () => {
    const failed = await upload(createFakeFile('a.txt', randomBytes(10)), {
      name: 'status',
      on: 'POST /documents/file',
      status: 500,
    });
    const { id } = failed;
    const other = await upload(createFakeFile('b.txt', randomBytes(10)), {
      name: 'status',
      on: 'POST /documents/file',
      status: 500,
    });
    fixture.service.inject({ name: 'hang', on: 'POST /documents/file' });
    const running = fixture.uploads.add(id, createFakeFile('c.txt', randomBytes(10)));
    await waitForRequests('POST', /\/documents\/file$/, 3);
    await fixture.chat.whenSaved(id);
    await fixture.chat.deleteConversation(id);
    assert.ok(fixture.uploads.find(failed.turnId));
    await fixture.chat.purge(id);
    await running.finished;
    assert.deepEqual(
      [failed, running].map(({ turnId }) => fixture.uploads.find(turnId)),
      [undefined, undefined],
    );
    assert.ok(fixture.uploads.find(other.turnId));
  });

  it('uploads three files at a time, and one failure does not stop the others', async () => {
    const { id } = fixture.newConversation();
    fixture.service.inject({ name: 'slow', on: 'PUT object', delayMs: 30, times: 20 });
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    let uploading = 0;
    let most = 0;
    fixture.chat.onChatEvent((event) => {
      if (event.type !== 'turn') return;
      uploading = getDocuments(id).filter(
        ({ state }) => !['queued', 'attached', 'failed'].includes(state),
      ).length;
      most = Math.max(most, uploading);
    });
    const all = Array.from({ length: 10 }, (_, i) =>
      fixture.uploads.add(id, createFakeFile(`file-${i}.txt`, randomBytes(1000))),
    );
    await Promise.all(all.map(({ finished }) => finished));
    const states = getDocuments(id)
      .map(({ state }) => state)
      .toSorted();
    assert.deepEqual(states, [...Array(9).fill('attached'), 'failed']);
    assert.equal(most, 3);
    assert.equal(fixture.service.conversations.size, 1);
  });
});
