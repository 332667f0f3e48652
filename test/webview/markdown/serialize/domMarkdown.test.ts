import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import type * as copyPage from '../../support/copyPage';
import { assertShort, watchMainThread } from '../../support/mainThread';
import { openScriptPage } from '../../support/scriptPage';
import { commonMarkExamples, gfmExamples } from '../examples';

declare const copy: typeof copyPage;

/** How much known work a part may take: about 5 s on a quick machine. */
const MAX_KNOWN_WORK = 100;

describe('Markdown from the rendered DOM', () => {
  let page: Page;
  before(async () => {
    page = await openScriptPage({ entry: require.resolve('../../support/copyPage'), globalName: 'copy' });
  });
  after(() => page.close());

  const differences = (texts: readonly string[]) =>
    page.evaluate((all) => copy.roundTripDifferences(all), texts);

  it('renders the same for any text', async () => {
    const parts = fc.constantFrom(
      ...[
        'a',
        'b c',
        ' ',
        '\n',
        '\n\n',
        '*',
        '**',
        '_',
        '`',
        '``',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '&amp;',
        '\\',
        '~~',
        '!',
        '|',
      ],
      ...[
        '# ',
        '- ',
        '1. ',
        '> ',
        '===',
        '---',
        '+',
        '$',
        '```\n',
        '    ',
        '<b>',
        'https://a.b/c',
        '[x](https://y.z)',
        '| a |\n|---|\n',
      ],
    );
    const tags = fc.constantFrom(
      ...['<br>', '<sub>', '</sub>', '<u>', '</u>', '<del>', '</del>', '<kbd>', '</kbd>', '<!-- a -->'],
      ...['<details>\n', '\n</details>\n', '<summary>b</summary>\n', '<details>', '</details>', '<summary>'],
    );
    const texts = fc
      .sample(fc.array(fc.oneof({ weight: 4, arbitrary: parts }, tags), { maxLength: 12 }), {
        numRuns: 3000,
        seed: 1,
      })
      .map((all) => all.join(''));
    assert.deepEqual(await differences(texts), []);
  });

  it('renders the same for very many backticks and for a URL with half a character', async () => {
    const texts = [
      `~~~\n${'` '.repeat(200_000)}\n~~~`,
      'https://a.b/\ud83d <https://a.b/\ud83d> [https://a.b/\ud83d](https://a.b/\ud83d)',
    ];
    assert.deepEqual(await differences(texts), []);
  });

  it('has the nodes of a range that the browser finds in it', async () => {
    const text = 'a *b* c\n\n- d\n- e\n\n| f | g |\n|---|---|\n| h | i |\n\n<!-- j -->';
    assert.deepEqual(await page.evaluate((all) => copy.findRangeDifferences(all), text), []);
  });

  it('is written in linear time for a part of a paragraph with 60,000 pieces', async () => {
    const worked = await watchMainThread(page);
    const text = `a${' *b*'.repeat(60_000)} c.`;
    assert.equal(await page.evaluate((all) => copy.writeInside(all), text), text.slice(1, -1).trim());
    await assertShort(page, worked, { ms: await worked(), limit: MAX_KNOWN_WORK, what: 'The part' });
  });

  it('renders the same for the examples of CommonMark and GFM', async () => {
    const texts = [...commonMarkExamples, ...gfmExamples].map(({ markdown }) => markdown);
    assert.deepEqual(await differences(texts), []);
  });
});
