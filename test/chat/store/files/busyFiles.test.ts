import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BUSY_PAUSES_MS, retryWhileBusy } from '../../../../src/host/platform/busyFiles';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';

const createError = (code: string) => Object.assign(new Error(code), { code });

describe('retryWhileBusy', () => {
  /** Fails a number of times; returns how often it was called. */
  async function count(code: string, failures: number, platform: NodeJS.Platform): Promise<number> {
    let calls = 0;
    const operate = async () => {
      calls++;
      if (calls <= failures) throw createError(code);
    };
    await retryWhileBusy(operate, platform, [0, 0, 0]).catch((error) => assert.equal(error.code, code));
    return calls;
  }

  it('retries what Windows refuses while another process has a file open, a limited number of times', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      assert.equal(await count(code, 2, 'win32'), 3, code);
      assert.equal(await count(code, 9, 'win32'), 4, code);
    }
  });

  it('repeats nothing after another error', async () => {
    for (const code of ['ENOENT', 'ENOSPC', 'EEXIST']) assert.equal(await count(code, 9, 'win32'), 1, code);
  });

  it('repeats nothing on other systems, where these errors mean that there is no permission', async () => {
    for (const platform of ['linux', 'darwin'] as const) {
      for (const code of ['EPERM', 'EACCES', 'EBUSY']) assert.equal(await count(code, 9, platform), 1);
    }
  });

  it('waits for one to two seconds in all, never shorter than before', () => {
    assert.deepEqual(
      BUSY_PAUSES_MS,
      BUSY_PAUSES_MS.toSorted((one, other) => one - other),
    );
    const all = BUSY_PAUSES_MS.reduce((sum, pause) => sum + pause);
    assert.ok(all > 1000 && all < 2000, `${all}`);
  });
});

describe('NodeStorage beside a window that reads the same file', () => {
  const bytes = new TextEncoder().encode('x');
  let folder: string;
  let storage: NodeStorage;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-busy-'));
    storage = new NodeStorage(folder);
    await storage.replaceFile('c.queue', bytes);
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    replaces: () => storage.replaceFile('c.queue', bytes),
    'appends to': () => storage.appendFile('c.queue', bytes, { durable: true, create: false }),
    renames: () => storage.renameFile('c.queue', 'c.other'),
    removes: () => storage.removeFile('c.queue'),
  };
  for (const [verb, operate] of Object.entries(operations)) {
    it(`${verb} it once the other window has closed it`, async () => {
      const reader = await open(path.join(folder, 'c.queue'), 'r');
      const result = operate();
      // On Windows, it is refused at least once before.
      const closed = setTimeout(30).then(() => reader.close());
      await Promise.all([result, closed]);
      assert.notEqual(await result, false);
    });
  }
});
