import assert from 'node:assert/strict';
import { noteMove } from '../service/hang';
import { waitUntil } from './waitUntil';

describe('waitUntil', () => {
  it('goes on while something moves, and ends when nothing has moved for a while', async () => {
    let checks = 0;
    const wait = waitUntil(
      'the end of all moves',
      () => {
        if (++checks <= 10) noteMove();
        return false;
      },
      50,
    );
    await assert.rejects(wait, /nothing moves: the end of all moves/);
    assert.ok(checks > 10, `${checks} checks`);
  });
});
