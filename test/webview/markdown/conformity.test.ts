import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import { commonMarkExamples, type Example, gfmExamples } from './examples';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

describe('Markdown conformity', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage({ anyLink: true });
  });
  after(() => page.close());

  async function findDifferences(examples: readonly Example[]) {
    return await page.evaluate((all) => markdown.findDifferences(all), examples);
  }

  it("renders CommonMark's 652 examples", async () => {
    assert.equal(commonMarkExamples.length, 652);
    assert.deepEqual(await findDifferences(commonMarkExamples), []);
  });

  it("renders GFM's examples of tables, task lists, strikethrough and autolinks", async () => {
    assert.ok(gfmExamples.length >= 50, `${gfmExamples.length}`);
    assert.deepEqual(await findDifferences(gfmExamples), []);
  });
});
