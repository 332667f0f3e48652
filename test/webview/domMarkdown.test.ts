import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumArgs, findChromium } from '../vscode/chromium';
import { commonMarkExamples, gfmExamples } from './markdown/examples';
import type * as copyPage from './support/copyPage';

declare const copy: typeof copyPage;

describe('Markdown written for what shows', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
    page = await browser.newPage();
    await page.setContent('<!doctype html><body></body>');
    const { outputFiles } = await build({
      entryPoints: [path.join(__dirname, 'support/copyPage.ts')],
      bundle: true,
      write: false,
      outdir: __dirname,
      format: 'iife',
      globalName: 'copy',
      target: 'es2024',
    });
    const script = outputFiles.find(({ path: file }) => file.endsWith('.js'));
    await page.addScriptTag({ content: script?.text ?? '' });
  });
  after(() => browser.close());

  const differences = (texts: readonly string[]) =>
    page.evaluate((all) => copy.roundTripDifferences(all), texts);

  it('shows the same for any text', async () => {
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
    const texts = fc
      .sample(fc.array(parts, { maxLength: 12 }), { numRuns: 3000, seed: 1 })
      .map((all) => all.join(''));
    assert.deepEqual(await differences(texts), []);
  });

  it('shows the same for the examples of CommonMark and GFM', async () => {
    const texts = [...commonMarkExamples, ...gfmExamples].map(({ markdown }) => markdown);
    assert.deepEqual(await differences(texts), []);
  });
});
