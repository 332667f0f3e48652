import assert from 'node:assert/strict';
import * as v from 'valibot';
import { toHostSchema } from '../../../../src/shared/protocol/toHost';

describe('The schema of intents', () => {
  const accepts = (message: unknown) => v.is(toHostSchema, message);

  const begin = {
    ...{ type: 'uploadBegin', requestId: 'r', conversationId: 'c', uploadId: 'u' },
    ...{ files: [], folders: false },
  };

  it('accepts valid intents', () => {
    assert.ok(accepts({ ...begin, files: [{ name: 'a', size: 1 }] }));
    assert.ok(
      accepts({ type: 'uploadChunk', requestId: 'r', uploadId: 'u', bytes: new Uint8Array(1024 * 1024) }),
    );
    assert.ok(accepts({ type: 'send', conversationId: 'c', text: 'hi' }));
    assert.ok(accepts({ type: 'openLink', href: 'https://example.com' }));
    assert.ok(accepts({ type: 'openSource', conversationId: 'c', turnId: 't', index: 0 }));
  });

  it('rejects unknown types, unknown fields and wrong values [attack: page → host messages]', () => {
    for (const forged of [
      undefined,
      null,
      'ready',
      {},
      { type: 'executeCommand', command: 'workbench.action.quit' },
      { type: 'send', conversationId: 'c' },
      { type: 'send', conversationId: 'c', text: 1 },
      { type: 'send', conversationId: 'c', text: 'hi', command: 'x' },
      { type: 'attach', conversationId: 'c', path: '/etc/passwd' },
      { type: 'setBaseUrl', url: 'https://attacker.example' },
      { type: 'setApiKey', key: 'k' },
      { type: 'openSource', conversationId: 'c', turnId: 't', index: -1 },
      { type: 'openSource', conversationId: 'c', turnId: 't', index: 'length' },
      { type: 'openSource', conversationId: 'c', turnId: 't', index: 0, uri: 'file:///etc/passwd' },
      { type: 'openDocument', conversationId: 'c', turnId: 't', uri: 'file:///etc/passwd' },
      { type: 'updateDocument', conversationId: 'c', turnId: 't', uri: 'file:///etc/passwd' },
      { type: 'updateOnSave', conversationId: 'c', turnId: 't', on: 'yes' },
      { type: 'dropUris', conversationId: 'c', uris: 'file:///a' },
      { type: 'dropUris', conversationId: 'c', uris: Array(1001).fill('file:///a') },
      { ...begin, files: [{ name: 'a', size: -1 }] },
      { ...begin, files: [{ name: 'a', size: 2 ** 60 }] },
      { ...begin, files: [{ name: 'a', size: 1, path: '/etc/passwd' }] },
      { type: 'uploadChunk', requestId: 'r', uploadId: 'u', bytes: [1] },
      { type: 'uploadChunk', requestId: 'r', uploadId: 'u', bytes: 'text' },
      { type: 'uploadChunk', requestId: 'r', uploadId: 'u', bytes: new Uint8Array(1024 * 1024 + 1) },
      { type: ['ready'] },
      { type: '__proto__' },
    ]) {
      assert.ok(!accepts(forged), JSON.stringify(forged));
    }
  });
});
