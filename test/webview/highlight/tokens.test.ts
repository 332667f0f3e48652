import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { grammarAsText } from '../../../scripts/esbuild/grammarAsText';
import { scriptAsText } from '../../../scripts/esbuild/scriptAsText';
import { cases } from '../../support/fuzz';
import { patientIntervals } from '../support/patientTimers';
import { openScriptPage } from '../support/scriptPage';
import type * as pageScript from './pageScript';
import { samples } from './samples';
import { sampleTheme } from './sampleThemes';

declare const highlight: typeof pageScript;

describe('tokens of streamed code', () => {
  let page: Page;

  before(async () => {
    page = await openScriptPage({
      entry: path.join(__dirname, 'pageScript.ts'),
      globalName: 'highlight',
      plugins: [grammarAsText, scriptAsText],
    });
    await page.evaluate(patientIntervals());
  });

  after(() => page.close());

  for (const [language, code] of Object.entries(samples)) {
    it(`have the same styles as Shiki's for the whole block, however it is split: ${language}`, async () => {
      const expected = await page.evaluate(
        ([name, text, theme]) => highlight.getExpectedStyles(name, text, theme),
        [language, code, sampleTheme] as const,
      );
      assert.ok(new Set(expected.map((look) => look.slice(2))).size > 2, 'The sample has colours.');
      const cuts = fc
        .uniqueArray(fc.nat(code.length), { maxLength: 12 })
        .map((all) => all.sort((a, b) => a - b));
      await fc.assert(
        fc.asyncProperty(cuts, async (offsets) => {
          const found = await page.evaluate(
            ([name, text, at, theme]) => highlight.getStreamedStyles(name, text, at, theme),
            [language, code, offsets, sampleTheme] as const,
          );
          assert.deepEqual(found, expected);
        }),
        cases(5),
      );
    });
  }
});
