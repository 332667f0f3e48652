import assert from 'node:assert/strict';
import { ConversationStore } from '../../../src/chat/store/store';
import { chunk, message, readAllTurns, reply } from './support/folders';
import {
  type Disk,
  type FileSystemKind,
  type Gate,
  openModel,
  SharedLocks,
  VSCodeStorage,
} from './support/vscodeFiles';

for (const kind of ['IndexedDB', 'a server’s disk'] satisfies FileSystemKind[]) {
  describe(`Conversations over ${kind}`, () => {
    let disk: Disk;
    beforeEach(() => {
      disk = new Map();
    });

    function open(gate: Gate = async () => undefined) {
      const storage = new VSCodeStorage(kind, openModel(kind, disk, gate), new SharedLocks(), {});
      const store = new ConversationStore(storage, 'a window', () => undefined);
      return { storage, store };
    }

    /** Longer than a part in all. */
    const texts = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(3000)}`);

    it('lose no message of 20 when any one step fails, or all from there on for a while [fault 47]', async () => {
      const before = open().store;
      before.createTranscript('c', 1);
      for (const [index, text] of texts.slice(0, 18).entries())
        before.appendToTranscript('c', message(`m${index}`, text));
      await before.dispose();
      const saved = [...disk];
      for (const count of [1, 2, 4, 100]) {
        for (let from = 0, isOver = false; !isOver; from++) {
          disk = new Map(saved);
          let step = 0;
          const { store } = open(async () => {
            const at = step++;
            if (at >= from && at < from + count) throw new Error('Quota');
          });
          const states: string[] = [];
          store.onStoreEvent(({ type }) => {
            if (type.startsWith('write')) states.push(type);
          });
          for (const index of [18, 19]) {
            store.appendToTranscript('c', message(`m${index}`, texts[index] ?? ''));
            const failed = await store.flush('c').then(
              () => false,
              () => true,
            );
            assert.equal(states.at(-1) === 'writeFailed', failed);
          }
          isOver = step < from;
          step = Number.NEGATIVE_INFINITY;
          await store.flush('c');
          assert.notEqual(states.at(-1), 'writeFailed');
          // A restart.
          const later = open().store;
          const turns = await readAllTurns(later, 'c');
          assert.deepEqual(
            turns.map((turn) => turn.kind === 'message' && turn.text),
            texts,
            `${count} from step ${from}`,
          );
          assert.equal((await later.listConversations()).conversations[0]?.damaged, 0);
          await Promise.all([store.dispose(), later.dispose()]);
        }
      }
    });

    it('have a streamed reply once, whichever steps fail while it is written', async () => {
      for (const count of [1, 3, 10]) {
        for (let from = 0, isOver = false; !isOver; from++) {
          disk.clear();
          let step = Number.NEGATIVE_INFINITY;
          const { store } = open(async () => {
            const at = step++;
            if (at >= from && at < from + count) throw new Error('Closed');
          });
          store.createTranscript('c', 1);
          store.appendToTranscript('c', reply('r'));
          await store.flush('c');
          step = 0;
          for (const text of ['one ', 'two ', 'three ']) {
            store.appendToTranscript('c', chunk('r', text));
            await store.flush('c').catch(() => undefined);
          }
          isOver = step < from;
          step = Number.NEGATIVE_INFINITY;
          await store.flush('c');
          const later = open().store;
          const [turn] = await readAllTurns(later, 'c');
          assert.equal(turn?.kind === 'reply' && turn.text, 'one two three ', `${count} from step ${from}`);
          await Promise.all([store.dispose(), later.dispose()]);
        }
      }
    });

    it('stay deleted, with their queues, after a window ended while it wrote them [fault 48]', async () => {
      for (let ending = 0, isOver = false; !isOver; ending++) {
        disk.clear();
        const before = open().store;
        before.createTranscript('c', 1);
        before.appendToTranscript('c', message('m', texts[0] ?? ''));
        await before.flush('c');
        await before.queues.write('c', [{ id: 'q', text: 'Queued', context: [] }]);
        let step = 0;
        isOver = await new Promise<boolean>((resolve) => {
          const { store } = open(async () => {
            if (step++ < ending) return;
            resolve(false);
            await new Promise(() => undefined);
          });
          store.appendToTranscript('c', message('n', texts[1] ?? ''));
          const queued = store.queues.write('c', [{ id: 'r', text: 'Another', context: [] }]);
          void Promise.all([store.flush('c'), queued]).then(() => resolve(true));
        });
        const { store } = open();
        await store.deleteConversation('c');
        await store.purge('c');
        const later = open().store;
        assert.deepEqual((await later.listConversations()).conversations, [], `ended at step ${ending}`);
        assert.deepEqual(await later.queues.read('c'), [], `ended at step ${ending}`);
        assert.deepEqual(
          [...disk.keys()].filter((name) => name.startsWith('c')),
          [],
        );
        await Promise.all([before, store, later].map((each) => each.dispose()));
      }
    });
  });
}
