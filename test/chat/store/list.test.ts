import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import {
  about,
  chunk,
  createStoreFolder,
  ended,
  message,
  reply,
  type StoreFolder,
  waitFor,
} from './support/folders';

describe('ConversationStore.list', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  const getIndexPath = () => path.join(folder.path, 'index.json');
  const createLines = (id: string, at: number) =>
    [{ parley: 1, id, createdAt: at }, about(`Name of ${id}`), message('m', `Said in ${id}`, at)]
      .map((each) => JSON.stringify(each))
      .join('\n');

  /** Creates a number of conversations, each newer than the one before, and their index. */
  async function fill(count: number): Promise<void> {
    for (let at = 0; at < count; at++)
      await writeFile(path.join(folder.path, `c${at}.jsonl`), createLines(`c${at}`, at));
    const { store } = folder.window();
    await store.listConversations();
    await store.dispose();
  }

  const listNames = async (window = folder.window()) => {
    const { conversations } = await window.store.listConversations();
    return conversations.map(({ name }) => name);
  };

  it('returns name, bot, times, marks and the number of turns, newest first', async () => {
    await fill(2);
    const { store } = folder.window();
    store.appendToTranscript('c0', message('n', 'x', 50));
    store.appendToTranscript('c0', reply('r', 51));
    store.appendToTranscript('c0', ended('r', 51));
    store.appendToTranscript('c0', { type: 'about', pinned: true, unread: true });
    await store.flush('c0');
    assert.deepEqual((await store.listConversations()).conversations, [
      {
        id: 'c0',
        name: 'Name of c0',
        bot: { id: 'b', name: 'Guide' },
        unread: true,
        pinned: true,
        createdAt: 0,
        at: 51,
        turns: 3,
        damaged: 0,
        streaming: false,
      },
      {
        id: 'c1',
        name: 'Name of c1',
        bot: { id: 'b', name: 'Guide' },
        unread: false,
        pinned: false,
        createdAt: 1,
        at: 1,
        turns: 1,
        damaged: 0,
        streaming: false,
      },
    ]);
  });

  it('uses the index and reads only files that changed since', async () => {
    await fill(3);
    // This name exists only in the index, so it shows where the name was read from.
    await writeFile(
      getIndexPath(),
      (await readFile(getIndexPath(), 'utf8')).replaceAll('Name of', 'Indexed'),
    );
    const { store } = folder.window();
    store.appendToTranscript('c1', chunk('none', 'x'));
    store.appendToTranscript('c2', about('Renamed'));
    await Promise.all([store.flush('c1'), store.flush('c2')]);
    assert.deepEqual(await listNames(), ['Renamed', 'Indexed c1', 'Indexed c0']);
  });

  it('returns the same after the index was lost, damaged or restored from an old copy', async () => {
    await fill(5);
    const good = await listNames();
    const old = await readFile(getIndexPath(), 'utf8');
    await rm(getIndexPath());
    const withoutIndex = folder.window();
    assert.deepEqual(await listNames(withoutIndex), good);
    await withoutIndex.store.dispose();
    for (const text of ['', '{"c0"', '{"c0":{"size":1}}', 'null', old.slice(0, -20), '\0'.repeat(500)]) {
      await writeFile(getIndexPath(), text);
      const window = folder.window();
      assert.deepEqual(await listNames(window), good);
      assert.equal(window.errors.length, 1);
      await window.store.dispose();
      const [, json = ''] = (await readFile(getIndexPath(), 'utf8')).split('\n');
      assert.equal(Object.keys(JSON.parse(json)).length, 5);
    }
    await rm(path.join(folder.path, 'c3.jsonl'));
    await writeFile(path.join(folder.path, 'c4.jsonl'), createLines('c4', 4).replace('Name of c4', 'Anew'));
    await writeFile(getIndexPath(), old);
    assert.deepEqual(await listNames(), ['Anew', ...good.slice(2)]);
  });

  it('reports what the index missed about conversations that haven’t changed recently', async () => {
    await fill(205);
    await writeFile(path.join(folder.path, 'c0.jsonl'), createLines('c0', 0).replace('Name of', 'Anew:'));
    await writeFile(
      path.join(folder.path, 'c204.jsonl'),
      createLines('c204', 204).replace('Name of', 'Anew:'),
    );
    const window = folder.window();
    assert.equal((await listNames(window))[0], 'Anew: c204');
    const names = () =>
      window.events.flatMap((event) => (event.type === 'changed' ? [event.summary.name] : []));
    await waitFor(() => names().length > 0);
    assert.deepEqual(names(), ['Anew: c0']);
    assert.equal((await listNames(window)).at(-1), 'Anew: c0');
  });

  it('has a conversation once something is written to its file, not when the file is created', async () => {
    await fill(1);
    await writeFile(path.join(folder.path, 'c1.jsonl'), '');
    const window = folder.window();
    assert.deepEqual(await listNames(window), ['Name of c0']);
    await writeFile(path.join(folder.path, 'c2.jsonl'), '');
    await window.store.readFolderChanges();
    assert.equal(window.events.length, 0);
    for (const id of ['c1', 'c2']) await writeFile(path.join(folder.path, `${id}.jsonl`), createLines(id, 1));
    await window.store.readFolderChanges();
    const created = window.events.flatMap((event) => (event.type === 'created' ? [event.summary.name] : []));
    assert.deepEqual(created.toSorted(), ['Name of c1', 'Name of c2']);
  });

  for (const [isRemoved, title] of [
    [false, 'keeps a conversation whose file is created while it is looked up'],
    [true, 'removes a conversation whose file is created and removed while it is looked up'],
  ] as const) {
    it(title, async () => {
      const file = path.join(folder.path, 'c0.jsonl');
      const lookup = new EventEmitter();
      const isMissing = once(lookup, 'missing');
      const mayAnswer = once(lookup, 'answer');
      class SlowStorage extends UnwatchedStorage {
        override async statFile(name: string) {
          const found = await super.statFile(name);
          if (name === 'c0.jsonl' && !found && lookup.emit('missing')) await mayAnswer;
          return found;
        }
      }
      const window = folder.window('slow', {}, new SlowStorage(folder.path));
      const lookedUp = window.store.readFolderChanges('c0');
      await isMissing;
      await fill(1);
      const listing = listNames(window);
      if (isRemoved) await rm(file);
      lookup.emit('answer');
      await lookedUp;
      assert.deepEqual(await listing, isRemoved ? [] : ['Name of c0']);
      assert.deepEqual(window.events, []);
      assert.deepEqual(await listNames(window), isRemoved ? [] : ['Name of c0']);
    });
  }

  for (const step of ['remove', 'stat'] as const) {
    it(`returns all conversations although a disk refuses to ${step} a leftover, and removes the others`, async () => {
      await fill(2);
      for (const name of ['a.tmp', 'b.tmp', 'c0.lease-token']) {
        await writeFile(path.join(folder.path, name), 'x');
        await utimes(path.join(folder.path, name), 1, 1);
      }
      const storage = new RefusingStorage(folder.path);
      storage.refuses = (refused, name) => refused === step && name === 'a.tmp';
      const window = folder.window('one', {}, storage);
      assert.deepEqual(await listNames(window), ['Name of c1', 'Name of c0']);
      assert.deepEqual(window.errors.map(String), [`Error: Refused to ${step} a.tmp`]);
      assert.deepEqual((await readdir(folder.path)).toSorted(), [
        'a.tmp',
        'c0.jsonl',
        'c1.jsonl',
        'index.json',
      ]);
    });
  }

  it('returns a conversation although a disk refuses to say how old its lease is', async () => {
    await fill(1);
    await writeFile(path.join(folder.path, 'c0.lease'), 'token 1 window');
    const storage = new RefusingStorage(folder.path);
    storage.refuses = (step, name) => step === 'stat' && name === 'c0.lease';
    const window = folder.window('one', {}, storage);
    assert.deepEqual(await listNames(window), ['Name of c0']);
    assert.equal(window.errors.length, 1);
  });

  it('`scan` yields every conversation with all turns', async () => {
    await fill(3);
    const texts: string[] = [];
    for await (const { turns } of folder.window().store.scan()) {
      texts.push(...turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : [])));
    }
    assert.deepEqual(texts, ['Said in c2', 'Said in c1', 'Said in c0']);
    const gone = AbortSignal.abort();
    await assert.rejects(folder.window().store.scan(gone).next());
  });
});
