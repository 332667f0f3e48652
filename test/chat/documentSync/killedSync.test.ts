import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fetch } from '../../../src/client/fetch';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import type { LocalService, LocalServiceOptions } from '../../service/localService';
import { startLocalService } from '../../service/localService';
import { createEndingStorage } from '../support/endingStorage';
import { getStoredTexts, openSyncWindow, SyncedFolder } from './support/syncedFolder';

/** A process that is killed at one of its steps: after that, nothing reaches the disk or the service. */
function createKilledProcess(storageFolder: string, killAt: number, isAnswerLost: boolean) {
  let steps = 0;
  let lastStep: 'request' | 'storage' | undefined;
  let endProcess: (() => void) | undefined;
  const killed = new Promise<void>((resolve) => {
    endProcess = resolve;
  });
  /** What reached the disk or the service before, and may take effect after that. */
  const underWay = new Set<Promise<unknown>>();
  const begin = <T>(operation: Promise<T>): Promise<T> => {
    underWay.add(operation);
    return operation.finally(() => underWay.delete(operation));
  };
  const isDead = () => steps > killAt;
  const die = () => {
    endProcess?.();
    throw new Error('The process was killed.');
  };
  const nodeFetch = createNodeFetch();
  const fetch: Fetch = async (...request) => {
    if (isDead()) die();
    const isLast = ++steps > killAt;
    if (isLast) lastStep = 'request';
    if (isLast && !isAnswerLost) die();
    const response = await begin(nodeFetch(...request));
    // Another request may have been the last one in the meantime.
    if (isDead()) die();
    return response;
  };
  const inner = createEndingStorage(storageFolder, () => undefined);
  const storage = new Proxy(inner, {
    get(target, name: keyof typeof inner) {
      const operation = target[name].bind(target) as (...parameters: unknown[]) => unknown;
      if (name === 'watch') return operation;
      return async (...parameters: unknown[]) => {
        if (isDead()) die();
        if (++steps > killAt) {
          lastStep = 'storage';
          die();
        }
        return begin(Promise.resolve(operation(...parameters)));
      };
    },
  });
  const whenKilled = async () => {
    await killed;
    await Promise.allSettled(underWay);
  };
  return { fetch, storage, whenKilled, getLastStep: () => lastStep };
}

/** How a folder is before each of its syncs. Files of one name, and files that get each other's content, are among them. */
const edits: readonly ((folder: SyncedFolder) => void)[] = [
  (folder) =>
    folder
      .write('README.md', 'one')
      .write('docs/README.md', 'two')
      .write('docs/a.md', 'a')
      .write('b.md', 'b'),
  (folder) =>
    folder
      .write('README.md', 'two')
      .write('docs/README.md', 'one')
      .write('lib/README.md', 'three')
      .remove('b.md'),
];

describe('A sync that is killed', () => {
  let storage: string;
  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'parley-sync-'));
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  const profiles: readonly [string, LocalServiceOptions][] = [
    ['that returns documents', {}],
    [
      'that lists documents without returning them',
      { profile: 'hosted', listingMs: 0, maxConversions: 1000, requestsPerMinute: Number.POSITIVE_INFINITY },
    ],
    [
      'that lists documents later and under other names',
      {
        ...{ profile: 'captured', maxConversions: 1000, requiresFolder: false },
        ...{ requestsPerMinute: Number.POSITIVE_INFINITY },
        ...{ listingMs: Number.POSITIVE_INFINITY, conversionMs: Number.POSITIVE_INFINITY },
      },
    ],
  ];
  for (const [what, options] of profiles) {
    it(`at any step ends as one that isn’t, with a service ${what} [attack: documents]`, async () => {
      const service = await startLocalService(options);
      let steps = 0;
      try {
        let killed = true;
        let wasRequest = true;
        for (; killed; steps++) {
          // Only a request has an answer that can be lost.
          if (steps % 2 === 1 && !wasRequest) continue;
          wasRequest = false;
          service.clearRecords();
          await rm(storage, { recursive: true, force: true });
          const folder = new SyncedFolder();
          killed = false;
          for (const edit of edits) {
            edit(folder);
            const last = await runKilled(service, storage, folder, steps);
            killed ||= last !== undefined;
            wasRequest ||= last === 'request';
            // The second one removes what the first one found.
            for (let run = 0; run < 3; run++) {
              service.conversions.listAll();
              await openSyncWindow(service, storage, folder).syncAll({ identifyDelaysMs: [] });
            }
            assert.deepEqual(getStoredTexts(service), folder.texts, `killed at step ${steps}`);
            await assertIdsAreRight(service, storage, folder);
          }
        }
      } finally {
        await service.close();
      }
      assert.ok(steps > 40, `${steps} steps`);
    });
  }

  it('registers nothing twice without a question where the service can’t list documents', async () => {
    const service = await startLocalService({ profile: 'minimal' });
    try {
      for (let steps = 0, killed = true; killed; steps++) {
        service.clearRecords();
        await rm(storage, { recursive: true, force: true });
        const folder = new SyncedFolder();
        edits[0]?.(folder);
        killed = (await runKilled(service, storage, folder, steps)) !== undefined;
        const window = openSyncWindow(service, storage, folder);
        const { files } = await window.plan();
        const sure = files.filter(({ change }) => change !== 'unconfirmed');
        let result: unknown = 'otherWindow';
        while (result === 'otherWindow') {
          result = await window.sync.run(
            window.target,
            sure.map((file) => ({ action: 'upload', ...file })),
            { signal: new AbortController().signal, files: folder.scan(), open: folder.open },
          );
        }
        const texts = getStoredTexts(service);
        assert.equal(new Set(texts).size, texts.length, `killed at step ${steps}`);
        const doubtful = files.length - sure.length;
        assert.ok(texts.length >= folder.texts.length - doubtful && texts.length <= folder.texts.length);
      }
    } finally {
      await service.close();
    }
  });
});

/** Syncs in a process that is killed at a step, with and without its last answer. Returns what its last step was; undefined if it ended before. */
async function runKilled(service: LocalService, storage: string, folder: SyncedFolder, step: number) {
  const process = createKilledProcess(storage, Math.floor(step / 2), step % 2 === 1);
  const window = openSyncWindow(service, storage, folder, process);
  const done = window.syncAll({ identifyDelaysMs: [] }).catch(() => undefined);
  // A killed process doesn't wait until it would try again.
  await Promise.race([process.whenKilled(), done]);
  void window.sync.dispose().catch(() => undefined);
  return process.getLastStep();
}

/** Checks that the journal has the service's ID of each file's own document, and of no other. */
async function assertIdsAreRight(service: LocalService, storage: string, folder: SyncedFolder) {
  const { sync } = openSyncWindow(service, storage, folder);
  for (const { id, path: filePath } of (await sync.read('journal')).current) {
    const document = service.documents.get(id ?? '');
    const file = await folder.open(filePath);
    const expected = await new Response(await file?.opened.body.open()).text();
    assert.equal(service.objects.get(document?.key ?? '')?.toString(), expected, filePath);
  }
}
