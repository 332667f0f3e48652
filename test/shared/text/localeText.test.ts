import assert from 'node:assert/strict';
import { formatBytes, getPluralMessage } from '../../../src/shared/text/localeText';

describe('formatBytes', () => {
  it('formats bytes in the largest unit that fits, each 1024 times the one before', () => {
    const sizes = [0, 1, 1023, 1024, 1536, 12_600_000, 100 * 1024 * 1024, 3 * 1024 ** 3, 5000 * 1024 ** 3];
    assert.deepEqual(
      sizes.map((size) => formatBytes(size, 'en')),
      ['0 bytes', '1 byte', '1,023 bytes', '1 KB', '1.5 KB', '12 MB', '100 MB', '3 GB', '5,000 GB'],
    );
  });

  it('formats in the given language', () => {
    assert.equal(formatBytes(1.5 * 1024 * 1024, 'de'), '1,5 MB');
    assert.equal(formatBytes(1.5 * 1024, 'de').replace('\u00a0', ' '), '1,5 KB');
    assert.match(formatBytes(2 * 1024 * 1024, 'fr'), /^2\sMo$/u);
  });
});

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
