import assert from 'node:assert/strict';
import { IndexedDbFiles, settles } from '../../../../src/chat/store/files/indexedDbFiles';
import { type Disk, openModel } from '../support/vscodeFiles';

const encode = (text: string) => new TextEncoder().encode(text);
const runExclusively = <T>(_name: string, work: () => Promise<T>) => work();

describe('IndexedDbFiles', () => {
  /** Names of files of which a put fails (it may be of several); a put of `slow` waits until `finish` is called. */
  let failing: Set<string>;
  let finish: () => void;
  let disk: Disk;
  let folder: ReturnType<typeof openModel>;
  beforeEach(() => {
    failing = new Set();
    disk = new Map();
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    folder = openModel('IndexedDB', disk, async (operation, name) => {
      if (operation !== 'put') return;
      if (name === 'slow') await slow;
      if (name.split(',').some((each) => failing.has(each))) throw new Error(`${name} is full`);
    });
  });

  it('answers each of several writes that are made at the same time and fail', async () => {
    const files = new IndexedDbFiles(folder, runExclusively, settles);
    for (const name of ['a', 'b', 'c']) failing.add(name);
    const writes = ['a', 'b', 'c', 'd'].map((name) => files.writeFile(name, encode(name), true));
    const results = await Promise.allSettled(writes);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual([...disk.keys()], ['d']);
  });

  it('rejects a write that VS Code never answers, because it failed behind one of VS Code’s own, and goes on', async () => {
    const own = folder.writeFile('slow', encode('a backup'));
    const late = own.then(() => false);
    let count = 0;
    const files = new IndexedDbFiles(folder, runExclusively, (write) => {
      finish();
      return count++ === 0 ? Promise.race([settles(write), late]) : settles(write);
    });
    failing.add('a');
    await assert.rejects(files.writeFile('a', encode('1'), true), /doesn't say whether it has written a/);
    assert.equal(await files.writeFile('b', encode('2'), true), true);
    // VS Code's writes of the same file wait for each other.
    failing.clear();
    await assert.rejects(files.writeFile('a', encode('3'), true), /doesn't say/);
    assert.deepEqual([...disk.keys()], ['slow', 'b']);
  });
});
