import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fetch } from '../../../src/client/fetch';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import type { LocalService } from '../../service/localService';
import { withLocalService } from '../../service/support/withLocalService';
import { getStoredTexts, openSyncWindow, SyncedFolder, type SyncWindow } from './support/syncedFolder';

describe('A sync of documents', () => {
  let service: LocalService;
  let storage: string;
  let folder: SyncedFolder;
  const restart = withLocalService((started) => {
    service = started;
  });
  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'parley-sync-'));
    folder = new SyncedFolder()
      .write('README.md', 'the root')
      .write('docs/README.md', 'of the docs')
      .write('docs/pricing.md', 'cheap');
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  const open = (options: Parameters<typeof openSyncWindow>[3] = {}): SyncWindow =>
    openSyncWindow(service, storage, folder, options);
  const count = (pattern: RegExp) =>
    service.requests.filter(({ method, path: requested }) => pattern.test(`${method} ${requested}`)).length;
  const changes = async (window: SyncWindow) =>
    (await window.plan()).files.map((file) => `${file.change} ${file.path}`);

  it('uploads every file once, and gives files of one name different names in the list’s order', async () => {
    // It takes longer to read than the others.
    folder.write('README.md', 'x'.repeat(20_000_000));
    const window = open();
    assert.deepEqual(await changes(window), [
      'added README.md',
      'added docs/README.md',
      'added docs/pricing.md',
    ]);
    const result = await window.syncAll({ branch: 'main' });
    assert.deepEqual([result.uploaded, result.failed, result.canceled], [3, [], false]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    const names = [...service.documents.values()].map(({ name }) => name).toSorted();
    assert.deepEqual(names, ['README.md', 'docs-README.md', 'pricing.md']);
    assert.deepEqual(await changes(window), []);
    assert.equal((await window.sync.read('journal')).synced?.branch, 'main');
  });

  it('uploads every file again to a conversation that was created again', async () => {
    // Each of these syncs creates one for its own documents.
    for (const key of ['one', 'other'])
      await open({
        target: { journalId: key, carrier: { label: `Documents of ${key}`, botId: 'echo', key } },
      }).syncAll();
    const [one, other] = service.conversations.keys();
    assert.ok(one && other);
    let id = one;
    const window = open({ target: { carrier: { ensure: async () => id } } });
    assert.equal((await window.syncAll()).uploaded, 3);
    folder.write('docs/new.md', 'new');
    id = other;
    assert.equal((await window.syncAll()).uploaded, 1);
    assert.equal((await window.syncAll()).uploaded, 3);
  });

  it('sends nothing for files that are as they were, also if they were written again', async () => {
    await open().syncAll();
    folder.write('docs/pricing.md', 'cheap');
    const puts = count(/^PUT/);
    const window = open();
    const { files, seen, unchanged } = await window.plan();
    assert.deepEqual([files, seen.length, unchanged], [[], 1, 3]);
    await window.syncAll();
    assert.equal(count(/^PUT/), puts);
  });

  it('uploads what has changed, and removes the older version and those of files that are gone', async () => {
    await open().syncAll();
    folder.write('docs/pricing.md', 'dear').remove('README.md').write('new.md', 'new');
    const window = open();
    assert.deepEqual(await changes(window), ['changed docs/pricing.md', 'added new.md', 'gone README.md']);
    const result = await window.syncAll();
    assert.deepEqual([result.uploaded, result.removed, result.kept], [2, 2, 0]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    assert.deepEqual(await changes(window), []);
  });

  it('registers with one conversation of its own, and in the folder', async () => {
    await restart({ profile: 'captured' });
    await open({ folderId: 'projects' }).syncAll();
    folder.write('new.md', 'new');
    await open({ folderId: 'projects' }).syncAll();
    const documents = [...service.documents.values()];
    assert.deepEqual([...new Set(documents.map(({ folder_id }) => folder_id))], ['projects']);
    assert.equal(new Set(documents.map(({ conversation_id }) => conversation_id)).size, 1);
    assert.deepEqual(
      [...service.conversations.values()].map(({ name }) => name),
      ['Documents of repo (repo)'],
    );
  });

  it('creates another conversation if its own was deleted on the service', async () => {
    await open().syncAll();
    const [first] = service.conversations.keys();
    (service.conversations as Map<string, unknown>).delete(first ?? '');
    folder.write('new.md', 'new');
    const result = await open().syncAll();
    assert.deepEqual([result.uploaded, result.failed], [1, []]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    assert.equal(service.conversations.size, 1);
  });

  it('finds its conversation after the answer was lost, also if only the journal has its name', async () => {
    const target = { carrier: { label: 'Documents of repo', botId: 'echo', key: undefined } };
    const nodeFetch = createNodeFetch();
    const fetch: Fetch = async (url, init) => {
      const response = await nodeFetch(url, init);
      if (init?.method === 'POST' && new URL(url).pathname.endsWith('/conversations'))
        throw new Error('lost');
      return response;
    };
    const result = await open({ target, fetch }).syncAll();
    assert.equal(result.uploaded, 0);
    await open({ target }).syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
    assert.equal(service.conversations.size, 1);
  });

  it('keeps the newest version if the service’s list is older than its upload', async () => {
    const nodeFetch = createNodeFetch();
    const lists = new Map<string, string>();
    let isStale = false;
    const fetch: Fetch = async (url, init) => {
      if (init.method !== 'GET' || !url.includes('/documents?')) return nodeFetch(url, init);
      const list = (isStale && lists.get(url)) || (await (await nodeFetch(url, init)).text());
      lists.set(url, list);
      return new Response(list, { headers: { 'content-type': 'application/json' } });
    };
    const window = open({ fetch });
    await window.syncAll();
    await window.recognize();
    isStale = true;
    folder.write('docs/pricing.md', 'dear');
    assert.equal((await window.syncAll()).removed, 1);
    const [registration] = (await window.sync.read('journal')).current;
    assert.ok(registration);
    const seen = { registration, file: registration };
    // So many records that the journal is written anew.
    for (const records of [[], Array.from({ length: 3000 }, () => seen)]) {
      await window.sync.noteSeen('journal', records);
      assert.equal((await window.recognize()).isFound, false);
      folder.write(`${records.length}.md`, `new ${records.length}`);
      assert.deepEqual(await changes(window), [`added ${records.length}.md`]);
      await window.syncAll();
      assert.deepEqual(getStoredTexts(service), folder.texts);
    }
  });

  it('says which older versions a service keeps that can’t remove any', async () => {
    await restart({ profile: 'minimal' });
    await open().syncAll();
    folder.write('docs/pricing.md', 'dear');
    const result = await open().syncAll();
    assert.deepEqual([result.uploaded, result.removed, result.kept], [1, 0, 1]);
    assert.deepEqual((await open().plan()).files, []);
  });

  it('says which older versions stay on a service that can neither list nor remove documents', async () => {
    await restart({ missing: ['GET /documents'] });
    service.inject({ ...{ name: 'status', on: 'DELETE /documents/{id}', status: 404 }, times: 4 });
    await open().syncAll();
    folder.write('docs/pricing.md', 'dear').remove('README.md');
    for (let index = 0; index < 2; index++) {
      const { removed, kept } = await open().syncAll();
      assert.deepEqual([removed, kept], [0, 2]);
    }
    // Once the service can remove them, it does.
    const { removed, kept } = await open().syncAll();
    assert.deepEqual([removed, kept], [2, 0]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  for (const [position, index] of [
    ['first', 0],
    ['last', -1],
  ] as const) {
    it(`doesn’t count the ${position} document as kept if it is already gone, also where none are listed`, async () => {
      await restart({ missing: ['GET /documents'] });
      const window = open();
      await window.syncAll();
      const { current } = await window.sync.read('journal');
      (service.documents as Map<string, unknown>).delete(current.at(index)?.id ?? '');
      for (const { path: filePath } of current) folder.remove(filePath);
      const { removed, kept } = await window.syncAll();
      assert.deepEqual([removed, kept], [3, 0]);
    });
  }

  it('learns the IDs of documents that are listed later, under other names', async () => {
    await restart({ profile: 'captured', listingMs: 100, folders: [], requiresFolder: false });
    await open().syncAll();
    const { current } = await open().sync.read('journal');
    for (const { id, path: filePath } of current) {
      const { key = '' } = service.documents.get(id ?? '') ?? {};
      const text = service.objects.get(key)?.toString() ?? '';
      const file = await folder.open(filePath);
      const expected = await new Response(await file?.opened.body.open()).text();
      assert.equal(text, expected, filePath);
    }
  });

  it('goes on with the other files after one was refused, and says which', async () => {
    folder.write('a.md', 'x');
    service.inject({
      on: 'POST /documents/file',
      name: 'status',
      status: 422,
      body: { message: 'no', errors: { file_name: ['No.'] } },
    });
    const result = await open().syncAll();
    assert.deepEqual([result.uploaded, result.failed.length, result.stoppedBy], [3, 1, undefined]);
    assert.equal((await open().plan()).files.length, 1);
  });

  it('stops at the first failure that all files would have, and continues later', async () => {
    service.inject({ on: 'POST /uploads/signed-url', name: 'status', status: 401 });
    const result = await open().syncAll();
    assert.equal(result.stoppedBy?.code, 'unauthorized');
    assert.ok(result.uploaded < 3);
    await open().syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('is canceled between two files, and continues with the others', async () => {
    for (let index = 0; index < 20; index++) folder.write(`docs/${index}.md`, `text ${index}`);
    const canceling = new AbortController();
    const result = await open().syncAll({
      signal: canceling.signal,
      onProgress: ({ done }) => {
        if (done === 5) canceling.abort();
      },
    });
    assert.deepEqual([result.canceled, result.stoppedBy], [true, undefined]);
    assert.ok(service.documents.size >= 5 && service.documents.size < 23, String(service.documents.size));
    await open().syncAll();
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('is run by one window at a time', async () => {
    const nodeFetch = createNodeFetch();
    const other = open();
    let second: Promise<unknown> | undefined;
    const fetch: Fetch = async (...request) => {
      if (request[1].method === 'PUT') {
        second ??= other.sync.run(other.target, items, {
          signal: new AbortController().signal,
          files: folder.scan(),
          open: folder.open,
        });
        await second;
      }
      return nodeFetch(...request);
    };
    const one = open({ fetch });
    const { files } = await one.plan();
    const items = files.map((file) => ({ action: 'upload', ...file }) as const);
    await one.syncAll();
    assert.equal(await second, 'otherWindow');
    assert.deepEqual(getStoredTexts(service), folder.texts);
  });

  it('registers nothing that another window has registered while this one slept', async () => {
    folder = new SyncedFolder().write('README.md', 'the root');
    const nodeFetch = createNodeFetch();
    let slept: Promise<unknown> | undefined;
    const fetch: Fetch = async (...request) => {
      const answer = await nodeFetch(...request);
      if (request[1].method === 'PUT' && !slept) {
        slept = open().syncAll();
        await slept;
      }
      return answer;
    };
    const { uploaded, canceled } = await open({ fetch }).syncAll();
    assert.deepEqual([uploaded, canceled], [0, true]);
    assert.deepEqual(getStoredTexts(service), folder.texts);
    assert.deepEqual(await changes(open()), []);
  });

  it('skips what another window synced since the list was shown', async () => {
    const one = open();
    const { files } = await one.plan();
    await open().syncAll();
    const result = await one.sync.run(
      one.target,
      files.map((file) => ({ action: 'upload', ...file })),
      { signal: new AbortController().signal, files: folder.scan(), open: folder.open },
    );
    assert.ok(result !== 'otherWindow');
    assert.deepEqual([result.uploaded, result.same], [0, 3]);
    assert.equal(service.documents.size, 3);
  });
});
