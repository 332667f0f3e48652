import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createUploadNameByExtension } from '../../src/chat/documents/fileUploadName';
import type { DocumentTurn } from '../../src/chat/model/turn';
import { openLocalFile } from '../../src/host/platform/localFile';
import { type ChatFixture, startChat } from '../chat/support/chatFixture';
import { confirmed } from '../chat/support/confirmed';
import type { Fault } from '../service/faults/faults';
import { type S3, startS3 } from './s3';

describe('Uploads to an S3 that verifies signatures', () => {
  let s3: S3;
  let fixture: ChatFixture;
  let folder: string;
  before(async () => {
    s3 = await startS3();
  });
  after(() => s3?.close());
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-s3-'));
    fixture = await startChat({ objectStorage: s3 });
  });
  afterEach(async () => {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Uploads a real file; resolves to its final turn and the stored bytes. */
  async function upload(name: string, bytes: Uint8Array, fault?: Fault) {
    if (fault) fixture.service.inject(fault);
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    const { id } = fixture.newConversation();
    const open = () => openLocalFile(file);
    await fixture.uploads.add(
      id,
      confirmed({
        ...createUploadNameByExtension(name, new Set(['ts'])),
        opened: await open(),
        reopen: open,
      }),
    ).finished;
    const [document] = fixture.service.documents.values();
    const turn = fixture.chat.findConversation(id)?.turns[0] as DocumentTurn;
    return { turn, stored: document && (await s3.read(document.key)) };
  }

  for (const [name, size] of [
    ['report.pdf', 9_000_001],
    ['one.txt', 1],
    ['app.ts', 70_000],
    ['Übersicht 1+2 & 3.md', 1000],
  ] as const) {
    it(`accepts ${name} byte for byte in one request, with its type and without the key`, async () => {
      const bytes = randomBytes(size);
      const { turn, stored } = await upload(name, bytes);
      assert.deepEqual([turn.state, turn.failure], ['attached', undefined]);
      assert.ok(stored?.equals(bytes));
      assert.equal(turn.sha256, createHash('sha256').update(bytes).digest('hex'));
      const headers = s3.puts.at(-1);
      assert.equal(headers?.['content-length'], String(size));
      assert.equal(headers?.['transfer-encoding'], undefined);
      assert.equal(headers?.authorization, undefined);
    });
  }

  it('get one new URL when the first one has expired [fault 41]', async () => {
    const before = s3.puts.length;
    const bytes = randomBytes(100_000);
    const { turn, stored } = await upload('notes.txt', bytes, { name: 'url-expired' });
    assert.deepEqual([turn.state, s3.puts.length - before], ['attached', 2]);
    assert.ok(stored?.equals(bytes));
  });

  it('report the store’s error when the new URL has expired too', async () => {
    const { turn } = await upload('notes.txt', randomBytes(10), { name: 'url-expired', times: 2 });
    assert.deepEqual([turn.state, turn.failedAt, turn.failure?.status], ['failed', 'uploading', 403]);
    assert.match(turn.failure?.serviceMessage ?? '', /expired/i);
  });

  it('would be rejected with another type, another key, the API key or a chunked body', async () => {
    const put = (url: string, headers: Record<string, string>, body = 'text') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(url, { method: 'PUT', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        sent.write(body);
        sent.end();
      });
    const url = await s3.presign('tmp/a.txt', 'text/plain', false);
    const validHeaders = { 'Content-Type': 'text/plain', 'Content-Length': '4' };
    assert.equal(await put(url, { ...validHeaders, 'Content-Type': 'text/html' }), 403);
    assert.equal(await put(url.replace('a.txt', 'b.txt'), validHeaders), 403);
    assert.equal(await put(url, { ...validHeaders, Authorization: 'Bearer key' }), 400);
    assert.equal(await put(url, { 'Content-Type': 'text/plain' }), 501);
    assert.equal(await put(url, validHeaders), 200);
  });
});
