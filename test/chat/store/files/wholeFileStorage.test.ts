import assert from 'node:assert/strict';
import { describeCrashes } from '../support/crashes';
import { describeStorage } from '../support/storageContract';
import {
  type Disk,
  type FileSystemKind,
  type Gate,
  openModel,
  SharedLocks,
  VSCodeStorage,
} from '../support/vscodeFiles';

const encode = (text: string) => new TextEncoder().encode(text);
const OPEN: Gate = async () => undefined;

for (const kind of ['IndexedDB', 'a server’s disk'] satisfies FileSystemKind[]) {
  describe(`WholeFileStorage over ${kind}`, () => {
    let disk: Disk;
    let locks: SharedLocks;
    beforeEach(() => {
      disk = new Map();
      locks = new SharedLocks();
    });
    const open = (gate = OPEN) => new VSCodeStorage(kind, openModel(kind, disk, gate), locks, {});

    describeStorage(async () => open());

    describeCrashes(async () => {
      const [files, shared] = [new Map(), new SharedLocks()];
      return {
        open: (gate) => {
          const window = {};
          return {
            storage: new VSCodeStorage(kind, openModel(kind, files, gate), shared, window),
            run: (work) => work(),
            end: () => shared.endWindow(window),
          };
        },
        close: async () => undefined,
      };
    }, 300);

    const read = async (storage: VSCodeStorage, name: string) => {
      const bytes = await storage.readFile(name);
      return bytes && new TextDecoder().decode(bytes);
    };

    /** Ends a window at each step of its work in turn, and looks at what another window finds then. */
    async function endAtEachStep(
      prepare: (storage: VSCodeStorage) => Promise<unknown>,
      work: (storage: VSCodeStorage) => Promise<unknown>,
      look: (storage: VSCodeStorage, step: number) => Promise<void>,
    ): Promise<void> {
      for (let ending = 0; ; ending++) {
        [disk, locks] = [new Map(), new SharedLocks()];
        const other = open();
        await prepare(other);
        const window = {};
        let step = 0;
        const hasEnded = await new Promise<boolean>((resolve, reject) => {
          const folder = openModel(kind, disk, async () => {
            if (step++ !== ending) return;
            locks.endWindow(window);
            resolve(true);
            await new Promise(() => undefined);
          });
          const storage = new VSCodeStorage(kind, folder, locks, window);
          work(storage).then(() => resolve(false), reject);
        });
        await look(other, ending);
        if (!hasEnded) return;
      }
    }

    it('brings no file back that was removed after a window ended while it replaced it', async () => {
      await endAtEachStep(
        async (storage) => {
          await storage.replaceFile('c.queue', encode('old'));
          await storage.removeFile('another');
        },
        (storage) => storage.replaceFile('c.queue', encode('new')),
        async (storage, step) => {
          await storage.removeFile('c.queue');
          assert.equal(await read(storage, 'c.queue'), undefined, `ended at step ${step}`);
          assert.deepEqual(await storage.listNames(), [], `ended at step ${step}`);
          assert.deepEqual([...disk.keys()], [], `ended at step ${step}`);
        },
      );
    });

    it('brings no file back that was renamed after a window ended while it replaced it', async () => {
      await endAtEachStep(
        async (storage) => {
          await storage.replaceFile('c.jsonl', encode('old'));
          await storage.removeFile('another');
        },
        (storage) => storage.replaceFile('c.jsonl', encode('new')),
        async (storage, step) => {
          await storage.renameFile('c.jsonl', 'c.deleted');
          assert.equal(await read(storage, 'c.jsonl'), undefined, `ended at step ${step}`);
          assert.deepEqual(await storage.listNames(), ['c.deleted'], `ended at step ${step}`);
          assert.ok(['old', 'new'].includes((await read(storage, 'c.deleted')) ?? ''));
        },
      );
    });

    it('removes what an older version left beside a file together with the file', async () => {
      const storage = open();
      await storage.replaceFile('c.queue', encode('old'));
      disk.set(`c.queue.${crypto.randomUUID()}.tmp`, { bytes: encode('new'), mtime: 0 });
      // Starts anew, because a window over IndexedDB knows only its own files.
      const later = open();
      await later.removeFile('c.queue');
      assert.deepEqual(await later.listNames(), []);
      assert.deepEqual([...disk.keys()], []);
    });

    it('finishes the replacement that an older version started, unless the file exists', async () => {
      disk.set(`lost.jsonl.${crypto.randomUUID()}.tmp`, { bytes: encode('all of it'), mtime: 0 });
      disk.set(`here.jsonl.${crypto.randomUUID()}.tmp`, { bytes: encode('newer than new'), mtime: 0 });
      disk.set('here.jsonl', { bytes: encode('old'), mtime: 0 });
      const storage = open();
      assert.deepEqual(new Set(await storage.listNames()), new Set(['lost.jsonl', 'here.jsonl']));
      assert.equal(await read(storage, 'lost.jsonl'), 'all of it');
      assert.equal(await read(storage, 'here.jsonl'), 'old');
      assert.equal(disk.size, 2);
    });

    it('appends only once when a write of unknown outcome is repeated', async () => {
      for (const count of [1, 2, 4, 8, 100]) {
        for (let from = 0, isOver = false; !isOver; from++) {
          // The first repetition may fail as well.
          for (const second of [0, 1, 2, 3, 5, 8, 13]) {
            [disk, locks] = [new Map(), new SharedLocks()];
            let step = Number.NEGATIVE_INFINITY;
            let failing = [from, from + count];
            const storage = open(async () => {
              const at = step++;
              if (at >= (failing[0] ?? 0) && at < (failing[1] ?? 0)) throw new Error('Closed');
            });
            const append = (to: VSCodeStorage, text: string) =>
              to.appendFile('c.jsonl', encode(text), { durable: true, create: true }).then(
                () => true,
                () => false,
              );
            await append(storage, 'first ');
            step = 0;
            let isDone = await append(storage, 'again ');
            isOver = step <= from;
            await append(open(), 'other ');
            [step, failing] = [0, [second, second + 1]];
            isDone ||= await append(storage, 'again more ');
            failing = [];
            if (!isDone) await append(storage, 'again more ');
            const texts = ['first again other more ', 'first other again more ', 'first again other '];
            const text = (await read(open(), 'c.jsonl')) ?? '';
            assert.ok(texts.includes(text), `${count} from step ${from}, then ${second}: ${text}`);
          }
        }
      }
    });

    it('has all of a file, whichever steps of its replacement fail, and knows which if it can look', async () => {
      for (const count of [1, 2, 3, 4, 5]) {
        for (let from = 0, isOver = false; !isOver; from++) {
          [disk, locks] = [new Map(), new SharedLocks()];
          let step = Number.NEGATIVE_INFINITY;
          const storage = open(async () => {
            if (step >= from && step++ < from + count) throw new Error('Quota');
            step++;
          });
          await storage.replaceFile('c.draft', encode('old'));
          step = 0;
          const saved = await storage.replaceFile('c.draft', encode('new')).then(
            () => true,
            () => false,
          );
          isOver = step <= from;
          step = Number.NEGATIVE_INFINITY;
          for (const window of [storage, open()]) {
            const text = await read(window, 'c.draft');
            if (saved || count === 1) assert.equal(text, saved ? 'new' : 'old', `${count} from step ${from}`);
            else assert.ok(text === 'old' || text === 'new', `${count} from step ${from}: ${text}`);
          }
        }
      }
    });
  });
}
