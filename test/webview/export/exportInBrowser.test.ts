import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { compactEntities } from '../../../scripts/esbuild/compactEntities';
import { cases } from '../../support/fuzz';
import { cutMarkdown, everyOffset, exampleTexts } from '../markdown/randomMarkdown';
import { openScriptPage } from '../support/scriptPage';
import type * as exportPageScript from './exportPageScript';

declare const exported: typeof exportPageScript;

describe('An export to HTML, compared in a browser', () => {
  let page: Page;
  before(async () => {
    page = await openScriptPage({
      entry: path.join(__dirname, 'exportPageScript.ts'),
      globalName: 'exported',
      plugins: [compactEntities],
    });
  });
  after(() => page.close());

  it('has the nodes of the panel for every example, streamed by character', async () => {
    const cuts = exampleTexts.map((text) => ({ text, offsets: everyOffset(text) }));
    assert.deepEqual(await page.evaluate((all) => exported.findTreeDifferences(all), cuts), []);
  });

  it('has the nodes of the panel for any text, however it is cut', async () => {
    const property = fc.asyncProperty(
      fc.array(cutMarkdown, { minLength: 200, maxLength: 200 }),
      async (cuts) => {
        assert.deepEqual(await page.evaluate((all) => exported.findTreeDifferences(all), cuts), []);
      },
    );
    await fc.assert(property, cases(10));
  });

  it('is read as it was written, so that no text becomes markup and no element moves [attack: hostile HTML export]', async () => {
    assert.deepEqual(await page.evaluate((all) => exported.findMisreadHtml(all), exampleTexts), []);
    const property = fc.asyncProperty(
      fc.array(cutMarkdown, { minLength: 200, maxLength: 200 }),
      async (cuts) => {
        const texts = cuts.map(({ text }) => text);
        assert.deepEqual(await page.evaluate((all) => exported.findMisreadHtml(all), texts), []);
      },
    );
    await fc.assert(property, cases(10));
  });
});
