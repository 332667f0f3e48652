import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { findWords } from '../../../src/shared/text/searchText';
import { assertLinear } from '../../support/cpuTime';

describe('findWords', () => {
  afterEach(() => mock.restoreAll());

  it('finds words in the order of the text, and the longest of those that start together', () => {
    const found = [...findWords('Über den Ü: uberall', ['uber', 'uberall', 'den'])];
    assert.deepEqual(found, [
      [0, 4],
      [5, 8],
      [12, 19],
    ]);
  });

  it('does not search again for a word that is missing after each match of another [attack: slow text]', () => {
    let searches = 0;
    const { indexOf } = String.prototype;
    mock.method(String.prototype, 'indexOf', function (this: string, word: string, from?: number) {
      if (word === 'zzz') searches++;
      return indexOf.call(this, word, from);
    });
    const found = [...findWords('a '.repeat(10_000), ['a', 'zzz'])];
    assert.deepEqual([found.length, searches], [10_000, 1]);
  });

  it('takes linear time for many matches', async () => {
    await assertLinear((count) => {
      assert.equal([...findWords('a '.repeat(count), ['a', 'zzz'])].length, count);
    }, 1000);
  });
});
