import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { QueuedMessage } from '../../../../src/chat/model/queuedMessage';
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

const decoder = new TextDecoder();

describe('QueueFiles', () => {
  let folder: string;
  let errors: unknown[];
  let files: QueueFiles;
  let damaged: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-queue-'));
    errors = [];
    const storage = new NodeStorage(folder);
    damaged = [];
    files = new QueueFiles(
      storage,
      new Leases(storage, 'test'),
      (error) => errors.push(error),
      (id) => damaged.push(id),
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('stores every property of a message, and has no file for an empty queue', async () => {
    await files.write('c', [message, { id: 'm2', text: 'And?', context: [] }]);
    assert.deepEqual(await files.read('c'), [message, { id: 'm2', text: 'And?', context: [] }]);
    await files.write('c', []);
    assert.deepEqual(await files.read('c'), []);
    assert.deepEqual(await readdir(folder), []);
  });

  it('knows what was stored although the disk reported a failure', async () => {
    class UnansweringStorage extends NodeStorage {
      override async replaceFile(name: string, bytes: Uint8Array) {
        if (decoder.decode(bytes).includes('Why?')) await super.replaceFile(name, bytes);
        throw new Error('no answer');
      }
    }
    const storage = new UnansweringStorage(folder);
    files = new QueueFiles(storage, new Leases(storage, 'test'), assert.ifError, assert.fail);
    await files.write('c', [message]);
    assert.deepEqual(await files.read('c'), [message]);
    await assert.rejects(files.write('c', [{ ...message, text: 'How?' }]), /no answer/);
    assert.deepEqual(await files.read('c'), [message]);
  });

  it('reports a damaged file, reads it as empty, and replaces it, but keeps a copy', async () => {
    const contents = ['', '{', '{}', 'null', '"text"'];
    for (const [index, content] of contents.entries()) {
      await writeFile(path.join(folder, 'c.queue'), content);
      assert.deepEqual(await files.read('c'), [], content);
      assert.deepEqual(await files.read('c'), [], content);
      const copy = index === 0 ? 'c.queue.damaged' : `c.queue.damaged-${index + 1}`;
      assert.deepEqual(
        errors.splice(0).map(String),
        Array.from({ length: 2 }, () => `Error: c.queue can't be read, and is kept as ${copy}`),
      );
      assert.equal(await readFile(path.join(folder, copy), 'utf8'), content);
      assert.deepEqual(damaged.splice(0), ['c', 'c']);
    }
    await files.write('c', [message]);
    assert.deepEqual(await files.read('c'), [message]);
    assert.deepEqual((await readdir(folder)).length, contents.length + 1);
    await files.remove('c');
    assert.deepEqual(await readdir(folder), []);
  });

  it('keeps messages and properties that this version doesn’t know', async () => {
    const other = { id: 'm2', text: 'And?', context: [] };
    const unknown = [{ id: '' }, 'text', { ...message, id: 'm3', context: [{ kind: 'later' }] }];
    const extended = { ...message, later: 1, context: [{ ...message.context[0], later: 2 }] };
    const write = (...items: unknown[]) => writeFile(path.join(folder, 'c.queue'), JSON.stringify(items));
    const getItems = async () => JSON.parse(await readFile(path.join(folder, 'c.queue'), 'utf8'));
    await write(unknown[0], extended, unknown[1], other, unknown[2]);
    const read = await files.read('c');
    assert.deepEqual(read, [extended, other]);
    await files.write('c', read);
    assert.deepEqual(await getItems(), [unknown[0], extended, unknown[1], other, unknown[2]]);
    await files.write('c', []);
    assert.deepEqual(await getItems(), unknown);
    await files.remove('c');
    assert.deepEqual([await readdir(folder), errors, damaged], [[], [], []]);
  });

  it('throws file system errors and leaves no files behind', async () => {
    await mkdir(path.join(folder, 'c.queue', 'in the way'), { recursive: true });
    await assert.rejects(files.write('c', [message]));
    await assert.rejects(files.read('c'));
    assert.deepEqual(await readdir(folder), ['c.queue']);
  });
});
