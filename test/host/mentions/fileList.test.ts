import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileList } from '../../../src/host/mentions/fileList';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const folder = path.join(root, 'listed');
const limits = { files: 3, folders: 2 };

describe('The list of files for mentions', () => {
  beforeEach(async () => {
    await mkdir(path.join(folder, 'Inner'), { recursive: true });
    for (const name of ['a[1].md', 'b.md', 'c.md', 'd.md', 'Inner/Zebra Crossing.md', 'Inner/{z},y.md']) {
      await writeFile(path.join(folder, name), 'x');
    }
  });
  afterEach(async () => {
    await vscode.workspace
      .getConfiguration('search')
      .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    await rm(path.join(root, '.vscode'), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });

  const find = async (query: string, maxFiles?: number) => {
    const list = new FileList(maxFiles);
    const { files, folders } = await list.find(query, limits, new AbortController().signal);
    return [...files, ...folders].map(({ name }) => name);
  };

  it('has a bounded number of files, those at the top first', async () => {
    assert.equal((await find('')).length, limits.files);
    assert.deepEqual(await find('listed/'), ['a[1].md', 'b.md', 'c.md', 'Inner']);
  });

  it('searches with the query for files beyond its limit', async () => {
    assert.deepEqual(await find('zebcross', 1), ['Zebra Crossing.md']);
    assert.deepEqual(await find('a[1', 1), ['a[1].md']);
    assert.deepEqual(await find('{z},', 1), ['{z},y.md']);
    assert.deepEqual(await find('listed/inner/ZC', 1), ['Zebra Crossing.md']);
  });

  it('leaves out what the settings exclude from searches', async () => {
    const exclude = { '**/Inner': true, '**/c.md': false, '**/{b,d}.md': true, '**/*.{md}': true };
    await vscode.workspace
      .getConfiguration('search')
      .update('exclude', exclude, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(await find('zebra'), []);
    assert.deepEqual(await find('listed/c'), ['c.md']);
  });

  it('finds nothing once it is aborted', async () => {
    const list = new FileList(1);
    const { files } = await list.find('zebra', limits, AbortSignal.abort());
    assert.deepEqual(files, []);
  });
});
