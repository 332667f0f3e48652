import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import type * as copyPage from '../../support/copyPage';
import { openScriptPage } from '../../support/scriptPage';
import { commonMarkExamples, gfmExamples } from '../examples';

declare const copy: typeof copyPage;

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

  it('renders the same for the examples of CommonMark and GFM', async () => {
    const texts = [...commonMarkExamples, ...gfmExamples].map(({ markdown }) => markdown);
    assert.deepEqual(await differences(texts), []);
  });
});
