import assert from 'node:assert/strict';
import { normalizeText } from '../../../src/shared/text/normalizeText';
import { assertLinear } from '../../support/cpuTime';

describe('normalizeText', () => {
  it('returns what String.normalize returns for ordinary text', () => {
    for (const text of ['Größe e\u0301', 'a\u0316\u0301\u0327', '각한', 'ש\u05c1\u05b8', 'ﬁ', '']) {
      assert.equal(normalizeText(text), text.normalize());
      assert.equal(normalizeText(text, 'NFKD'), text.normalize('NFKD'));
    }
  });

  it('normalizes a text with millions of combining marks in a row', () => {
    const text = `a${'\u0301'.repeat(3_000_000)}${'\u0316'.repeat(3_000_000)}`;
    assert.equal(normalizeText(text), text);
    assert.equal(normalizeText(`${text}e\u0301`), `${text}é`);
  });

  it('takes linear time for many combining marks in a row, and loses none', async () => {
    const repeat = (count: number) => `a${'\u0301'.repeat(count)}${'\u0316'.repeat(count)}é`;
    assert.equal(normalizeText(repeat(100)), repeat(100));
    await assertLinear((size) => normalizeText(repeat(size), 'NFKD'), 20_000);
  });
});
