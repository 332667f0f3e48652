import assert from 'node:assert/strict';
import type { Storage } from '../../../../src/chat/store/files/storage';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found);

/** Tests that every storage must pass. `make` creates a storage for a folder that does not exist yet. */
export function describeStorage(make: () => Promise<Storage>): void {
  let storage: Storage;
  beforeEach(async () => {
    storage = await make();
  });
  const existing = { durable: true, create: false };

  it('is empty before its folder exists', async () => {
    assert.deepEqual([await storage.listFiles(), await storage.listNames()], [[], []]);
    assert.equal(await storage.readFile('a'), undefined);
    assert.equal(await storage.statFile('a'), undefined);
  });

  it('appends to a file and returns its new state', async () => {
    const first = await storage.appendFile('a', bytes('one'), { durable: true, create: true });
    const second = await storage.appendFile('a', bytes('\ntwo ☕'), existing);
    assert.deepEqual([first?.size, second?.size], [3, 11]);
    assert.equal(text(await storage.readFile('a')), 'one\ntwo ☕');
    assert.deepEqual(await storage.statFile('a'), second);
    assert.deepEqual(await storage.listFiles(), [second]);
  });

  it('does not recreate a missing file by appending to it', async () => {
    assert.equal(await storage.appendFile('a', bytes('x'), existing), undefined);
    assert.equal(await storage.statFile('a'), undefined);
  });

  it('reads part of a file, and less at its end', async () => {
    await storage.replaceFile('a', bytes('0123456789'));
    assert.equal(text(await storage.readFile('a', 3, 6)), '345');
    assert.equal(text(await storage.readFile('a', 8, 99)), '89');
    assert.equal(text(await storage.readFile('a', 20, 99)), '');
    assert.equal(text(await storage.readFile('a', 20)), '');
  });

  it('replaces a file without leaving temporary files', async () => {
    await storage.replaceFile('a', bytes('old and long'));
    await storage.replaceFile('a', bytes('new'));
    assert.equal(text(await storage.readFile('a')), 'new');
    assert.deepEqual(
      (await storage.listFiles()).map(({ name }) => name),
      ['a'],
    );
  });

  it('creates a file only once', async () => {
    const made = await Promise.all(['1', '2', '3', '4'].map((each) => storage.createFile('a', bytes(each))));
    assert.equal(made.filter(Boolean).length, 1);
    assert.equal(text(await storage.readFile('a')), String(made.indexOf(true) + 1));
  });

  it('renames, removes and touches files, and reports missing ones', async () => {
    await storage.replaceFile('a', bytes('x'));
    const before = await storage.statFile('a');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await storage.touchFile('a'), true);
    assert.ok(((await storage.statFile('a'))?.mtime ?? 0) > (before?.mtime ?? 0));
    assert.equal(await storage.renameFile('a', 'b'), true);
    assert.equal(await storage.renameFile('a', 'c'), false);
    assert.equal(await storage.touchFile('a'), false);
    assert.equal(await storage.removeFile('b'), true);
    assert.equal(await storage.removeFile('b'), false);
  });

  it('reports changes', async () => {
    const changed = new Set<string>();
    const watcher = storage.watch(
      (name) => changed.add(name),
      (error) => assert.fail(String(error)),
    );
    // The watcher may start late and miss earlier changes.
    for (let count = 0; !changed.has('a'); count++) {
      await storage.replaceFile('a', bytes(String(count)));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    watcher.dispose();
  });
}
