import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { cases } from '../../support/fuzz';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';
import { cutMarkdown, everyOffset, exampleTexts } from './randomMarkdown';

declare const markdown: typeof pageScript;

describe('Markdown streaming', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage({ anyLink: true });
  });
  after(() => page.close());

  it('renders every example the same when streamed by character', async () => {
    const everyCharacter = exampleTexts.map((text) => ({ text, offsets: everyOffset(text) }));
    assert.deepEqual(
      await page.evaluate((all) => markdown.findStreamingDifferences(all), everyCharacter),
      [],
    );
  });

  it('renders what depends on the line before the same, whether that is shown already or not', async () => {
    const cuts = [
      '- [ ] \n  ===\na',
      '- [x] \n  ---\n',
      '- [ ] | a |\n  |-|-|\n',
      '- [x] a\n  | b |\n  |-|\n',
      '- a\n\n- [x] b\n  | c |\n  |-|\n',
      '<details>\na\n<summary>b</summary>\n',
      '<details>\n[a]: b\n<summary>c</summary>\n',
      '<details>\n[a]: b\n\n<summary>c</summary>\n',
      '<details>\n[a]: b\n"c\n<summary>d</summary>\n"\n<summary>e</summary>\n\n[a]',
      '[a]: https://x.y\n"t\n<x"\n\n[a]',
    ].map((text) => ({ text, offsets: everyOffset(text) }));
    assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
  });

  it('renders a table after a line that was shown as a header the same, if its lines come at once', async () => {
    const cuts = [{ text: '|a\n|b|\n|-|\n', offsets: [2] }];
    assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
  });

  it('renders any text the same however it is cut', async () => {
    const property = fc.asyncProperty(
      fc.array(cutMarkdown, { minLength: 200, maxLength: 200 }),
      async (cuts) => {
        assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
      },
    );
    await fc.assert(property, cases(20));
  });
});
