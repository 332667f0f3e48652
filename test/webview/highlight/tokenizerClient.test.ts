import { TokenizerClient } from '../../../src/webview/highlight/tokenizerClient';
import { inTime } from '../../support/fuzz';

describe('TokenizerClient', () => {
  it('looks through none of three hundred thousand blocks to queue another', async () => {
    const silent = { postMessage: () => undefined, terminate: () => undefined };
    const client = new TokenizerClient(
      () => silent as unknown as Worker,
      () => undefined,
    );
    const blocks = Array.from({ length: 300_000 }, (_, id) => ({
      ...{ id, grammar: 'unknown', lines: ['x'], tokenized: 0, stopped: false },
    }));
    await inTime(async () => {
      for (const block of blocks) client.addLines(block);
      // Only their queue counts.
      for (const block of blocks) block.stopped = true;
    });
  });
});
