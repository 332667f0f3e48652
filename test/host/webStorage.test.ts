import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WebStorage } from '../../src/host/platform/webStorage';
import { describeStorage } from '../chat/store/support/storageContract';

describe('WebStorage over VS Code’s file systems', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  describeStorage(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
    folders.push(folder);
    return new WebStorage(vscode.Uri.file(path.join(folder, 'deep', 'conversations')));
  });
});
