import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repeat } from '../../support/repetition';
import { createStoreFolder, message, readAllTurns, type StoreFolder } from './support/folders';
import { createSmallDisk, type SmallDisk } from './support/fullDisk';
import { killWhileStreaming } from './support/killed';
import { createWindowProcesses, type WindowProcesses } from './support/processes';

describe('Processes sharing a conversations folder', () => {
  let folder: StoreFolder;
  let processes: WindowProcesses;
  before(async () => {
    processes = await createWindowProcesses();
  });
  after(() => processes.close());
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  it('lose no record when two append to one conversation at the same time', async () => {
    const { store } = folder.window();
    store.createTranscript('c', 1);
    store.appendToTranscript('c', message('m', 'x'));
    await store.flush('c');
    const both = [1, 2].map(() => processes.start(folder.path, 'append', 'c', ['200']));
    assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [0, 0]);
    const ids = (await readAllTurns(folder.window().store, 'c')).map(({ id }) => id);
    for (const { process: child } of both) {
      const ownIds = ids.filter((id) => id.startsWith(`${child.pid}-`));
      assert.deepEqual(
        ownIds,
        Array.from({ length: 200 }, (_, index) => `${child.pid}-${index}`),
      );
    }
    assert.equal((await store.listConversations()).conversations[0]?.damaged, 0);
  });

  it('acquire a lease left by a crash one at a time', async () => {
    for (const content of ['token 1000 crashed', '']) {
      const name = path.join(folder.path, 'c.lease');
      await writeFile(name, content);
      const racers = Array.from({ length: repeat(8, 20) }, () => processes.start(folder.path, 'race', 'c'));
      await Promise.all(racers.map((racer) => racer.waitForLine('ready')));
      for (const racer of racers) racer.go();
      const results = await Promise.all(
        racers.map((racer) => Promise.race([racer.waitForLine('won'), racer.waitForLine('lost')])),
      );
      assert.equal(results.filter((result) => result === 'won').length, 1);
      for (const racer of racers) racer.go();
      await Promise.all(racers.map((racer) => racer.ended));
    }
  });

  it('keep every durable message and all but the last second of a reply when one is killed [fault 40]', async () => {
    // Kill at any point within the first replies, which have 60 chunks.
    const moments = Array.from({ length: repeat(5, 20) }, (_, round) => (round * 29) % 75);
    const rounds = await Promise.all(
      moments.map((chunks, round) => killWhileStreaming(processes, folder, `c${round}`, chunks)),
    );
    for (const { missing, behind } of rounds) {
      assert.deepEqual(missing, []);
      assert.ok(behind < 1000, `${behind} ms behind`);
    }
  });

  // Only there can a small disk be created without privileges.
  if (process.platform === 'linux') {
    it('report a full disk once, keep running, and save everything when there is space again', async () => {
      await fillAndSave(await createSmallDisk(folder.path));
    });
  }

  async function fillAndSave(disk: SmallDisk): Promise<void> {
    const child = processes.start(disk.path, 'fill', 'c', [], disk.command);
    try {
      const [, count, failureCount] = (await child.waitForLine('full')).split(' ');
      assert.equal(failureCount, '1');
      disk.makeRoom(child.process.pid ?? 0);
      child.go();
      assert.equal(await child.waitForLine('saved'), 'saved writeFailed,writeRecovered');
      assert.equal(await child.ended, 0);
      const { store, errors } = (await createStoreFolder(disk.path)).window();
      const ids = (await readAllTurns(store, 'c')).map(({ id }) => id);
      assert.ok(ids.length > 200);
      assert.deepEqual(
        ids,
        Array.from({ length: Number(count) }, (_, index) => `m${index}`),
      );
      assert.equal((await store.listConversations()).conversations[0]?.damaged, 0);
      assert.deepEqual(errors, []);
      await store.dispose();
    } finally {
      child.process.kill('SIGKILL');
      await child.ended;
      disk.close();
    }
  }
});
