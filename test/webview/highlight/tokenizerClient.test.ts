import assert from 'node:assert/strict';
import { TokenizerClient } from '../../../src/webview/highlight/tokenizerClient';
import { countWalkedItems } from '../../support/countCalls';

describe('TokenizerClient', () => {
  it('looks through none of a hundred thousand blocks to queue another', () => {
    const silent = { postMessage: () => undefined, terminate: () => undefined };
    const client = new TokenizerClient(
      () => silent as unknown as Worker,
      () => undefined,
    );
    const walked = countWalkedItems(() => {
      for (let id = 0; id < 100_000; id++) {
        client.addLines({ id, grammar: 'unknown', lines: ['x'], tokenized: 0, stopped: false });
      }
    });
    assert.ok(walked <= 100_000, `${walked} items`);
  });
});
