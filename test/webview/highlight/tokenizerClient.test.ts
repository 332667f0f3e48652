import assert from 'node:assert/strict';
import { TokenizerClient } from '../../../src/webview/highlight/tokenizerClient';

describe('TokenizerClient', () => {
  it('queues a hundred thousand blocks in linear time', () => {
    const silent = { postMessage: () => undefined, terminate: () => undefined };
    const client = new TokenizerClient(
      () => silent as unknown as Worker,
      () => undefined,
    );
    const start = process.cpuUsage();
    for (let id = 0; id < 100_000; id++) {
      client.addLines({ id, grammar: 'unknown', lines: ['x'], tokenized: 0, stopped: false });
    }
    // Quadratic growth takes six seconds.
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });
});
