import assert from 'node:assert/strict';
import { findRequiredText } from '../../../../src/webview/highlight/worker/regexPrefilter';
import { loadPrecompiled } from '../precompiled';
import { samples } from '../samples';

function* findExpressions(value: unknown): Generator<RegExp> {
  if (value instanceof RegExp) yield value;
  else if (value && typeof value === 'object') {
    for (const each of Object.values(value)) yield* findExpressions(each);
  }
}

describe('findRequiredText', () => {
  for (const [source, expected] of [
    [/new\s+target/, ['target']],
    [/(?<!\w)(?:(exports)|(module))\b/, ['exports', 'module']],
    [/(?=\s*<a)b?/, ['<a']],
    [/ab?c/, ['a']],
    [/ab+c/, ['ab']],
    [/(?:abc)*d/, ['d']],
    [/(?:abc){0,2}/, undefined],
    [/(?!abc)\w/, undefined],
    [/(?<=abc)\w/, undefined],
    [/[abc\]]\d\p{L}/u, undefined],
    [/a|/, undefined],
    [/abc/i, undefined],
    [/\/\*\x61/, ['/*']],
  ] as const) {
    it(String(source), () => assert.deepEqual(findRequiredText(source), expected));
  }

  it("returns texts that occur in every match of any grammar's expressions", async () => {
    const lines = Object.values(samples).flatMap((code) => code.split('\n').map((line) => `${line}\n`));
    let matches = 0;
    for (const language of Object.keys(samples)) {
      for (const expression of findExpressions(await loadPrecompiled(language))) {
        const required = findRequiredText(expression);
        if (!required) continue;
        for (const line of lines) {
          expression.lastIndex = 0;
          if (!expression.exec(line)) continue;
          matches++;
          assert.ok(
            required.some((text) => line.includes(text)),
            `${expression} matches ${line} without ${required}`,
          );
        }
      }
    }
    assert.ok(matches > 1000, `${matches} matches`);
  });
});
