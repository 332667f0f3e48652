import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WebStorage } from '../../../src/host/platform/webStorage';
import { describeStorage } from '../../chat/store/support/storageContract';
import { repeat } from '../../support/repetition';

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
    await storage.replace('a', bytes);
    let replacing = true;
    const lengths: unknown[] = [];
    const reading = (async () => {
      while (replacing) lengths.push((await storage.stat('a'))?.size, (await storage.read('a'))?.length);
    })();
    for (let round = 0; round < repeat(20, 100); round++) await storage.replace('a', bytes);
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
    const names = (await storage.list()).map(({ name }) => name);
    assert.ok(names.includes('lost.jsonl') && names.includes('here.jsonl'));
    assert.equal(new TextDecoder().decode(await storage.read('lost.jsonl')), 'all of it');
    assert.equal(new TextDecoder().decode(await storage.read('here.jsonl')), 'old');
    assert.equal((await readdir(folder)).filter((name) => name.startsWith('lost')).length, 1);
  });
});
