import assert from 'node:assert/strict';
import { Queue } from '../../../src/webview/base/fifoQueue';
import { inTime } from '../../support/fuzz';

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

  it('moves each of a million items once', async () => {
    const queue = new Queue<number>();
    await inTime(async () => {
      for (let item = 0; item < 1_000_000; item++) queue.push(item);
      while (queue.length > 0) queue.shift();
    });
  });
});
