import assert from 'node:assert/strict';
import { toPlainText, toRedactedText } from '../../src/client/plainText';

describe('toPlainText', () => {
  it('keeps text, line breaks, tabs and joined emoji', () => {
    for (const text of ['Plan limit reached.', 'a\n\tb', '👩‍💻 naïve 日本語 עברית', '❤️ ☎︎'])
      assert.equal(toPlainText(text, 100), text);
  });

  it('removes terminal sequences [attack: control characters]', () => {
    assert.equal(toPlainText('\u001b[31mred\u001b[0m \u009b1mbold', 100), 'red bold');
    assert.equal(toPlainText('\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 100), 'link');
    assert.equal(toPlainText('bell\u0007 nul\u0000 cr\r del\u007f', 100), 'bell nul cr del');
  });

  it('removes bidi marks, tags, byte order marks and other invisible characters [attack: control characters]', () => {
    assert.equal(toPlainText('a\u202eb\u2066c\u200fd\ufeffe\u{e0041}f\u2028g\u200bh', 100), 'abcdefgh');
    assert.equal(toPlainText('lone \ud83d half', 100), 'lone  half');
    assert.equal(toPlainText('a\u{e0100}b\u3164c\u115fd\ufe01e\u034ff', 100), 'abcdef');
  });

  it('truncates without splitting a code point', () => {
    assert.equal(toPlainText('👍👍👍', 2), '👍👍…');
    assert.equal(toPlainText('👍👍👍', 3), '👍👍👍');
    assert.equal(toPlainText('abcdef', 3), 'abc…');
    assert.equal(toPlainText('abcdef', 6), 'abcdef');
    assert.equal(toPlainText('a b c', 2), 'a…');
    assert.equal(toPlainText('a\uffffbc', 2), 'a\uffff…');
  });
});

describe('toRedactedText', () => {
  it('redacts the secret, plain, percent-encoded and with invisible characters inside', () => {
    const secret = 'se/cret';
    assert.equal(toRedactedText('key se/cret, se%2Fcret, se\u200b/cret!', 100, secret), 'key •••, •••, •••!');
  });

  it('redacts the secret in lower-case or needless percent-encoding', () => {
    assert.equal(toRedactedText('se%2fcret %73e%2Fcre%74 %5C %c3%bc', 100, 'se/cret'), '••• ••• %5C %c3%bc');
    assert.equal(toRedactedText('ü.a %c3%BC.a üxa', 100, 'ü.a'), '••• ••• üxa');
  });

  it('redacts the secret in base64, after any name and in its variant for URLs', () => {
    const secret = 'sk-00?>>~~~secret-of-mine';
    for (const name of ['', 'a:', 'ab:', 'abc:', 'user:']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(`${name}${secret}:x`).toString(encoding);
        const redacted = toRedactedText(`Basic ${text}`, 100, secret);
        const [, before = '', after = ''] = /^Basic (.*?)•••(.*)$/.exec(redacted) ?? assert.fail(redacted);
        // At most two bytes at each end, with what is around them.
        assert.ok(before.length <= name.length * 2 + 4 && after.length <= 8, redacted);
      }
    }
    assert.equal(toRedactedText('YWJj', 100, 'abc'), 'YWJj');
  });

  it('leaves no part of a secret where a text of megabytes is cut', () => {
    const secret = 'sk-'.padEnd(43, 'x');
    for (const text of [
      secret.repeat(5000),
      `${'a '.repeat(32_760)}${secret}`,
      encodeURIComponent(secret).repeat(5000),
    ])
      assert.doesNotMatch(toRedactedText(text, 1_000_000, secret), /sk|xx/);
  });

  it('leaves no part of a secret when truncating', () => {
    assert.equal(toRedactedText('0123456789secret', 12, 'secret'), '0123456789••…');
  });

  it('returns the text unchanged without a secret', () => {
    assert.equal(toRedactedText('undefined', 100, undefined), 'undefined');
    assert.equal(toRedactedText('text', 100, ''), 'text');
  });
});
