import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DEFAULT_LEASE_TIMES, Leases } from '../../../../src/chat/store/files/lease';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';

describe('Leases', () => {
  it('write no file outside of their folder, whatever an abandoned lease contains', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'parley-lease-'));
    const folder = path.join(root, 'conversations');
    await mkdir(folder);
    const abandoned = path.join(folder, 'c.lease');
    await writeFile(abandoned, '/../../outside 1 window');
    let now = 0;
    const leases = new Leases(new NodeStorage(folder), 'window', { ...DEFAULT_LEASE_TIMES, now: () => now });
    assert.ok('heldBy' in (await leases.acquire('c')));
    now += DEFAULT_LEASE_TIMES.staleMs;
    const lease = await leases.acquire('c');
    assert.ok(!('heldBy' in lease));
    assert.deepEqual(await readdir(root), ['conversations']);
    await lease.release();
    await leases.dispose();
    await rm(root, { recursive: true });
  });
});
