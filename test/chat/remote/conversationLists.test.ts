import assert from 'node:assert/strict';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import { isFiltered } from '../../../src/chat/remote/conversationLists';
import type { Service } from '../../../src/chat/remote/service';
import { ServiceError } from '../../../src/client/serviceError';

describe('isFiltered', () => {
  const item = (id: string, conversationId?: string) => ({ id, conversationId });
  const own = [item('1'), item('2')];
  const refuse = (status: number) => async () => {
    throw new ServiceError('service', { operation: 'GET /messages', message: '', maySend: true, status });
  };
  const cases = {
    'items that name their conversation': [[item('1', 'c')], () => assert.fail('It asked.'), true],
    'an account’s list with other items': [own, async () => ({ items: [item('3'), ...own] }), true],
    'an account’s list with an item that was added in between': [
      own,
      async () => ({ items: [item('added'), ...own] }),
      false,
    ],
    'an account’s list with the same items': [own, async () => ({ items: own }), false],
    'an account’s list with fewer items': [own, async () => ({ items: [item('2')] }), false],
    'a refusal without a conversation': [own, refuse(422), true],
  } as const;
  for (const [what, [items, readAll, expected]] of Object.entries(cases)) {
    it(`is ${expected} for ${what}, and asks a service that filters once`, async () => {
      const service = { capabilities: new Capabilities() } as Service;
      const readAgain = async () => [item('added'), ...own];
      assert.equal(await isFiltered(service, 'messages', items, { readAll, readAgain }), expected);
      const isNamed = items.every(({ conversationId }) => conversationId !== undefined);
      if (!expected || isNamed) return;
      const fail = () => assert.fail('It asked again.');
      assert.equal(await isFiltered(service, 'messages', own, { readAll: fail, readAgain: fail }), true);
    });
  }

  it('fails if the service does', async () => {
    const service = { capabilities: new Capabilities() } as Service;
    const calls = { readAll: refuse(503), readAgain: async () => own };
    await assert.rejects(isFiltered(service, 'documents', own, calls), { status: 503 });
  });
});
