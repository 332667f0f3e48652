import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
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
        await storage.append('appended', bytes, { durable: true, create: true });
        await storage.replace('replaced', bytes);
        await storage.replace('appended', bytes);
        await storage.create('created', bytes);
        for (const name of ['appended', 'replaced', 'created']) {
          assert.equal(await modeOf(path.join(folder, name)), '600', name);
        }
        assert.equal(await modeOf(folder), '700');
      } finally {
        process.umask(umask);
      }
    });

    it('restricts the permissions of a folder created by an older version [attack: other accounts]', async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'));
      folders.push(folder);
      await chmod(folder, 0o755);
      await new NodeStorage(folder).replace('new', new Uint8Array());
      assert.equal(await modeOf(folder), '700');
    });
  });
});
