import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redactSecret } from '../../src/client/redactSecret';
import { assertLinear } from '../support/cpuTime';

const SECRET = 'sk-00?>>~~~secret-of-mine/+4';

const toBase64 = (text: string, encoding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(text).toString(encoding);
const encodeAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const wrap = (text: string, columns: number, lineBreak: string) =>
  text.replace(new RegExp(`.{${columns}}(?=.)`, 'g'), `$&${lineBreak}`);

describe('redactSecret', () => {
  it('redacts base64 with line breaks, also percent-encoded ones', () => {
    for (const lineBreak of ['\n', '\r\n', '\n\t ', '%0A', '%0d%0a', '%250A', '%20']) {
      for (const before of ['', 'a', 'ab', 'x'.repeat(40), 'x'.repeat(50)]) {
        const text = wrap(toBase64(`${before}${SECRET}`), 76, lineBreak);
        assert.match(redactSecret(text, SECRET), /^[\w%\s]{0,80}•••=*$/, text);
      }
    }
    assert.equal(redactSecret(`${wrap(toBase64(SECRET), 4, ' ')}\nNext`, SECRET), '•••==\nNext');
  });

  it('redacts each letter of base64 that contains a bit of the secret, and no other', () => {
    for (const secret of ['a-key-of-18-bytes.', 'a-key-of-19-bytes..', 'a-key-of-20-bytes...'])
      for (const encoding of ['base64', 'base64url'] as const)
        for (let before = 0; before < 7; before++)
          for (let after = 0; after < 7; after++) {
            const text = toBase64('x'.repeat(before) + secret + 'y'.repeat(after), encoding);
            const [start, end] = [before, before + secret.length];
            const expected = `${text.slice(0, Math.floor((start * 4) / 3))}•••${text.slice(Math.ceil((end * 4) / 3))}`;
            assert.equal(redactSecret(text, secret), expected);
          }
  });

  it('redacts up to three percent-encodings, of the secret and of its base64', () => {
    for (const form of [SECRET, toBase64(SECRET)]) {
      let text = form;
      for (let count = 1; count <= 3; count++) {
        text = encodeURIComponent(text);
        assert.match(redactSecret(`key=${text}&x=%20`, SECRET), /^key=•••(=|%(25)*3D)*&x=%20$/);
      }
      assert.match(redactSecret(`<${encodeAll(encodeAll(form))}>`, SECRET), /^<•••(%[%\da-f]*)?>$/);
    }
    assert.equal(redactSecret('a%2525c %61%25c', 'a%25c'), '••• •••');
    assert.equal(redactSecret('%61%bcd', 'a%bcd'), '•••');
  });

  it('redacts a long secret with line breaks inside', () => {
    assert.equal(redactSecret(`key ${wrap(SECRET, 10, '\n')}.`, SECRET), 'key •••.');
    assert.equal(redactSecret(`key ${wrap(encodeAll(SECRET), 10, '\n')}.`, SECRET), 'key •••.');
  });

  it('redacts each copy of a secret, next to each other and among other letters', () => {
    const text = `é${SECRET}${SECRET}😀${toBase64(SECRET, 'base64url')}\ufeff`;
    assert.equal(redactSecret(text, SECRET), 'é••••••😀•••\ufeff');
    assert.equal(redactSecret('aaaaa'.repeat(40_000), 'a'), '•••'.repeat(200_000));
  });

  it('leaves the letters of a short secret in words, and short base64', () => {
    assert.equal(redactSecret('The pass word', 'password'), 'The pass word');
    assert.equal(redactSecret('YWJj', 'abc'), 'YWJj');
  });

  it('leaves other text as it is', () => {
    const pieces = fc.constantFrom(
      '%',
      '%2',
      '25',
      '%0A',
      ' ',
      '\n',
      'é',
      '\ufeff',
      'c2stMDA',
      'sk-0',
      'mine',
      '=',
      '-_',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => assert.equal(redactSecret(text, SECRET), text)),
      { numRuns: 500, seed: 20250214 },
    );
  });

  for (const piece of ['%25', ' ', SECRET.slice(0, -1), `${toBase64(SECRET).slice(0, 20)}  `, SECRET])
    it(`takes linear time for a text that repeats ${JSON.stringify(piece)}`, () =>
      assertLinear((length) => {
        // Of fewer and longer texts, the system's time for memory would be compared.
        const text = `${piece.repeat(length / piece.length)}.`;
        for (let time = 0; time < 300; time++) redactSecret(text, SECRET);
      }, 3000));
});
