import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DEFAULT_LEASE_TIMES, getLeaseName, Leases } from '../../../../src/chat/store/files/lease';
import { LeaseWatcher } from '../../../../src/chat/store/files/leaseWatcher';
import { RefusingStorage } from '../../support/refusingStorage';

describe('LeaseWatcher', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-writers-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports that a crashed writer is gone although a disk refused to read its lease when it expired', async () => {
    const storage = new RefusingStorage(folder);
    await writeFile(path.join(folder, getLeaseName('c')), 'token 1 crashed');
    const leases = new Leases(storage, 'own', { ...DEFAULT_LEASE_TIMES, staleMs: 50 });
    const errors: unknown[] = [];
    const gone = new EventEmitter();
    const watcher = new LeaseWatcher(leases, {
      readChanges: async () => undefined,
      onChange: (_, holder) => gone.emit('change', holder),
      onQuiet: () => gone.emit('quiet'),
      onError: (error) => {
        errors.push(error);
        if (errors.length === 2) storage.refuses = () => false;
      },
    });
    const isGone = once(gone, 'change');
    const isQuiet = once(gone, 'quiet');
    assert.equal((await watcher.createClosed('c'))?.owner, 'crashed');
    storage.refuses = (step) => step === 'read';
    assert.deepEqual(await isGone, [undefined]);
    assert.equal(errors.length, 2);
    await isQuiet;
    watcher.dispose();
  });
});
