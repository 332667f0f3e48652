import assert from 'node:assert/strict';
import { crashProperties } from '../chat/store/support/crashProperties';
import { cases } from '../support/fuzz';
import { skipSuite } from '../support/skip';
import { installWebVSCode } from '../vscode/webVSCode';
import type * as pageTests from './support/browserStorage/pageTests';
import { openStoragePage, type StoragePage } from './support/browserStorage/storagePage';

declare const storageTests: typeof pageTests;

/** The number of cases, each of which has a database of its own. */
const NUM_RUNS = 200;

describe('Storage in the browser’s database, by the code of VS Code for the Web', () => {
  let open: StoragePage | undefined;
  before(async function () {
    try {
      await installWebVSCode();
    } catch (error) {
      skipSuite(this, (error as Error).message.split('\n', 1)[0] ?? '');
    }
    open = await openStoragePage();
  });
  after(() => open?.close());

  for (const title of Object.keys(crashProperties) as (keyof typeof crashProperties)[]) {
    it(title, async () => {
      await open?.page.evaluate(([name, options]) => storageTests.checkProperty(name, options), [
        title,
        cases(NUM_RUNS),
      ] as const);
    });
  }

  it('fails, instead of finding no file of another window, once the browser has closed the database', async () => {
    assert.deepEqual(await open?.page.evaluate(() => storageTests.useClosedDatabase()), {
      read: 'fails',
      stat: 'fails',
      rename: 'fails',
      remove: 'fails',
      create: 'fails',
    });
  });
});
