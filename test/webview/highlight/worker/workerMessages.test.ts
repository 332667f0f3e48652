import assert from 'node:assert/strict';
import { EmulatedRegExp } from 'oniguruma-to-es';
import { grammarFiles } from '../../../../src/webview/highlight/grammarFiles';
import { parseGrammar, serializeGrammar } from '../../../../src/webview/highlight/worker/workerMessages';
import { loadPrecompiled } from '../precompiled';

/** Replaces expressions by all that makes them up, and leaves out what is undefined. */
function describeGrammar(grammar: unknown): unknown {
  return JSON.parse(
    JSON.stringify(grammar, (_, value: unknown): unknown => {
      if (!(value instanceof RegExp)) return value;
      const { rawOptions = null } = value as RegExp & { readonly rawOptions?: object };
      return [value.constructor.name, value.source, value.flags, rawOptions];
    }),
  );
}

describe('serializeGrammar', () => {
  it('keeps every grammar as it is', async () => {
    const create = (source: string, flags: string, options: object) =>
      new EmulatedRegExp(source, flags, options);
    let emulated = 0;
    for (const name of Object.keys(grammarFiles)) {
      for (const grammar of await loadPrecompiled(name)) {
        const expected = describeGrammar(grammar);
        emulated += JSON.stringify(expected).split('EmulatedRegExp').length - 1;
        assert.deepEqual(describeGrammar(parseGrammar(serializeGrammar(grammar), create)), expected);
      }
    }
    assert.ok(emulated > 10, `${emulated} emulated expressions`);
  });
});
