import assert from 'node:assert/strict';
import { getPluralMessage } from '../../../src/shared/text/plural';

describe('getPluralMessage', () => {
  const chosen = (language: string, ...counts: readonly number[]) =>
    counts.map((count) => getPluralMessage(language, count, 'one', 'other'));

  it('follows the plural rules of the language, not of English', () => {
    assert.deepEqual(chosen('en', 0, 1, 2), ['other', 'one', 'other']);
    assert.deepEqual(chosen('fr', 0, 1, 2), ['one', 'one', 'other']);
    assert.deepEqual(chosen('zh-cn', 0, 1, 2), ['other', 'other', 'other']);
  });

  it('returns a form for each count in languages with more than two forms', () => {
    assert.deepEqual(chosen('es', 1, 1_000_000), ['one', 'other']);
    assert.deepEqual(chosen('qps-ploc', 1, 2), ['one', 'other']);
  });
});
