import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isBoundedGlob } from '../../../src/host/files/boundedGlob';
import { parseCustomRules } from '../../../src/host/theme/tokenCustomizations';
import { matchesWildcards } from '../../../src/host/theme/wildcards';
import { cases, inTime } from '../../support/fuzz';

describe('matchesWildcards', () => {
  it('matches the same texts as the regular expression', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 });
    fc.assert(
      fc.property(part, name, (pattern, text) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
        assert.equal(matchesWildcards(pattern, text), new RegExp(`^${source}$`).test(text));
      }),
      cases(5000),
    );
  });
});

describe('A hostile workspace setting', () => {
  it('a setting whose key is full of wildcards doesn’t hang the extension host [attack: hostile pattern]', async () => {
    const setting = Object.fromEntries(
      [50, 1000, 100_000].map((count) => [`[${'*a'.repeat(count)}b]`, { comments: '#ff0000' }]),
    );
    await inTime(async () => {
      assert.deepEqual(
        parseCustomRules(setting, 'a'.repeat(200)).filter(({ foreground }) => foreground),
        [],
      );
    });
  });
});

describe('isBoundedGlob', () => {
  it('accepts common globs', () => {
    for (const glob of [
      '*.log',
      '**/node_modules',
      'a/**/b',
      '**/*.test.*',
      '/dist/',
      '!keep-*-*.md',
      '*.py[cod]',
      'docs/**',
      'a/**/b/**',
    ]) {
      assert.equal(isBoundedGlob(glob), true, glob);
    }
  });

  it('rejects globs that take exponential time [attack: hostile pattern]', () => {
    for (const glob of [
      '**/a/**/a/**/a/b',
      'a/**/a/**/a',
      '**/a/**/b',
      '*a*a*a*a*a*b',
      '*'.repeat(3).split('').join('a').repeat(9),
    ]) {
      assert.equal(isBoundedGlob(glob), false, glob);
    }
  });
});
