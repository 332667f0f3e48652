import assert from 'node:assert/strict';
import { Queue } from '../../../src/webview/base/fifoQueue';
import { countWalkedItems } from '../../support/countCalls';

describe('Queue', () => {
  it('returns items in the order in which they were added, also while others are taken', () => {
    const queue = new Queue<number>();
    assert.deepEqual([queue.peek(), queue.shift(), queue.length], [undefined, undefined, 0]);
    queue.push(1);
    queue.push(2);
    assert.deepEqual([queue.peek(), queue.shift()], [1, 1]);
    queue.push(3);
    assert.deepEqual([queue.length, queue.shift(), queue.shift(), queue.shift()], [2, 2, 3, undefined]);
    queue.push(4);
    assert.deepEqual([queue.peek(), queue.length], [4, 1]);
  });

  it('moves each of a hundred thousand items once', () => {
    const queue = new Queue<number>();
    for (let item = 0; item < 100_000; item++) queue.push(item);
    const moved = countWalkedItems(() => {
      while (queue.length > 0) queue.shift();
    });
    assert.ok(moved <= 100_000, `${moved} moves`);
  });
});
