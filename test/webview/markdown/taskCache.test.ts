import assert from 'node:assert/strict';
import { cacheInTask } from '../../../src/webview/markdown/inline/taskCache';
import { assertLinear } from '../../support/cpuTime';

describe('cacheInTask', () => {
  it('computes a value once for a text that is used again, until the task ends', async () => {
    let computed = 0;
    const getLength = cacheInTask((text) => {
      computed++;
      return text.length;
    });
    assert.deepEqual([getLength('a'), getLength('bc'), getLength('a'), computed], [1, 2, 1, 2]);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual([getLength('a'), computed], [1, 3]);
  });

  it('takes linear time for long texts that differ only at their ends', async () => {
    const start = 'A'.repeat(20_000);
    await assertLinear((count) => {
      const getLength = cacheInTask((text) => text.length);
      for (let index = 0; index < count; index++)
        getLength(Buffer.from(`${start}${index + 10_000}`).toString());
    }, 1000);
  });
});
