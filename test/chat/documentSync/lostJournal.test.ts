import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recognizeDocuments } from '../../../src/chat/documentSync/recognizeDocuments';
import { planSync } from '../../../src/chat/documentSync/syncPlan';
import { SyncState } from '../../../src/chat/documentSync/syncState';
import type { LocalService } from '../../service/localService';
import { withLocalService } from '../../service/support/withLocalService';
import { assertLinear } from '../../support/cpuTime';
import { getStoredTexts, openSyncWindow, SyncedFolder, type SyncWindow } from './support/syncedFolder';

describe('A sync of documents without its journal', () => {
  let service: LocalService;
  let storages: string[];
  let folder: SyncedFolder;
  const restart = withLocalService((started) => {
    service = started;
  });
  beforeEach(() => {
    storages = [];
    folder = new SyncedFolder()
      .write('README.md', 'the root')
      .write('docs/README.md', 'of the docs')
      .write('docs/pricing.md', 'cheap');
  });
  afterEach(() => Promise.all(storages.map((storage) => rm(storage, { recursive: true, force: true }))));

  /** Opens a window on another machine, or with a storage that was lost. */
  const openElsewhere = async (
    options: Parameters<typeof openSyncWindow>[3] = {},
  ): Promise<SyncWindow & { readonly storage: string }> => {
    const storage = await mkdtemp(path.join(tmpdir(), 'parley-sync-'));
    storages.push(storage);
    return { ...openSyncWindow(service, storage, folder, options), storage };
  };
  const place = (key: string | undefined, botId = 'echo') => ({
    carrier: { label: 'Documents of repo', botId, key },
  });
  const changes = async (window: SyncWindow) => {
    await window.recognize();
    return (await window.plan()).files.map((file) => `${file.change} ${file.path}`);
  };
  const getCarriers = () => [...service.conversations.values()].map(({ name }) => name);

  for (const profile of ['lenient', 'hosted', 'captured'] as const) {
    it(`finds the documents under their names, and replaces only what is selected (${profile})`, async () => {
      const places = { lenient: undefined, hosted: 'handbooks', captured: 'projects' };
      const folderId = places[profile];
      await restart({ profile, listingMs: 0, maxConversions: 1000 });
      await (await openElsewhere({ folderId })).syncAll();
      const other = await openElsewhere({ folderId });
      assert.deepEqual(await changes(other), [
        'found README.md',
        'found docs/README.md',
        'found docs/pricing.md',
      ]);
      // Also after a restart.
      const again = openSyncWindow(service, other.storage, folder, { folderId });
      assert.deepEqual(
        (await again.plan()).files.map(({ change }) => change),
        ['found', 'found', 'found'],
      );
      folder.write('docs/pricing.md', 'dear').write('new.md', 'new');
      assert.deepEqual(await changes(again), [
        'found README.md',
        'found docs/README.md',
        'changed docs/pricing.md',
        'added new.md',
      ]);
      const { files } = await again.plan();
      const chosen = files.filter(({ change }) => change !== 'found');
      const result = await again.sync.run(
        again.target,
        chosen.map((file) => ({ action: 'upload', ...file })),
        {
          signal: new AbortController().signal,
          files: folder.scan(),
          open: folder.open,
          identifyDelaysMs: [20, 40, 80],
        },
      );
      assert.ok(result !== 'otherWindow');
      assert.deepEqual([result.uploaded, result.failed], [2, []]);
      assert.deepEqual(getStoredTexts(service), folder.texts);
      assert.deepEqual(getCarriers(), ['Documents of repo (repo)']);
      await again.syncAll();
      assert.deepEqual(getStoredTexts(service), folder.texts);
      assert.deepEqual((await again.plan()).files, []);
    });
  }

  it('keeps a document as found when its file is only written again', async () => {
    await (await openElsewhere()).syncAll();
    const other = await openElsewhere();
    await other.recognize();
    folder.write('README.md', 'the root').write('docs/README.md', 'of the docs');
    // As when it can't be read.
    const plan = planSync(await other.sync.read('journal'), folder.scan(), async () => undefined);
    for (const { files, seen } of [await other.plan(), await plan])
      assert.deepEqual([files.map(({ change }) => change), seen], [['found', 'found', 'found'], []]);
  });

  it('finds what another machine uploaded since in the place of a document', async () => {
    const one = await openElsewhere();
    await one.syncAll();
    const other = await openElsewhere();
    await other.recognize();
    folder.write('docs/pricing.md', 'dear');
    await other.syncAll();
    assert.deepEqual(await changes(one), [
      'found README.md',
      'found docs/README.md',
      'found docs/pricing.md',
    ]);
    await one.syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('finds the documents of the workspace folder also with another bot open', async () => {
    await (await openElsewhere()).syncAll();
    const other = await openElsewhere({ target: place('repo', service.bots[1]?.id) });
    assert.deepEqual(await changes(other), [
      'found README.md',
      'found docs/README.md',
      'found docs/pricing.md',
    ]);
    folder.write('new.md', 'new');
    const result = await other.sync.run(
      other.target,
      [{ action: 'upload', path: 'new.md', size: 3, mtime: 1 }],
      { signal: new AbortController().signal, files: folder.scan(), open: folder.open },
    );
    assert.ok(result !== 'otherWindow');
    assert.deepEqual([result.uploaded, getCarriers()], [1, ['Documents of repo (repo)']]);
  });

  it('keeps the documents of workspace folders of one name apart, in any order of their syncs', async () => {
    const folders = ['one', 'other', undefined, undefined].map((key, index) => {
      const files = new SyncedFolder()
        .write('README.md', `text ${index}`)
        .write(`${index}.md`, `own ${index}`);
      return { files, options: { target: place(key) } };
    });
    const getTexts = () => folders.flatMap(({ files }) => files.texts).toSorted();
    const windows: SyncWindow[] = [];
    for (const { files, options } of folders) {
      folder = files;
      windows.push(await openElsewhere(options));
      await windows.at(-1)?.recognize();
      await windows.at(-1)?.syncAll();
    }
    assert.deepEqual(getStoredTexts(service), getTexts());
    for (const [index, { files }] of folders.entries()) {
      files.remove('README.md').write(`${index}.md`, `changed ${index}`);
      await windows[index]?.recognize();
      await windows[index]?.syncAll();
      assert.deepEqual(getStoredTexts(service), getTexts());
    }
    assert.equal(new Set(getCarriers()).size, 4);
  });

  it('finds the right one of several files of one name if only some were uploaded', async () => {
    const one = await openElsewhere();
    const { files } = await one.plan();
    const chosen = files.filter(({ path: filePath }) => filePath === 'docs/README.md');
    await one.sync.run(
      one.target,
      chosen.map((file) => ({ action: 'upload', ...file })),
      { signal: new AbortController().signal, files: folder.scan(), open: folder.open },
    );
    assert.deepEqual(await changes(await openElsewhere()), [
      'added README.md',
      'found docs/README.md',
      'added docs/pricing.md',
    ]);
    await one.syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('doesn’t upload what another machine has uploaded since the list was shown', async () => {
    folder.remove('docs/pricing.md');
    const [one, other] = [await openElsewhere(), await openElsewhere()];
    const sync = async (window: SyncWindow, beforehand: () => Promise<unknown>) => {
      await window.recognize();
      const { files } = await window.plan();
      await beforehand();
      const result = await window.sync.run(
        window.target,
        files.map((file) => ({ action: 'upload', ...file })),
        { signal: new AbortController().signal, files: folder.scan(), open: folder.open },
      );
      assert.ok(result !== 'otherWindow');
      return result;
    };
    const first = await sync(one, () => other.syncAll());
    assert.deepEqual([first.uploaded, first.found], [0, ['README.md', 'docs/README.md']]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    assert.equal((await one.sync.read('journal')).synced, undefined);
    assert.deepEqual(await changes(one), ['found README.md', 'found docs/README.md']);
    await one.syncAll();
    folder.write('docs/README.md', 'changed').write('docs/new.md', 'new');
    const second = await sync(one, async () => {
      await other.recognize();
      await other.syncAll();
    });
    assert.deepEqual([second.uploaded, second.found], [0, ['docs/README.md', 'docs/new.md']]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    // Once the user has agreed to replace them, they are.
    await one.syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('removes nothing that isn’t the document of a file', async () => {
    await (await openElsewhere()).syncAll();
    folder.remove('docs/pricing.md');
    const other = await openElsewhere();
    assert.deepEqual(await changes(other), ['found README.md', 'found docs/README.md']);
    await other.syncAll();
    assert.deepEqual(getStoredTexts(service), [...folder.texts, 'cheap'].toSorted());
  });

  it('uses no conversation of another workspace folder, or of another folder on the service', async () => {
    await restart({ profile: 'hosted', listingMs: 0 });
    const [first, second] = ['handbooks', [...service.folders.keys()].find((id) => id !== 'handbooks')];
    await (await openElsewhere({ folderId: first })).syncAll();
    for (const options of [
      { folderId: second },
      { folderId: first, target: place('other') },
      { folderId: first, target: place(undefined) },
    ]) {
      const other = await openElsewhere(options);
      assert.deepEqual(await changes(other), [
        'added README.md',
        'added docs/README.md',
        'added docs/pricing.md',
      ]);
    }
    const other = await openElsewhere({ folderId: second });
    await other.syncAll();
    assert.equal(getCarriers().length, 2);
  });

  it('uses no conversation that the workspace’s other documents are registered with', async () => {
    const one = await openElsewhere();
    await one.syncAll();
    const target = { journalId: 'other', otherJournalIds: ['journal'] };
    const other = openSyncWindow(service, one.storage, folder, { target });
    assert.equal((await other.recognize()).isFound, false);
    await other.syncAll();
    assert.equal(getCarriers().length, 2);
  });

  it('looks for nothing where the service lists no conversations', async () => {
    await restart({ profile: 'minimal' });
    await (await openElsewhere()).syncAll();
    assert.equal((await changes(await openElsewhere())).length, 3);
  });

  it('finds no document of another conversation in a list that ignores the query', async () => {
    await restart({ ignoresConversation: ['GET /documents'] });
    await (await openElsewhere({ target: place('other') })).syncAll();
    folder.remove('docs/pricing.md');
    await (await openElsewhere()).syncAll();
    folder.write('docs/pricing.md', 'cheap');
    assert.deepEqual((await changes(await openElsewhere())).toSorted(), [
      'added docs/pricing.md',
      'found README.md',
      'found docs/README.md',
    ]);
  });

  it('compares thousands of names in linear time', async () => {
    await assertLinear((length) => {
      const files = Array.from({ length }, (_, index) => ({ path: `d/${index}.md`, size: 1, mtime: 1 }));
      const listed = files.map(({ path: name }, index) => ({ id: String(index), name: name.slice(2) }));
      const found = recognizeDocuments(new SyncState(), files, listed, (file) => `${file.slice(2)}.txt`);
      assert.equal(found.length, length);
    }, 600);
  });
});
