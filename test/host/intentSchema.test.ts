import assert from 'node:assert/strict';
import * as v from 'valibot';
import { intentSchema } from '../../src/host/page/intentSchema';

describe('What a page may say', () => {
  const accepts = (message: unknown) => v.is(intentSchema, message);

  it('takes intents as they are', () => {
    assert.ok(accepts({ type: 'send', conversationId: 'c', text: 'hi' }));
    assert.ok(accepts({ type: 'openLink', href: 'https://example.com' }));
    assert.ok(accepts({ type: 'openSource', conversationId: 'c', turnId: 't', index: 0 }));
  });

  it('refuses anything else: unknown types, other fields, other kinds of values', () => {
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
      { type: ['ready'] },
      { type: '__proto__' },
    ]) {
      assert.ok(!accepts(forged), JSON.stringify(forged));
    }
  });
});
