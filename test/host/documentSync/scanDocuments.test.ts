import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  MAX_DOCUMENTS,
  ScanCanceledError,
  scanDocuments,
} from '../../../src/host/documentSync/scanDocuments';
import { writeFiles } from '../../support/writeFiles';

describe('A scan for documents', () => {
  let root: string;
  let folder: vscode.WorkspaceFolder;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'parley-scan-'));
    folder = { uri: vscode.Uri.file(root), name: 'scanned', index: 0 };
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files);
  const scan = (files: readonly string[], signal = new AbortController().signal) =>
    scanDocuments(folder, [{ files }], signal);
  const find = async (...files: string[]) => (await scan(files)).files.map((file) => file.path);

  it('finds what the globs match, without what they leave out, with sizes and times', async () => {
    await write({
      'a.md': 'a',
      'docs/b.md': 'bb',
      'docs/drafts/c.md': 'c',
      'docs/d.png': 'd',
      'e/f.md': 'f',
    });
    assert.deepEqual(await find('*.md', 'docs/**/*.md', '!docs/drafts/**'), ['a.md', 'docs/b.md']);
    const [, b] = (await scan(['**/*.md'])).files;
    assert.deepEqual([b?.path, b?.size, (b?.mtime ?? 0) > 0], ['docs/b.md', 2, true]);
  });

  it('never finds bot tests, which say what the bot should answer', async () => {
    await write({ 'a.md': 'a', 'docs/b.bot-test.md': '# Question' });
    assert.deepEqual(await find('**/*.md'), ['a.md']);
  });

  it('leaves out what Git ignores, secrets, and empty files, and says how many', async () => {
    await write({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'build/\nlocal.md\n',
      'a.md': 'a',
      'local.md': 'x',
      'build/b.md': 'b',
      'empty.md': '',
      '.env': 'KEY=1',
      'docs/id_rsa': 'x',
    });
    const { files, leftOut } = await scan(['**']);
    assert.deepEqual(
      files.map((file) => file.path),
      ['.gitignore', 'a.md'],
    );
    assert.deepEqual(leftOut, { ignored: 2, secrets: 2, links: 0, sizes: 1 });
  });

  it('follows no links, neither of files nor of folders, also if a glob begins with one [attack: documents]', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'parley-outside-'));
    try {
      await writeFile(path.join(outside, 'secret.md'), 'secret');
      await write({ 'docs/a.md': 'a' });
      await symlink(outside, path.join(root, 'out'));
      await symlink(path.join(outside, 'secret.md'), path.join(root, 'docs', 'link.md'));
      await symlink(path.join(root, 'docs'), path.join(root, 'inside'));
      assert.deepEqual(await find('**/*.md', 'out/*.md', 'out/secret.md', 'inside/**'), ['docs/a.md']);
      assert.deepEqual(await find('out/secret.md'), []);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('looks only into the folders that the globs begin with', async () => {
    await write({ 'docs/a.md': 'a', 'other/b.md': 'b' });
    const read: string[] = [];
    const { readDirectory } = vscode.workspace.fs;
    const recording = async (uri: vscode.Uri) => {
      read.push(path.relative(root, uri.fsPath));
      return readDirectory(uri);
    };
    const fs = {
      ...vscode.workspace.fs,
      readDirectory: recording,
      stat: vscode.workspace.fs.stat,
      readFile: vscode.workspace.fs.readFile,
    };
    const before = Object.getOwnPropertyDescriptor(vscode.workspace, 'fs');
    Object.defineProperty(vscode.workspace, 'fs', { configurable: true, get: () => fs });
    try {
      assert.deepEqual(await find('docs/**/*.md'), ['docs/a.md']);
    } finally {
      if (before) Object.defineProperty(vscode.workspace, 'fs', before);
    }
    assert.deepEqual(read, ['', 'docs']);
  });

  it('gives up with more documents than can be synced, and finds ten thousand', async () => {
    const names = Array.from({ length: MAX_DOCUMENTS }, (_, index) => `${index % 100}/${index}.md`);
    for (let index = 0; index < 100; index++) await mkdir(path.join(root, String(index)));
    for (let at = 0; at < names.length; at += 500)
      await Promise.all(names.slice(at, at + 500).map((name) => writeFile(path.join(root, name), 'x')));
    let ticks = 0;
    const counting = setInterval(() => ticks++, 5);
    const { files, tooMany } = await scan(['**/*.md']);
    clearInterval(counting);
    assert.deepEqual([files.length, tooMany], [MAX_DOCUMENTS, undefined]);
    // Other work of the host had its turns in between.
    assert.ok(ticks > 3, `${ticks} ticks`);
    await writeFile(path.join(root, '0', 'one-more.md'), 'x');
    assert.equal((await scan(['**/*.md'])).tooMany, 'documents');
  });

  it('gives up after a hundred thousand files and folders, of which none match [attack: documents]', async () => {
    const entries = Array.from({ length: 101 }, (_, index): [string, vscode.FileType] => [
      `d${index}`,
      vscode.FileType.Directory,
    ]);
    const inner = Array.from({ length: 1000 }, (_, index): [string, vscode.FileType] => [
      `f${index}.txt`,
      vscode.FileType.File,
    ]);
    const provider: vscode.FileSystemProvider = {
      onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
      watch: () => ({ dispose: () => undefined }),
      stat: () => {
        throw vscode.FileSystemError.FileNotFound();
      },
      readDirectory: (uri) => (uri.path === '/' ? entries : inner),
      createDirectory: () => undefined,
      readFile: () => new Uint8Array(),
      writeFile: () => undefined,
      delete: () => undefined,
      rename: () => undefined,
    };
    const registered = vscode.workspace.registerFileSystemProvider('parley-many', provider);
    try {
      folder = { ...folder, uri: vscode.Uri.parse('parley-many:/') };
      const hostile = Array.from({ length: 50 }, (_, index) => `**/{*a*,*b*,${index}*}*.md`);
      const { tooMany, files } = await scan(hostile);
      assert.deepEqual([tooMany, files], ['visited', []]);
    } finally {
      registered.dispose();
    }
  });

  it('ends when it is canceled', async () => {
    await write({ 'a.md': 'a' });
    await assert.rejects(scan(['**/*.md'], AbortSignal.abort()), ScanCanceledError);
  });
});
