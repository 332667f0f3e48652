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
      statFile: (name) => super.statFile(name),
      readFile: async (name) => {
        const bytes = await super.readFile(name);
        this.transferred += bytes?.length ?? 0;
        return bytes;
      },
      writeFile: async (name, bytes, overwrite) => {
        this.transferred += bytes.length;
        if (!overwrite) return super.createFile(name, bytes);
        await super.replaceFile(name, bytes);
        return true;
      },
      renameFile: (from, to) => super.renameFile(from, to),
      removeFile: (name) => super.removeFile(name),
      runExclusively: (name, work) => {
        const mutex = mutexes.get(name) ?? new Mutex();
        mutexes.set(name, mutex);
        return mutex.run(work);
      },
    } satisfies WholeFiles;
    this.files = files;
    this.parts = new FileParts(files);
  }

  override async listFiles(): Promise<FileInfo[]> {
    const infos = await Promise.all((await this.listNames()).map((name) => this.statFile(name)));
    return infos.filter((info) => info !== undefined);
  }
  override async listNames(): Promise<string[]> {
    return this.parts.listNames(await super.listNames());
  }
  override statFile = (name: string) => this.parts.statFile(name);
  override readFile = (name: string, from?: number, to?: number) => this.parts.readFile(name, from, to);
  override appendFile = async (
    ...[name, bytes, { create }]: Parameters<Storage['appendFile']>
  ): Promise<FileInfo | undefined> => this.parts.appendFile(name, bytes, create);
  override renameFile = (from: string, to: string) => this.parts.renameFile(from, to);
  override removeFile = (name: string) => this.parts.removeFile(name);
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
      await storage.appendFile(name, encode(bytes), APPEND);
      if ((await readdir(folder)).filter((each) => each.startsWith(name)).length === partCount) return text;
    }
  }

  it('read any range of a file, in the window that wrote it and in others', async () => {
    const storage = createStorage();
    const text = await fill(storage, 'a.jsonl', 4);
    for (const reader of [storage, createStorage()]) {
      assert.equal((await reader.statFile('a.jsonl'))?.size, text.length);
      assert.equal(decode(await reader.readFile('a.jsonl')), text);
    }
    const reader = createStorage();
    for (let from = 0; from < text.length + 10_000; from += 9973) {
      for (const to of [from, from + 1, from + 40_000, text.length]) {
        assert.equal(
          decode(await reader.readFile('a.jsonl', from, to)),
          text.slice(from, to),
          `${from} to ${to}`,
        );
      }
      assert.equal(decode(await createStorage().readFile('a.jsonl', from)), text.slice(from), `from ${from}`);
    }
    assert.deepEqual(
      (await createStorage().listFiles()).map(({ name, size }) => [name, size]),
      [['a.jsonl', text.length]],
    );
  });

  it('append at a cost that does not grow with the file', async () => {
    const storage = createStorage();
    // The file of an older version: a single one.
    await writeFile(path.join(folder, 'a.jsonl'), 'x'.repeat(10 * 1024 * 1024));
    for (let round = 0; round < 200; round++) {
      const before = storage.transferred;
      await storage.appendFile('a.jsonl', encode(`line ${round}\n`.padEnd(1000, 'y')), APPEND);
      const cost = storage.transferred - before;
      assert.ok(cost <= 2 * (FULL_PART_BYTES + 1000), `append ${round} transferred ${cost} bytes`);
    }
    assert.equal((await createStorage().statFile('a.jsonl'))?.size, 10 * 1024 * 1024 + 200 * 1000);
  });

  it('lose nothing that windows without a common lock append in turn', async () => {
    const windows = [new PartedStorage(folder), new PartedStorage(folder), new PartedStorage(folder)];
    let expected = '';
    for (let round = 0; round < 60; round++) {
      const line = `${round} ${'x'.repeat(3000)}\n`;
      expected += line;
      await windows[round % 3]?.appendFile('a.jsonl', encode(line), APPEND);
    }
    for (const window of windows) assert.equal(decode(await window.readFile('a.jsonl')), expected);
  });

  it('lose nothing if the file system only learns of changes by other windows from reading', async () => {
    const [one, other] = [createStorage(), createStorage()];
    await one.appendFile('a.jsonl', encode('first\n'), APPEND);
    const stale = await other.files.statFile('a.jsonl');
    const text = `first\n${await fill(one, 'a.jsonl', 3)}`;
    const { statFile: stat } = other.files;
    other.files.statFile = async (name) => (name === 'a.jsonl' ? stale : stat(name));
    await other.appendFile('a.jsonl', encode('last\n'), APPEND);
    assert.equal(decode(await createStorage().readFile('a.jsonl')), `${text}last\n`);
  });

  it('keep all records that several windows with a common lock append at once', async () => {
    const windows = [createStorage(), createStorage()];
    const lines = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(3000)}`);
    await Promise.all(
      lines.map((line, index) => windows[index % 2]?.appendFile('a', encode(`${line}\n`), APPEND)),
    );
    const text = decode(await createStorage().readFile('a')) ?? '';
    assert.deepEqual(new Set(text.trimEnd().split('\n')), new Set(lines));
  });

  it('move and vanish together when the file is renamed and removed', async () => {
    const storage = createStorage();
    const text = await fill(storage, 'a.jsonl', 3);
    assert.equal(await createStorage().renameFile('a.jsonl', 'a.deleted'), true);
    assert.equal(await storage.statFile('a.jsonl'), undefined);
    assert.equal(await storage.readFile('a.jsonl'), undefined);
    const other = createStorage();
    assert.equal(decode(await other.readFile('a.deleted')), text);
    assert.equal((await other.listFiles()).length, 1);
    await other.removeFile('a.deleted');
    assert.deepEqual(await readdir(folder), []);
  });

  it('vanish together in a window that has not looked at the file', async () => {
    await fill(createStorage(), 'a.jsonl', 4);
    assert.equal(await createStorage().removeFile('a.jsonl'), true);
    assert.deepEqual(await readdir(folder), []);
  });

  it('are not those of a removed file when a file with its name is created', async () => {
    await fill(createStorage(), 'a.jsonl', 4);
    await rm(path.join(folder, 'a.jsonl'));
    const storage = createStorage();
    const first = 'y'.repeat(FULL_PART_BYTES);
    await storage.appendFile('a.jsonl', encode(first), APPEND);
    await storage.appendFile('a.jsonl', encode('last'), APPEND);
    assert.equal(decode(await createStorage().readFile('a.jsonl')), `${first}last`);
  });

  it('stay removed if another window appends during the removal', async () => {
    const [one, other] = [createStorage(), createStorage()];
    await fill(one, 'a.jsonl', 3);
    const { writeFile: write } = other.files;
    let removed: Promise<boolean> | undefined;
    let isAppended = false;
    other.files.writeFile = async (...file) => {
      removed = one.removeFile('a.jsonl').then((result) => {
        assert.ok(isAppended, 'removed while the other window appends');
        return result;
      });
      // What needs no lock is done by now.
      await one.files.statFile('a.jsonl');
      isAppended = true;
      return write(...file);
    };
    await other.appendFile('a.jsonl', encode('last\n'), { ...APPEND, create: false });
    await removed;
    assert.deepEqual(await readdir(folder), []);
  });

  it('are whole again after a crash in the middle of a rename that is undone', async () => {
    const text = await fill(createStorage(), 'a.jsonl', 4);
    await rename(path.join(folder, 'a.jsonl'), path.join(folder, 'a.deleted'));
    await rename(path.join(folder, 'a.jsonl.1'), path.join(folder, 'a.deleted.1'));
    assert.deepEqual(
      (await createStorage().listFiles()).map(({ name }) => name),
      ['a.deleted'],
    );
    const storage = createStorage();
    await storage.renameFile('a.deleted', 'a.jsonl');
    assert.equal(decode(await storage.readFile('a.jsonl')), text);
  });

  it('are removed when a crash in the middle of a removal left only some', async () => {
    const text = await fill(createStorage(), 'b.jsonl', 2);
    await fill(createStorage(), 'a.jsonl', 3);
    await rm(path.join(folder, 'a.jsonl'));
    assert.equal((await createStorage().listFiles()).length, 1);
    assert.deepEqual((await readdir(folder)).sort(), ['b.jsonl', 'b.jsonl.1']);
    assert.equal(decode(await createStorage().readFile('b.jsonl')), text);
  });

  it('hold a conversation that two windows follow, with its last turns first', async () => {
    const [one, other] = [createStorage(), createStorage()].map(
      (storage) => new ConversationStore(storage, 'window', (error) => assert.fail(String(error))),
    );
    assert.ok(one && other);
    one.createTranscript('c', 1);
    for (let turn = 0; turn < 100; turn++) one.appendToTranscript('c', message(`m${turn}`, 'x'.repeat(1000)));
    await one.flush('c');
    const opened = await other.openTranscript('c');
    assert.ok(opened?.kind === 'conversation' && !opened.whole);
    const texts: string[] = [];
    other.onStoreEvent((event) => {
      if (event.type !== 'records') return;
      for (const record of event.records) if (record.type === 'chunk') texts.push(record.text);
    });
    one.appendToTranscript('c', reply('r'));
    for (let part = 0; part < 20; part++) {
      one.appendToTranscript('c', chunk('r', `${part} ${'y'.repeat(4000)};`));
      await one.flush('c');
      await other.readChanges('c');
    }
    one.appendToTranscript('c', ended('r'));
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
    assert.equal((await after.listConversations()).conversations[0]?.turns, 101);
    await Promise.all([one, other, after].map((store) => store.dispose()));
    assert.ok((await readFile(path.join(folder, 'c.jsonl'), 'utf8')).startsWith('\n{"parley"'));
  });
});
