import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { describeStorage } from './support/storageContract';

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
});
