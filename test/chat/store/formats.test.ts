import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConversationStore } from '../../../src/chat/store/store';
import { createStoreFolder, message, openConversation, type StoreFolder } from './support/folders';

/** A stored file, as another version of Parley wrote it. */
interface StoredFormat {
  readonly file: string;
  /** As the first version wrote it. */
  readonly before: string;
  /** As a later version may write it: with items, properties and values that this one doesn't know. */
  readonly after: string;
  /** Reads what this version shows of it, which is the same for both. */
  read(store: ConversationStore): Promise<unknown>;
  readonly shown: unknown;
  /** Changes it in this version. */
  change(store: ConversationStore): Promise<unknown>;
  /** What of `after` has to be there after the change. */
  readonly kept: readonly string[];
}

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const header = { parley: 1, id: 'c', createdAt: 1000 };
const bot = { id: 'b', name: 'Guide' };
const turn = { kind: 'message', id: 'm', text: 'Hello', at: 1 };
const chip = { id: 'a', kind: 'file', name: 'a.ts', text: 'code' };
const summary = { id: 'c', name: 'Plans', bot, unread: false, pinned: false, createdAt: 1000 };

const formats: readonly StoredFormat[] = [
  {
    file: 'c.jsonl',
    before: lines(header, { type: 'about', name: 'Plans', bot }, { type: 'turn', turn }),
    after: lines(
      { ...header, later: 1 },
      { type: 'about', name: 'Plans', bot, later: 2 },
      { type: 'later', turnId: 'm' },
      { type: 'turn', turn: { ...turn, later: 3 }, later: 4 },
    ),
    read: async (store) => {
      const { conversation } = await openConversation(store, 'c');
      return [conversation.name, conversation.turns.map((each) => each.kind === 'message' && each.text)];
    },
    shown: ['Plans', ['Hello']],
    change: async (store) => {
      store.appendToTranscript('c', message('n', 'More'));
      await store.flush('c');
    },
    kept: ['"later":1', '"later":2', '"type":"later"', '"later":3', '"later":4', '"More"'],
  },
  {
    file: 'c.queue',
    before: JSON.stringify([{ id: 'q', text: 'Queued', context: [chip] }]),
    after: JSON.stringify([
      { id: 'later', poll: {} },
      { id: 'q', text: 'Queued', context: [{ ...chip, later: 1 }], later: 2 },
    ]),
    read: async (store) => (await store.queues.read('c')).map(({ text }) => text),
    shown: ['Queued'],
    change: async (store) => {
      const messages = await store.queues.read('c');
      await store.queues.write('c', [...messages, { id: 'r', text: 'More', context: [] }]);
    },
    kept: ['"id":"later"', '"later":1', '"later":2', '"More"'],
  },
  {
    file: 'c.composing.draft',
    before: JSON.stringify({ context: [chip], webSearch: true }),
    after: JSON.stringify({ context: [{ kind: 'later' }, chip], webSearch: true, later: 1 }),
    read: (store) => store.composers.get('c'),
    shown: { context: [chip], webSearch: true },
    change: async (store) => {
      store.composers.set('c', { context: [], webSearch: true });
      await store.composers.flush();
    },
    kept: ['"kind":"later"', '"later":1'],
  },
  {
    file: 'c.draft',
    before: 'typed',
    after: 'typed',
    read: (store) => store.drafts.get('c'),
    shown: 'typed',
    change: async (store) => {
      store.drafts.set('c', 'typed More');
      await store.drafts.flush();
    },
    kept: ['typed More'],
  },
  {
    file: 'index.json',
    before: JSON.stringify({ c: { size: 1, mtime: 1, read: 1, summary: { ...summary, at: 1, turns: 1 } } }),
    after: JSON.stringify({ version: 7, summaries: [summary] }),
    // It is made again from the transcripts.
    read: async (store) => (await store.listConversations()).conversations.map(({ name }) => name),
    shown: ['Plans'],
    change: (store) => store.dispose(),
    kept: ['"Plans"'],
  },
  {
    file: 'c.lease',
    before: 'abcd1234 1000 a window',
    after: 'abcd1234 1000 a window later=1      ',
    read: async (store) => {
      const lease = await store.acquireLease('c');
      return 'heldBy' in lease && lease.heldBy.at;
    },
    shown: 1000,
    change: async (store) => {
      const lease = await store.takeOver('c');
      assert.ok('release' in lease);
      await lease.release();
    },
    kept: [],
  },
];

describe('Stored formats', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  for (const { file, before, after, read, shown, change, kept } of formats) {
    const transcript = path.basename(file) === 'index.json' ? formats[0]?.before : undefined;

    async function write(content: string): Promise<ConversationStore> {
      if (transcript !== undefined) await writeFile(path.join(folder.path, 'c.jsonl'), transcript);
      await writeFile(path.join(folder.path, file), content);
      return folder.window().store;
    }

    it(`open ${file} of the first version`, async () => {
      assert.deepEqual(await read(await write(before)), shown);
    });

    it(`open ${file} of a later version, and lose nothing of it with a change [fault 50]`, async () => {
      const store = await write(after);
      assert.deepEqual(await read(store), shown);
      await change(store);
      const text = await readFile(path.join(folder.path, file), 'utf8').catch(() => '');
      for (const part of kept) assert.ok(text.includes(part), `${part} is missing in ${text}`);
      assert.deepEqual(await read(folder.window().store), file === 'c.lease' ? false : await read(store));
    });
  }

  it('include every kind of file that a conversation can have', async () => {
    const { store } = folder.window();
    const lease = await store.acquireLease('c');
    store.createTranscript('c', 1);
    store.appendToTranscript('c', message('m', 'Hello'));
    store.drafts.set('c', 'typed');
    store.composers.set('c', { context: [], webSearch: true });
    await store.queues.write('c', [{ id: 'q', text: 'Queued', context: [] }]);
    await store.listConversations();
    await store.flush('c');
    const names = await readdir(folder.path);
    await store.dispose();
    // Not those that are just being replaced.
    const all = new Set([...names, ...(await readdir(folder.path))].filter((name) => !name.endsWith('.tmp')));
    assert.deepEqual([...all].sort(), formats.map(({ file }) => file).sort());
    assert.ok('release' in lease);
  });
});
