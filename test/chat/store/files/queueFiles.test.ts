import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { QueuedMessage } from '../../../../src/chat/model/queue';
import { Leases } from '../../../../src/chat/store/files/lease';
import { QueueFiles } from '../../../../src/chat/store/files/queueFiles';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';

const message: QueuedMessage = {
  id: 'm1',
  text: 'Why?',
  context: [{ id: 'a', kind: 'selection', name: 'a.ts:1', text: 'code' }],
  webSearch: true,
  documents: ['d1'],
  sending: true,
};

describe('QueueFiles', () => {
  let folder: string;
  let errors: unknown[];
  let files: QueueFiles;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-queue-'));
    errors = [];
    const storage = new NodeStorage(folder);
    files = new QueueFiles(storage, new Leases(storage, 'test'), (error) => errors.push(error));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('stores every property of a message, and has no file for an empty queue', async () => {
    await files.write('c', [message, { id: 'm2', text: 'And?', context: [] }]);
    assert.deepEqual(await files.read('c'), [message, { id: 'm2', text: 'And?', context: [] }]);
    await files.write('c', []);
    assert.deepEqual(await files.read('c'), []);
    assert.deepEqual(await readdir(folder), []);
  });

  it('reports a damaged file, reads it as empty, and replaces it', async () => {
    for (const content of ['', '{', '{}', '[{"id":""}]']) {
      await writeFile(path.join(folder, 'c.queue'), content);
      assert.deepEqual(await files.read('c'), [], content);
      assert.equal(errors.splice(0).length, 1, content);
    }
    await files.write('c', [message]);
    assert.deepEqual(await files.read('c'), [message]);
  });

  it('throws file system errors and leaves no files behind', async () => {
    await mkdir(path.join(folder, 'c.queue', 'in the way'), { recursive: true });
    await assert.rejects(files.write('c', [message]));
    await assert.rejects(files.read('c'));
    assert.deepEqual(await readdir(folder), ['c.queue']);
  });
});
