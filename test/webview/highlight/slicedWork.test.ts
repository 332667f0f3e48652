import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

declare const sliced: typeof import('../../../src/webview/highlight/slicedWork');

describe('Work in slices', () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
    page = await browser.newPage();
    page.on('console', (message) => errors.push(message.text()));
    const { outputFiles } = await build({
      entryPoints: [require.resolve('../../../src/webview/highlight/slicedWork')],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'sliced',
    });
    // tsx adds its own helper to a function.
    await page.evaluate('globalThis.__name = (target) => target');
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  });
  after(() => browser.close());

  it('goes on with the other jobs, those added later too, when one throws', async () => {
    const done = await page.evaluate(async () => {
      const work = new sliced.SlicedWork();
      const finished: string[] = [];
      const finish = function* (name: string): Generator<void> {
        yield;
        finished.push(name);
      };
      const fail = function* (): Generator<void> {
        yield;
        throw new Error('This job can’t be done.');
      };
      work.add(finish('first'));
      work.add(fail());
      work.add(finish('second'));
      await work.idle();
      work.add(finish('third'));
      await work.idle();
      return finished;
    });
    assert.deepEqual(done, ['first', 'second', 'third']);
    assert.match(errors.join(), /A job failed: Error: This job can’t be done/);
  });
});
