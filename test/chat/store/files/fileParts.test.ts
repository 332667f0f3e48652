import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Mutex } from '../../../../src/chat/base/mutex';
import {
  FileParts,
  FULL_PART_BYTES,
  parsePartName,
  type WholeFiles,
} from '../../../../src/chat/store/files/fileParts';
import type { FileInfo, Storage } from '../../../../src/chat/store/files/storage';
import { ConversationStore } from '../../../../src/chat/store/store';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
import { chunk, ended, message, readAllTurns, reply } from '../support/folders';
import { describeStorage } from '../support/storageContract';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const APPEND = { durable: true, create: true };

/** A storage that can only write whole files, with the bytes it reads and writes, as VS Code's file systems. */
class PartedStorage extends NodeStorage implements Storage {
  readonly parts: FileParts;
  readonly files: WholeFiles;
  transferred = 0;

  constructor(folder: string, mutexes = new Map<string, Mutex>()) {
    super(folder);
    const files = {
      stat: (name) => super.stat(name),
      read: async (name) => {
        const bytes = await super.read(name);
        this.transferred += bytes?.length ?? 0;
        return bytes;
      },
      write: async (name, bytes, overwrite) => {
        this.transferred += bytes.length;
        if (!overwrite) return super.create(name, bytes);
        await super.replace(name, bytes);
        return true;
      },
      rename: (from, to) => super.rename(from, to),
      remove: (name) => super.remove(name),
      runExclusively: (name, work) => {
        const mutex = mutexes.get(name) ?? new Mutex();
        mutexes.set(name, mutex);
        return mutex.run(work);
      },
    } satisfies WholeFiles;
    this.files = files;
    this.parts = new FileParts(files);
  }

  override async list(): Promise<FileInfo[]> {
    const infos = await Promise.all((await this.listNames()).map((name) => this.stat(name)));
    return infos.filter((info) => info !== undefined);
  }
  override async listNames(): Promise<string[]> {
    return this.parts.listNames(await super.listNames());
  }
  override stat = (name: string) => this.parts.stat(name);
  override read = (name: string, from?: number, to?: number) => this.parts.read(name, from, to);
  override append = async (
    ...[name, bytes, { create }]: Parameters<Storage['append']>
  ): Promise<FileInfo | undefined> => this.parts.append(name, bytes, create);
  override rename = (from: string, to: string) => this.parts.rename(from, to);
  override remove = (name: string) => this.parts.remove(name);
  override watch: Storage['watch'] = (onChange, onError) =>
    super.watch((name) => onChange(parsePartName(name).name), onError);
}

describe('FileParts', () => {
  let folder: string;
  const mutexes = new Map<string, Mutex>();
  const createStorage = () => new PartedStorage(folder, mutexes);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-parts-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  describeStorage(async () => new PartedStorage(path.join(folder, 'deep', 'conversations')));

  /** Appends numbered lines until the file has this many parts; returns the whole text. */
  async function fill(storage: PartedStorage, name: string, partCount: number): Promise<string> {
    let text = '';
    for (let line = 0; ; line++) {
      const bytes = `${line} ${'x'.repeat(5000)}\n`;
      text += bytes;
      await storage.append(name, encode(bytes), APPEND);
      if ((await readdir(folder)).filter((each) => each.startsWith(name)).length === partCount) return text;
    }
  }

  it('read any range of a file, in the window that wrote it and in others', async () => {
    const storage = createStorage();
    const text = await fill(storage, 'a.jsonl', 4);
    for (const reader of [storage, createStorage()]) {
      assert.equal((await reader.stat('a.jsonl'))?.size, text.length);
      assert.equal(decode(await reader.read('a.jsonl')), text);
    }
    const reader = createStorage();
    for (let from = 0; from < text.length + 10_000; from += 9973) {
      for (const to of [from, from + 1, from + 40_000, text.length]) {
        assert.equal(
          decode(await reader.read('a.jsonl', from, to)),
          text.slice(from, to),
          `${from} to ${to}`,
        );
      }
      assert.equal(decode(await createStorage().read('a.jsonl', from)), text.slice(from), `from ${from}`);
    }
    assert.deepEqual(
      (await createStorage().list()).map(({ name, size }) => [name, size]),
      [['a.jsonl', text.length]],
    );
  });

  it('append at a cost that does not grow with the file', async () => {
    const storage = createStorage();
    // The file of an older version: a single one.
    await writeFile(path.join(folder, 'a.jsonl'), 'x'.repeat(10 * 1024 * 1024));
    for (let round = 0; round < 200; round++) {
      const before = storage.transferred;
      await storage.append('a.jsonl', encode(`line ${round}\n`.padEnd(1000, 'y')), APPEND);
      const cost = storage.transferred - before;
      assert.ok(cost <= 2 * (FULL_PART_BYTES + 1000), `append ${round} transferred ${cost} bytes`);
    }
    assert.equal((await createStorage().stat('a.jsonl'))?.size, 10 * 1024 * 1024 + 200 * 1000);
  });

  it('lose nothing that windows without a common lock append in turn', async () => {
    const windows = [new PartedStorage(folder), new PartedStorage(folder), new PartedStorage(folder)];
    let expected = '';
    for (let round = 0; round < 60; round++) {
      const line = `${round} ${'x'.repeat(3000)}\n`;
      expected += line;
      await windows[round % 3]?.append('a.jsonl', encode(line), APPEND);
    }
    for (const window of windows) assert.equal(decode(await window.read('a.jsonl')), expected);
  });

  it('lose nothing if the file system only learns of changes by other windows from reading', async () => {
    const [one, other] = [createStorage(), createStorage()];
    await one.append('a.jsonl', encode('first\n'), APPEND);
    const stale = await other.files.stat('a.jsonl');
    const text = `first\n${await fill(one, 'a.jsonl', 3)}`;
    const { stat } = other.files;
    other.files.stat = async (name) => (name === 'a.jsonl' ? stale : stat(name));
    await other.append('a.jsonl', encode('last\n'), APPEND);
    assert.equal(decode(await createStorage().read('a.jsonl')), `${text}last\n`);
  });

  it('keep all records that several windows with a common lock append at once', async () => {
    const windows = [createStorage(), createStorage()];
    const lines = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(3000)}`);
    await Promise.all(
      lines.map((line, index) => windows[index % 2]?.append('a', encode(`${line}\n`), APPEND)),
    );
    const text = decode(await createStorage().read('a')) ?? '';
    assert.deepEqual(new Set(text.trimEnd().split('\n')), new Set(lines));
  });

  it('move and vanish together when the file is renamed and removed', async () => {
    const storage = createStorage();
    const text = await fill(storage, 'a.jsonl', 3);
    assert.equal(await createStorage().rename('a.jsonl', 'a.deleted'), true);
    assert.equal(await storage.stat('a.jsonl'), undefined);
    assert.equal(await storage.read('a.jsonl'), undefined);
    const other = createStorage();
    assert.equal(decode(await other.read('a.deleted')), text);
    assert.equal((await other.list()).length, 1);
    await other.remove('a.deleted');
    assert.deepEqual(await readdir(folder), []);
  });

  it('vanish together in a window that has not looked at the file', async () => {
    await fill(createStorage(), 'a.jsonl', 4);
    assert.equal(await createStorage().remove('a.jsonl'), true);
    assert.deepEqual(await readdir(folder), []);
  });

  it('are not those of a removed file when a file with its name is created', async () => {
    await fill(createStorage(), 'a.jsonl', 4);
    await rm(path.join(folder, 'a.jsonl'));
    const storage = createStorage();
    const first = 'y'.repeat(FULL_PART_BYTES);
    await storage.append('a.jsonl', encode(first), APPEND);
    await storage.append('a.jsonl', encode('last'), APPEND);
    assert.equal(decode(await createStorage().read('a.jsonl')), `${first}last`);
  });

  it('stay removed if another window appends during the removal', async () => {
    const [one, other] = [createStorage(), createStorage()];
    await fill(one, 'a.jsonl', 3);
    const { write } = other.files;
    let removed: Promise<boolean> | undefined;
    let isAppended = false;
    other.files.write = async (...file) => {
      removed = one.remove('a.jsonl').then((result) => {
        assert.ok(isAppended, 'removed while the other window appends');
        return result;
      });
      // What needs no lock is done by now.
      await one.files.stat('a.jsonl');
      isAppended = true;
      return write(...file);
    };
    await other.append('a.jsonl', encode('last\n'), { ...APPEND, create: false });
    await removed;
    assert.deepEqual(await readdir(folder), []);
  });

  it('are whole again after a crash in the middle of a rename that is undone', async () => {
    const text = await fill(createStorage(), 'a.jsonl', 4);
    await rename(path.join(folder, 'a.jsonl'), path.join(folder, 'a.deleted'));
    await rename(path.join(folder, 'a.jsonl.1'), path.join(folder, 'a.deleted.1'));
    assert.deepEqual(
      (await createStorage().list()).map(({ name }) => name),
      ['a.deleted'],
    );
    const storage = createStorage();
    await storage.rename('a.deleted', 'a.jsonl');
    assert.equal(decode(await storage.read('a.jsonl')), text);
  });

  it('are removed when a crash in the middle of a removal left only some', async () => {
    const text = await fill(createStorage(), 'b.jsonl', 2);
    await fill(createStorage(), 'a.jsonl', 3);
    await rm(path.join(folder, 'a.jsonl'));
    assert.equal((await createStorage().list()).length, 1);
    assert.deepEqual((await readdir(folder)).sort(), ['b.jsonl', 'b.jsonl.1']);
    assert.equal(decode(await createStorage().read('b.jsonl')), text);
  });

  it('hold a conversation that two windows follow, with its last turns first', async () => {
    const [one, other] = [createStorage(), createStorage()].map(
      (storage) => new ConversationStore(storage, 'window', (error) => assert.fail(String(error))),
    );
    assert.ok(one && other);
    one.create('c', 1);
    for (let turn = 0; turn < 100; turn++) one.append('c', message(`m${turn}`, 'x'.repeat(1000)));
    await one.flush('c');
    const opened = await other.open('c');
    assert.ok(opened?.kind === 'conversation' && !opened.whole);
    const texts: string[] = [];
    other.onEvent((event) => {
      if (event.type !== 'records') return;
      for (const record of event.records) if (record.type === 'chunk') texts.push(record.text);
    });
    one.append('c', reply('r'));
    for (let part = 0; part < 20; part++) {
      one.append('c', chunk('r', `${part} ${'y'.repeat(4000)};`));
      await one.flush('c');
      await other.readChanges('c');
    }
    one.append('c', ended('r'));
    await one.flush('c');
    assert.deepEqual(
      texts.join('').match(/\d+ /g),
      Array.from({ length: 20 }, (_, part) => `${part} `),
    );
    const [after] = [createStorage()].map(
      (storage) => new ConversationStore(storage, 'later', () => undefined),
    );
    assert.ok(after);
    assert.equal((await readAllTurns(after, 'c')).length, 101);
    assert.equal((await after.list()).conversations[0]?.turns, 101);
    await Promise.all([one, other, after].map((store) => store.dispose()));
    assert.ok((await readFile(path.join(folder, 'c.jsonl'), 'utf8')).startsWith('{"parley"'));
  });
});
