import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { platform } from '#platform';
import type { OpenedFile } from '../../../src/chat/documents/fileToUpload';
import { FileChangedError } from '../../../src/chat/model/failure';
import { readWorkspaceFile } from '../../../src/host/platform/readWorkspaceFile';

describe('openFile on Node', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-open-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (name: string) => platform.openFile(vscode.Uri.file(path.join(folder, name)));
  const read = async (file: OpenedFile) =>
    Buffer.from(await new Response(await file.body.open()).arrayBuffer());

  it('reads the file from the start each time', async () => {
    const bytes = randomBytes(700_001);
    await writeFile(path.join(folder, 'a.bin'), bytes);
    const file = await open('a.bin');
    assert.equal(file.body.size, bytes.length);
    assert.deepEqual(await read(file), bytes);
    assert.deepEqual(await read(file), bytes);
    assert.equal(await file.unchanged(), true);
    await file.close();
  });

  it('reads the opened file, even if the path becomes a link [attack: symlink]', async () => {
    await writeFile(path.join(folder, 'a'), 'approved');
    await writeFile(path.join(folder, 'b'), 'swapped!');
    const file = await open('a');
    await rm(path.join(folder, 'a'));
    await symlink(path.join(folder, 'b'), path.join(folder, 'a'));
    assert.equal((await read(file)).toString(), 'approved');
    await file.close();
  });

  it('reads no more than the size when opened, and detects that the file grew [fault 44]', async () => {
    await writeFile(path.join(folder, 'a'), 'twelve bytes');
    const file = await open('a');
    await appendFile(path.join(folder, 'a'), ' and more');
    assert.equal((await read(file)).toString(), 'twelve bytes');
    assert.equal(await file.unchanged(), false);
    await file.close();
  });

  it('fails if the file shrank [fault 44]', async () => {
    await writeFile(path.join(folder, 'a'), randomBytes(1_000_000));
    const file = await open('a');
    await truncate(path.join(folder, 'a'), 300_000);
    await assert.rejects(read(file), FileChangedError);
    await file.close();
  });

  it('refuses a folder and a named pipe, without waiting for the pipe’s writer [fault 45]', async () => {
    await assert.rejects(open('.'));
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [path.join(folder, 'pipe')]);
      await assert.rejects(open('pipe'));
    }
  });
});

describe('readWorkspaceFile over VS Code’s file systems', () => {
  let file: string;
  beforeEach(async () => {
    file = path.join(await mkdtemp(path.join(os.tmpdir(), 'parley-open-')), 'a.txt');
    await writeFile(file, 'approved');
  });
  afterEach(() => rm(path.dirname(file), { recursive: true, force: true }));
  const read = async (opened: OpenedFile) => new Response(await opened.body.open()).text();

  it('reads the file again for sending, instead of keeping it in memory', async () => {
    const opened = await readWorkspaceFile(vscode.Uri.file(file));
    assert.deepEqual([opened.body.size, new TextDecoder().decode(opened.head)], [8, 'approved']);
    assert.equal(await opened.sha256(), createHash('sha256').update('approved').digest('hex'));
    assert.deepEqual([await read(opened), await read(opened)], ['approved', 'approved']);
  });

  it('fails if the content has changed since it was inspected [attack: symlink]', async () => {
    const opened = await readWorkspaceFile(vscode.Uri.file(file));
    await writeFile(file, 'swapped!');
    await assert.rejects(read(opened), FileChangedError);
  });
});
