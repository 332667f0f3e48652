import assert from 'node:assert/strict';
import { type Match, MatchList } from '../../../src/webview/find/matchList';
import { findMatches } from '../../../src/webview/find/worker/findMatches';

describe('matches of the find widget', () => {
  const turnIds = ['a', 'b', 'c', 'd'];
  const list = new MatchList();
  list.set('a', [0, 1, 4, 5]);
  list.set('c', [2, 4]);

  it('are stepped through in both directions, around the ends', () => {
    for (const [step, expected] of [
      [1, ['a4', 'c2', 'a0']],
      [-1, ['c2', 'a4', 'a0']],
    ] as const) {
      let match: Match = { turnId: 'a', start: 0, end: 1 };
      const seen = expected.map(() => {
        const { turnId, start } = match;
        match = list.step(turnIds, { turnId, offset: step > 0 ? start + 1 : start }, step) ?? match;
        return `${match.turnId}${match.start}`;
      });
      assert.deepEqual(seen, expected);
    }
  });

  it('have positions, also from a turn that is gone', () => {
    assert.equal(list.total, 3);
    assert.equal(list.getPosition(turnIds, { turnId: 'c', start: 2, end: 4 }), 3);
    assert.equal(list.getPosition(turnIds, { turnId: 'c', start: 2, end: 3 }), 0);
    assert.equal(list.step(turnIds, { turnId: 'gone', offset: 9 }, 1)?.turnId, 'a');
    assert.equal(new MatchList().step(turnIds, { turnId: 'a', offset: 0 }, 1), undefined);
  });

  it('are never empty, and end for a pattern that matches nothing between the halves of a character', () => {
    assert.deepEqual(findMatches('😀a😀', /a*/gu, 10), [2, 3]);
    assert.deepEqual(findMatches('aaaa', /a/gu, 3), [0, 1, 1, 2, 2, 3]);
  });
});
