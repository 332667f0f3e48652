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
