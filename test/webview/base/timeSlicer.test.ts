import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openScriptPage } from '../support/scriptPage';

declare const sliced: typeof import('../../../src/webview/base/timeSlicer');

describe('TimeSlicer', () => {
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    page = await openScriptPage({
      entry: require.resolve('../../../src/webview/base/timeSlicer'),
      globalName: 'sliced',
    });
    page.on('console', (message) => errors.push(message.text()));
    // tsx adds its own helper to a function.
    await page.evaluate('globalThis.__name = (target) => target');
  });
  after(() => page.close());

  it('continues with the other jobs, even ones added later, when one throws', async () => {
    const done = await page.evaluate(async () => {
      const work = new sliced.TimeSlicer();
      const finished: string[] = [];
      const finish = function* (name: string): Generator<void> {
        yield;
        finished.push(name);
      };
      const fail = function* (): Generator<void> {
        yield;
        throw new Error('This job can’t be done.');
      };
      work.addJob(finish('first'));
      work.addJob(fail());
      work.addJob(finish('second'));
      await work.whenIdle();
      work.addJob(finish('third'));
      await work.whenIdle();
      return finished;
    });
    assert.deepEqual(done, ['first', 'second', 'third']);
    assert.match(errors.join(), /A job failed: Error: This job can’t be done/);
  });
});
