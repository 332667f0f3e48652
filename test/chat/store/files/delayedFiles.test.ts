import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { DelayedFiles } from '../../../../src/chat/store/files/delayedFiles';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';

/** A disk that is full until it isn't. */
class FullStorage extends NodeStorage {
  isFull = true;

  override async replaceFile(name: string, bytes: Uint8Array): Promise<void> {
    if (this.isFull) throw new Error('Full');
    await super.replaceFile(name, bytes);
  }
}

describe('DelayedFiles on a full disk', () => {
  let folder: string;
  let storage: FullStorage;
  let errors: string[];
  let saved: string[];
  let files: DelayedFiles;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-delayed-'));
    storage = new FullStorage(folder);
    errors = [];
    mock.timers.enable({ apis: ['setTimeout'] });
    saved = [];
    files = new DelayedFiles(storage, '.draft', (error) => errors.push(String(error)), {
      onSaved: (_, text) => saved.push(text),
    });
  });
  afterEach(async () => {
    mock.timers.reset();
    await rm(folder, { recursive: true });
  });

  it('keep the text, report the failure, and save it by themselves once there is room', async () => {
    files.set('c', 'typed');
    await files.flush();
    assert.deepEqual([errors, await files.get('c'), saved], [['Error: Full'], 'typed', []]);
    storage.isFull = false;
    mock.timers.tick(5000);
    while ((await readdir(folder)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    await files.dispose();
    assert.deepEqual(saved, ['typed']);
    assert.equal(await new DelayedFiles(storage, '.draft', () => undefined).get('c'), 'typed');
  });

  it('store a text again although another window changed it before this one removed it', async () => {
    storage.isFull = false;
    files.set('c', 'typed');
    await files.flush();
    const other = new DelayedFiles(storage, '.draft', assert.ifError);
    other.set('c', 'theirs');
    await other.flush();
    files.replaceOwn('c', '');
    await files.flush();
    assert.equal(await other.get('c'), 'theirs');
    files.set('c', 'typed');
    await files.dispose();
    assert.equal(await other.get('c'), 'typed');
    await other.dispose();
  });

  it('try nothing again once they are disposed', async () => {
    files.set('c', 'typed');
    await files.dispose();
    storage.isFull = false;
    mock.timers.tick(60_000);
    await files.get('c');
    assert.deepEqual([errors.length, await readdir(folder)], [2, []]);
  });

  it('save the text when they are disposed although the disk refuses it once', async () => {
    files = new DelayedFiles(storage, '.draft', (error) => {
      errors.push(String(error));
      storage.isFull = false;
    });
    files.set('c', 'typed');
    await files.dispose();
    assert.deepEqual(errors, ['Error: Full']);
    assert.equal(await new DelayedFiles(storage, '.draft', () => assert.fail()).get('c'), 'typed');
  });
});
