import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toInertLabel, toInertText } from '../../../src/host/base/inertText';
import { attackLists } from '../../support/attackLists';
import { cases } from '../../support/fuzz';
import { assertInert, HOSTILE, LINK } from '../support/hostile';

/** Text with parts of links and icons, and hidden characters. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'[](){}$<>"\' \n\r\t\\/'),
      fc.constantFrom('[a](command:b)', '](', 'command:x', 'https://x', 'file:x', '[label]', '(command:x)'),
      fc.constantFrom(
        '\u200b',
        '\u202e',
        '\u2060',
        '\u0000',
        '\u001b[1m',
        '\u001b]',
        '\u0007',
        '\ufeff',
        '\u2028',
        '\u0085',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('toInertText', () => {
  it('doesn’t change ordinary text', () => {
    for (const ordinary of [
      'Plan limit reached.',
      'a (b) [c] d.md',
      'naïve 日本語 עברית 👩‍💻',
      'array[0] (x)',
    ]) {
      assert.equal(toInertText(ordinary), ordinary);
    }
  });

  it('leaves no link and no hidden character in any text [attack: notification]', () => {
    assert.match(HOSTILE, new RegExp(LINK, 'i'));
    assertInert([toInertText(HOSTILE)]);
    fc.assert(
      fc.property(text, (foreign) => {
        const inert = toInertText(foreign);
        assert.ok(!inert.includes(']('), inert);
        assertInert([inert]);
      }),
      cases(5000),
    );
  });

  it('leaves no link when the text is a part of another text [attack: notification]', () => {
    fc.assert(
      fc.property(text, text, (one, two) => assertInert([toInertText(`Couldn’t delete “${one}”. ${two}`)])),
      cases(1000),
    );
  });

  for (const [name, attacks] of attackLists) {
    it(`leaves no link and no hidden character in ${name} [attack: notification]`, () => {
      assertInert(attacks.map(toInertText));
      assertInert(attacks.map((attack) => toInertText(`[Retry](command:x "${attack}") ${attack}`)));
    });
  }

  it('truncates text to the length of a notification', () => {
    assert.equal(Array.from(toInertText('x'.repeat(100_000))).length, 1001);
  });
});

describe('toInertLabel', () => {
  it('shows the source of an icon', () => {
    assert.equal(toInertLabel('$(gear) a  b'), '\\$(gear) a b');
  });

  it('leaves no icon in any text [attack: notification]', () => {
    fc.assert(
      fc.property(text, (foreign) => assert.doesNotMatch(toInertLabel(foreign), /(?<!\\)\$\(/)),
      cases(2000),
    );
  });
});
