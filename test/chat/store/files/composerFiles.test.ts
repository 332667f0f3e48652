import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EMPTY_COMPOSER } from '../../../../src/chat/model/composerState';
import { createStoreFolder, type StoreFolder } from '../support/folders';

const text =
  '{"context":[{"id":"a","kind":"file","name":"a.ts","text":"```\\ncode\\n```"}],"webSearch":false}';

describe('ComposerFiles', () => {
  let folder: StoreFolder;

  beforeEach(async () => {
    folder = await createStoreFolder();
  });

  afterEach(() => folder.close());

  it('read the files of earlier versions, and write the same format', async () => {
    await writeFile(path.join(folder.path, 'c.composing.draft'), text);
    const { composers } = folder.window().store;
    const state = await composers.get('c');
    assert.deepEqual(state, JSON.parse(text));
    composers.set('d', state);
    await composers.flush();
    assert.equal(await readFile(path.join(folder.path, 'd.composing.draft'), 'utf8'), text);
  });

  it('keep chips and properties that this version doesn’t know', async () => {
    const known = { id: 'a', kind: 'file', name: 'a.ts', text: 'code', later: 1 };
    const stored = {
      context: [{ kind: 'later' }, known],
      webSearch: 'deep',
      queuedEdit: { at: 1 },
      later: [2],
    };
    const file = path.join(folder.path, 'c.composing.draft');
    await writeFile(file, JSON.stringify(stored));
    const { composers } = folder.window().store;
    assert.deepEqual(await composers.get('c'), { context: [known], webSearch: false });
    composers.set('c', EMPTY_COMPOSER);
    await composers.flush();
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { ...stored, context: [{ kind: 'later' }] });
    await composers.remove('c');
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('report a file that can’t be read, and keep a copy of it', async () => {
    const file = path.join(folder.path, 'c.composing.draft');
    const { store, events, errors } = folder.window();
    for (const content of ['{', '[]', '{"context":1}']) {
      await writeFile(file, content);
      assert.deepEqual(await store.composers.get('c'), EMPTY_COMPOSER);
      assert.match(String(errors.pop()), /^Error: c.composing.draft can't be read, and is kept as/);
      assert.deepEqual(events.splice(0), [{ type: 'damaged', id: 'c' }]);
    }
    store.composers.set('c', { context: [], webSearch: true });
    await store.composers.flush();
    assert.equal(await readFile(`${file}.damaged`, 'utf8'), '{');
    await store.purge('c');
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('delete the file of an empty composer', async () => {
    const { composers } = folder.window().store;
    composers.set('c', { context: [], webSearch: true });
    await composers.flush();
    assert.deepEqual(await readdir(folder.path), ['c.composing.draft']);
    composers.set('c', EMPTY_COMPOSER);
    await composers.flush();
    assert.deepEqual([await readdir(folder.path), await composers.get('c')], [[], EMPTY_COMPOSER]);
  });

  it('delete the file of a conversation that is purged', async () => {
    const { store } = folder.window();
    store.composers.set('c', { context: [], webSearch: true });
    await store.composers.flush();
    await store.purge('c');
    assert.deepEqual(await readdir(folder.path), []);
  });
});
