import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DEFAULT_LEASE_TIMES, getLeaseName, Leases } from '../../../../src/chat/store/files/lease';
import { LeaseWatcher } from '../../../../src/chat/store/files/leaseWatcher';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';

describe('LeaseWatcher', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-writers-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports that the writer is gone after the timeout when the lease has become unreadable', async () => {
    const storage = new NodeStorage(folder);
    const file = path.join(folder, getLeaseName('c'));
    const other = new Leases(storage, 'other');
    await other.acquire('c');
    const lease = await readFile(file);
    await other.dispose();
    await writeFile(file, lease);
    const ownLeases = new Leases(storage, 'own', { ...DEFAULT_LEASE_TIMES, staleMs: 200 });
    const reportedError = new Promise<unknown>((resolve) => {
      const fail = () => assert.fail('nothing is known');
      const writers = new LeaseWatcher(ownLeases, {
        readChanges: fail,
        onChange: fail,
        onQuiet: fail,
        onError: resolve,
      });
      void writers.createClosed('c').then((holder) => {
        assert.equal(holder?.owner, 'other');
        // At once, before the timeout.
        storage.readFile = () => new NodeStorage(folder).readFile('');
      });
    });
    assert.match(String(await reportedError), /EISDIR/);
  });
});
