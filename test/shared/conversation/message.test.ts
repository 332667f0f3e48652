import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countCodePoints } from '../../../src/shared/conversation/message';

describe('countCodePoints', () => {
  it('counts combined and invisible characters as code points', () => {
    assert.equal(countCodePoints(''), 0);
    assert.equal(countCodePoints('a\u0301'), 2);
    assert.equal(countCodePoints('👍🏽'), 2);
    assert.equal(countCodePoints('\ud83d'), 1);
  });

  it('agrees with the string iterator for any text, including lone surrogates', () => {
    const units = fc.array(
      fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xffff })),
    );
    fc.assert(
      fc.property(
        units.map((all) => String.fromCharCode(...all)),
        (text) => {
          assert.equal(countCodePoints(text), [...text].length);
        },
      ),
    );
  });
});
