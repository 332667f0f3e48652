import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getMentionQuery, getMentionRange, isMentionTyped } from '../../../src/webview/mentions/mentionQuery';
import { cases } from '../../support/fuzz';

describe('The query of a mention', () => {
  const start = { at: 4, marker: '@' } as const;

  for (const text of ['@', 'see @', 'see\n@', '(@', '“@', '（@']) {
    it(`starts at the @ of ${JSON.stringify(text)}`, () => {
      assert.equal(isMentionTyped(text, text.length), true);
    });
  }

  for (const text of ['', 'ana@', 'a.b-c@', '2@', '@@', 'ü@', 'see @a', '/@', '語@']) {
    it(`doesn’t start at the end of ${JSON.stringify(text)}`, () => {
      assert.equal(isMentionTyped(text, text.length), false);
    });
  }

  it('starts before a word, and in the middle of a text', () => {
    assert.equal(isMentionTyped('see @word', 5), true);
    assert.equal(isMentionTyped('an@word', 3), false);
  });

  it('is the text between the @ and the caret', () => {
    assert.equal(getMentionQuery('see @app.ts and', 5, start), '');
    assert.equal(getMentionQuery('see @app.ts and', 8, start), 'app');
    assert.equal(getMentionQuery('see app', 7, { at: 4, marker: '' }), 'app');
  });

  it('ends when the caret leaves it, at white space, without its @, and when it is too long', () => {
    assert.equal(getMentionQuery('see @app', 4, start), undefined);
    assert.equal(getMentionQuery('see @app ', 9, start), undefined);
    assert.equal(getMentionQuery('see @a\nb', 8, start), undefined);
    assert.equal(getMentionQuery('see app', 7, start), undefined);
    assert.equal(getMentionQuery(`see @${'a'.repeat(101)}`, 106, start), undefined);
  });

  it('is removed with one of the spaces around it', () => {
    assert.deepEqual(getMentionRange('see @app and', 8, start), [4, 9]);
    assert.deepEqual(getMentionRange('see(@app and', 8, start), [4, 8]);
    assert.deepEqual(getMentionRange('@a b', 2, { at: 0 }), [0, 3]);
  });

  it('never includes text before its start or after the caret', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: fc.constantFrom('a', '.', '/', '語') }),
        fc.string(),
        (before, query, after) => {
          const text = `${before}@${query}${after}`;
          const caret = before.length + 1 + query.length;
          assert.equal(getMentionQuery(text, caret, { at: before.length, marker: '@' }), query);
        },
      ),
      cases(200),
    );
  });
});
