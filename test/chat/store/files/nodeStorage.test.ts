import assert from 'node:assert/strict';
import { type FSWatcher, watch } from 'node:fs';
import { chmod, type FileHandle, mkdir, mkdtemp, open, rm, stat, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { AppendError } from '../../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
import { describeCrashes } from '../support/crashes';
import { endCalls, interceptFileSystem, runWithGate } from '../support/nodeSteps';
import { describeStorage } from '../support/storageContract';

describe('NodeStorage', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  describeStorage(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
    folders.push(folder);
    return new NodeStorage(path.join(folder, 'deep', 'conversations'));
  });

  describe('in two windows of which each step of the file system can fail or be the last', () => {
    beforeEach(interceptFileSystem);
    afterEach(() => mock.restoreAll());

    describeCrashes(async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
      folders.push(folder);
      return {
        open: (gate) => ({
          storage: new NodeStorage(folder),
          run: (work) => runWithGate(gate, work),
          end: () => endCalls(gate),
        }),
        close: async () => undefined,
      };
    }, 60);
  });

  describe('on a disk', () => {
    let folder: string;
    let storage: NodeStorage;
    /** What all file handles inherit from. */
    let handles: FileHandle;

    beforeEach(async () => {
      const parent = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
      folders.push(parent);
      folder = path.join(parent, 'conversations');
      storage = new NodeStorage(folder);
      const handle = await open(parent, 'r');
      handles = Object.getPrototypeOf(handle);
      await handle.close();
    });
    afterEach(() => mock.restoreAll());

    const bytes = new TextEncoder().encode('12345');
    const create = { durable: true, create: true };
    const readText = async (name: string) => new TextDecoder().decode(await storage.readFile(name));
    const full = Object.assign(new Error('The disk is full'), { code: 'ENOSPC' });
    /** Makes each write accept at most two bytes, and none after `room` bytes. */
    const limitWrites = (room: number) => {
      const { write } = handles;
      mock.method(handles, 'write', async function (this: FileHandle, data: Uint8Array, offset: number) {
        if (room === 0) throw full;
        const length = Math.min(2, data.length - offset, room);
        room -= length;
        return Reflect.apply(write, this, [data, offset, length]);
      });
    };

    it('appends all bytes when each write accepts only some', async () => {
      limitWrites(Number.POSITIVE_INFINITY);
      assert.equal((await storage.appendFile('a', bytes, create))?.size, 5);
      assert.equal(await readText('a'), '12345');
    });

    it('reports how many bytes were written before the disk was full', async () => {
      limitWrites(3);
      await assert.rejects(storage.appendFile('a', bytes, create), (error) => {
        assert.ok(error instanceof AppendError);
        assert.deepEqual([error.written, error.cause], [3, full]);
        return true;
      });
      assert.equal(await readText('a'), '123');
    });

    it('fails instead of trying forever when a write accepts nothing', async () => {
      let writes = 0;
      mock.method(handles, 'write', async () => {
        if (++writes > 1) throw full;
        return { bytesWritten: 0 };
      });
      await assert.rejects(storage.appendFile('a', bytes, create), AppendError);
      assert.equal(writes, 1);
    });

    it('flushes a durable append, and the folder of a new file', async function () {
      if (process.platform === 'win32') this.skip();
      const flushed: string[] = [];
      mock.method(handles, 'sync', async () => flushed.push('folder'));
      mock.method(handles, 'datasync', async () => flushed.push('file'));
      await storage.appendFile('a', bytes, { durable: false, create: true });
      await storage.appendFile('a', bytes, { durable: true, create: false });
      assert.deepEqual(flushed.splice(0), ['file']);
      await storage.appendFile('b', bytes, create);
      assert.deepEqual(flushed.splice(0), ['file', 'folder']);
      await storage.appendFile('c', bytes, { durable: false, create: true });
      assert.deepEqual(flushed, []);
    });

    it('leaves no partial file, and keeps the old one, when the disk is full', async () => {
      await storage.replaceFile('a', bytes);
      const { writeFile } = handles;
      mock.method(handles, 'writeFile', async function (this: FileHandle) {
        await writeFile.call(this, '12');
        throw full;
      });
      await assert.rejects(storage.createFile('b', bytes), full);
      await assert.rejects(storage.replaceFile('a', new Uint8Array()), full);
      assert.deepEqual(await storage.listNames(), ['a']);
      assert.equal(await readText('a'), '12345');
    });

    it('leaves no temporary file when it can’t replace a file', async () => {
      await mkdir(path.join(folder, 'a'), { recursive: true });
      await assert.rejects(storage.replaceFile('a', bytes));
      assert.deepEqual(await storage.listNames(), ['a']);
    });

    it('throws errors other than that a file is missing', async () => {
      const name = 'a\0b';
      const isRefused = { code: 'ERR_INVALID_ARG_VALUE' };
      for (const operate of [
        ...[
          () => storage.statFile(name),
          () => storage.readFile(name),
          () => storage.createFile(name, bytes),
        ],
        ...[() => storage.replaceFile(name, bytes), () => storage.touchFile(name)],
        ...[() => storage.renameFile(name, 'c'), () => storage.removeFile(name)],
      ])
        await assert.rejects(operate(), isRefused);
      await assert.rejects(storage.appendFile(name, bytes, { durable: true, create: false }), {
        name: 'AppendError',
        written: 0,
      });
    });

    it('creates no folder when it appends to an existing file only', async () => {
      assert.equal(await storage.appendFile('a', bytes, { durable: true, create: false }), undefined);
      await assert.rejects(stat(folder), { code: 'ENOENT' });
    });

    it('reads a file that arrives in several pieces', async () => {
      await storage.replaceFile('a', bytes);
      const { read } = handles;
      mock.method(
        handles,
        'read',
        function (this: FileHandle, ...args: [Uint8Array, number, number, number]) {
          const [data, offset, length, from] = args;
          return Reflect.apply(read, this, [data, offset, Math.min(2, length), from]);
        },
      );
      assert.equal(await readText('a'), '12345');
    });

    it('asks for the size only before it reads more than 1 MB', async () => {
      await storage.replaceFile('a', bytes);
      const { mock: stats } = mock.method(handles, 'stat');
      const size = 1024 * 1024;
      for (const from of [0, 5 * size]) await storage.readFile('a', from, from + size);
      assert.equal(stats.callCount(), 0);
      assert.equal((await storage.readFile('a', 0, size + 1))?.length, 5);
      assert.equal(stats.callCount(), 1);
    });

    it('lists no file that is removed in the meantime', async function () {
      if (process.platform === 'win32') this.skip();
      await storage.replaceFile('a', bytes);
      // Has a name in the folder, but no file.
      await symlink(path.join(folder, 'nowhere'), path.join(folder, 'b'));
      assert.deepEqual(
        (await storage.listFiles()).map(({ name }) => name),
        ['a'],
      );
    });

    it('closes every file', async function () {
      // Elsewhere a new file doesn't get the lowest free number.
      if (process.platform === 'win32') this.skip();
      // The disk is slow, and not what is tested.
      for (const name of ['sync', 'datasync'] as const) mock.method(handles, name, async () => undefined);
      const useFiles = async (name: string) => {
        await storage.appendFile(name, bytes, create);
        await storage.readFile(name);
        await storage.createFile(`${name}.lock`, bytes);
      };
      // The second one is behind what is open, even if the first one fills a gap.
      const getNumber = async () => {
        const free = await Promise.all([1, 2].map(() => open(path.dirname(folder), 'r')));
        const numbers = free.map(({ fd }) => fd);
        await Promise.all(free.map((handle) => handle.close()));
        return Math.max(...numbers);
      };
      const before = await getNumber();
      for (let count = 0; count < 4; count++) await useFiles(`${count}`);
      // Each kind of file would be open four times.
      assert.ok((await getNumber()) < before + 4);
    });

    it('stops reporting changes once it is disposed', async () => {
      const fail = (error: unknown) => assert.fail(String(error));
      const counts = [0, 0];
      const [first, second] = counts.map((_, index) =>
        storage.watch(() => {
          counts[index] = (counts[index] ?? 0) + 1;
        }, fail),
      );
      // The watchers may start late and miss earlier changes.
      const changeUntil = async (isDone: () => boolean) => {
        while (!isDone()) await storage.replaceFile('a', bytes);
      };
      await changeUntil(() => counts.every((count) => count > 0));
      first?.dispose();
      counts.fill(0);
      await changeUntil(() => counts[1] !== 0);
      second?.dispose();
      assert.equal(counts[0], 0);
    });

    it('reports that it can no longer watch', async () => {
      await storage.replaceFile('a', bytes);
      const other = watch(folder);
      other.close();
      const started = new Promise<FSWatcher>((resolve) => {
        const { on } = other;
        mock.method(
          Object.getPrototypeOf(other),
          'on',
          function (this: FSWatcher, ...args: Parameters<typeof on>) {
            resolve(this);
            return Reflect.apply(on, this, args);
          },
        );
      });
      const errors: unknown[] = [];
      const watcher = storage.watch(
        () => undefined,
        (error) => errors.push(error),
      );
      (await started).emit('error', full);
      watcher.dispose();
      assert.deepEqual(errors, [full]);
    });

    it('reports that it can’t watch', async () => {
      await storage.replaceFile('a', bytes);
      const failed = new Promise((resolve) => {
        new NodeStorage(path.join(folder, 'a')).watch(() => undefined, resolve);
      });
      assert.ok((await failed) instanceof Error);
    });
  });

  describe('on a machine with other users', () => {
    before(function () {
      if (process.platform === 'win32') this.skip();
    });
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

    it('creates files that no other user can read [attack: other accounts]', async () => {
      const umask = process.umask(0);
      try {
        const folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'parley-storage-')), 'conversations');
        folders.push(path.dirname(folder));
        const storage = new NodeStorage(folder);
        const bytes = new TextEncoder().encode('x');
        await storage.appendFile('appended', bytes, { durable: true, create: true });
        await storage.replaceFile('replaced', bytes);
        await storage.replaceFile('appended', bytes);
        await storage.createFile('created', bytes);
        for (const name of ['appended', 'replaced', 'created']) {
          assert.equal(await modeOf(path.join(folder, name)), '600', name);
        }
        assert.equal(await modeOf(folder), '700');
      } finally {
        process.umask(umask);
      }
    });

    it('is watched, and keeps its permissions, if they can’t be changed', async function () {
      // A folder that not even root can change.
      const folder = '/proc/self';
      if (process.platform !== 'linux') this.skip();
      const errors: unknown[] = [];
      const watcher = new NodeStorage(folder).watch(
        () => undefined,
        (error) => errors.push(error),
      );
      await watcher.started;
      watcher.dispose();
      assert.deepEqual(errors, []);
    });

    it('restricts the permissions of a folder created by an older version [attack: other accounts]', async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
      folders.push(folder);
      await chmod(folder, 0o755);
      const storage = new NodeStorage(folder);
      await storage.replaceFile('new', new Uint8Array());
      assert.equal(await modeOf(folder), '700');
      // Whoever changes it now does so on purpose.
      await chmod(folder, 0o755);
      await storage.replaceFile('new', new Uint8Array());
      assert.equal(await modeOf(folder), '755');
    });
  });
});
