import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ConversationStore } from '../../../src/chat/store/store';
import { WebStorage } from '../../../src/host/platform/webStorage';
import { message } from '../../chat/store/support/folders';
import { describeStorage } from '../../chat/store/support/storageContract';
import { repeat } from '../../support/repetition';
import { SilentFileSystem } from '../support/silentFileSystem';

describe('WebStorage over VS Code’s file systems', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
    folders.push(folder);
    return path.join(folder, 'deep', 'conversations');
  }

  describeStorage(async () => new WebStorage(vscode.Uri.file(await newFolder())));

  it('always finds a file that is being replaced', async () => {
    const storage = new WebStorage(vscode.Uri.file(await newFolder()));
    const bytes = new TextEncoder().encode('whole');
    await storage.replaceFile('a', bytes);
    let replacing = true;
    const lengths: unknown[] = [];
    const reading = (async () => {
      while (replacing)
        lengths.push((await storage.statFile('a'))?.size, (await storage.readFile('a'))?.length);
    })();
    for (let round = 0; round < repeat(20, 100); round++) await storage.replaceFile('a', bytes);
    replacing = false;
    await reading;
    assert.deepEqual(new Set(lengths), new Set([bytes.length]));
  });

  it('finishes the replacement that a crashed window started, unless the file exists', async () => {
    const folder = await newFolder();
    const storage = new WebStorage(vscode.Uri.file(folder));
    await mkdir(folder, { recursive: true });
    const temporary = (name: string) => path.join(folder, `${name}.${crypto.randomUUID()}.tmp`);
    await writeFile(temporary('lost.jsonl'), 'all of it');
    await writeFile(temporary('here.jsonl'), 'newer than new');
    await writeFile(path.join(folder, 'here.jsonl'), 'old');
    const names = (await storage.listFiles()).map(({ name }) => name);
    assert.ok(names.includes('lost.jsonl') && names.includes('here.jsonl'));
    assert.equal(new TextDecoder().decode(await storage.readFile('lost.jsonl')), 'all of it');
    assert.equal(new TextDecoder().decode(await storage.readFile('here.jsonl')), 'old');
    assert.equal((await readdir(folder)).filter((name) => name.startsWith('lost')).length, 1);
  });

  it('opens a conversation whose file a reloaded window was replacing, before the folder is listed', async () => {
    const folder = await newFolder();
    const file = path.join(folder, 'c.jsonl');
    const openStore = () =>
      new ConversationStore(new WebStorage(vscode.Uri.file(folder)), 'a window', (error) => {
        assert.fail(String(error));
      });
    const before = openStore();
    before.createTranscript('c', 1);
    before.appendToTranscript('c', message('1', 'said before'));
    await before.flush('c');
    await before.dispose();
    await rename(file, `${file}.${crypto.randomUUID()}.tmp`);
    const after = openStore();
    const opened = await after.openTranscript('c');
    assert.ok(opened?.kind === 'conversation');
    assert.equal(opened.conversation.turns.length, 1);
    await after.dispose();
  });

  describe('in a file system that reports no changes', () => {
    const files = new SilentFileSystem();
    const folder = vscode.Uri.from({ scheme: 'parley-silent', path: '/conversations' });
    let registration: vscode.Disposable;
    before(() => {
      registration = vscode.workspace.registerFileSystemProvider('parley-silent', files);
    });
    after(() => registration.dispose());

    it('appends to a long file at the cost of what is appended', async () => {
      const storage = new WebStorage(folder);
      await storage.replaceFile('long.jsonl', new Uint8Array(5_000_000));
      await storage.appendFile('long.jsonl', new Uint8Array(100), { durable: true, create: false });
      const before = files.transferred;
      for (let round = 0; round < 10; round++) {
        await storage.appendFile('long.jsonl', new Uint8Array(100), { durable: true, create: false });
      }
      assert.ok(files.transferred - before < 20_000, `${files.transferred - before} bytes for 1000`);
      assert.equal(files.lengths['long.jsonl'], 5_000_000);
      assert.equal((await new WebStorage(folder).statFile('long.jsonl'))?.size, 5_001_100);
      assert.equal((await new WebStorage(folder).readFile('long.jsonl', 4_999_900))?.length, 1200);
      await storage.removeFile('long.jsonl');
      assert.deepEqual(files.lengths, {});
    });

    it('reports changes by other windows nevertheless', async () => {
      const [one, other] = [new WebStorage(folder), new WebStorage(folder)];
      const names: string[] = [];
      const fail = (error: unknown) => assert.fail(String(error));
      let notify = (): void => undefined;
      const watchers = [
        one.watch((name) => assert.fail(`${name} was changed here`), fail),
        other.watch((name) => {
          names.push(name);
          notify();
        }, fail),
      ];
      const next = async (change: Promise<unknown>, count = 1) => {
        const reported = new Promise<void>((resolve) => {
          notify = () => names.length >= count && resolve();
        });
        await Promise.all([change, reported]);
        return names.splice(0);
      };
      const bytes = new TextEncoder().encode('x');
      const foreign = new BroadcastChannel(`parley ${folder.toString()}`);
      for (const message of ['../x', 'a/b', '..', '', 7]) foreign.postMessage(message);
      foreign.close();
      assert.deepEqual(await next(one.appendFile('a', bytes, { durable: false, create: true })), ['a']);
      assert.deepEqual(await next(one.replaceFile('b', bytes)), ['b']);
      assert.deepEqual(await next(one.createFile('c', bytes)), ['c']);
      assert.deepEqual(await next(one.renameFile('c', 'd'), 2), ['c', 'd']);
      assert.deepEqual(await next(one.removeFile('d')), ['d']);
      for (const watcher of watchers) watcher.dispose();
    });
  });
});
