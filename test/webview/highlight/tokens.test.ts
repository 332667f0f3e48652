import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { type Browser, chromium, type Page } from 'playwright-core';
import { grammarFiles } from '../../../src/webview/highlight/grammarFiles';
import { grammarName } from '../../../src/webview/highlight/languages';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import type * as pageScript from './pageScript';
import { samples } from './samples';
import { sampleTheme } from './sampleThemes';

declare const highlight: typeof pageScript;

const here = __dirname;

describe('tokens of streamed code', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
    page = await browser.newPage();
    const { outputFiles } = await build({
      entryPoints: [path.join(here, 'pageScript.ts')],
      bundle: true,
      write: false,
      outdir: here,
      format: 'iife',
      globalName: 'highlight',
      target: 'es2024',
    });
    await page.addScriptTag({ content: outputFiles.find((file) => file.path.endsWith('.js'))?.text ?? '' });
  });

  after(() => browser.close());

  for (const [language, code] of Object.entries(samples)) {
    it(`look as Shiki's of the whole block, however it is split: ${language}`, async () => {
      const expected = await page.evaluate(([name, text, theme]) => highlight.whole(name, text, theme), [
        language,
        code,
        sampleTheme,
      ] as const);
      assert.ok(new Set(expected.map((look) => look.slice(2))).size > 2, 'The sample has colours.');
      const cuts = fc
        .uniqueArray(fc.nat(code.length), { maxLength: 12 })
        .map((all) => all.sort((a, b) => a - b));
      await fc.assert(
        fc.asyncProperty(cuts, async (offsets) => {
          const found = await page.evaluate(
            ([name, text, at, theme]) => highlight.streamed(name, text, at, theme),
            [language, code, offsets, sampleTheme] as const,
          );
          assert.deepEqual(found, expected);
        }),
        { numRuns: 5 },
      );
    });
  }
});

describe('grammars', () => {
  it('are each found under their own name', () => {
    for (const name of Object.keys(grammarFiles)) assert.equal(grammarName(name), name);
  });

  it('of which none is missing from those asked for', () => {
    const names =
      'ts tsx js jsx py java c c++ c# go rs rb php swift kt scala html css scss json yml toml xml md sql sh powershell dockerfile makefile diff ini lua perl r dart elixir haskell graphql vue svelte terraform';
    for (const name of names.split(' ')) assert.ok(grammarName(name), name);
    assert.equal(grammarName('klingon'), undefined);
    assert.equal(grammarName('constructor'), undefined);
  });
});
