import assert from 'node:assert/strict';
import { getFocusState, isReplaced } from '../../../src/chat/model/conversation';
import type { Turn } from '../../../src/chat/model/turn';
import { getSourceTarget } from '../../../src/chat/remote/replySources';
import { conversationOf } from '../support/conversations';

describe('A conversation with thousands of turns', () => {
  const COUNT = 1000;

  it('is not looked through again for each source and document [attack: slow text]', () => {
    let reads = 0;
    const createTurn = (index: number): Turn => ({
      ...{
        id: `${index}`,
        name: 'a.txt',
        size: 1,
        sent: 1,
        at: 1,
        state: 'attached',
        documentId: `d${index}`,
      },
      get kind() {
        reads++;
        return 'document' as const;
      },
    });
    const turns = Array.from({ length: COUNT }, (_, index) => createTurn(index));
    const ids = turns.map((_, index) => `d${index}`);
    const conversation = { ...conversationOf(turns), turns, focus: { included: ids, changes: [] } };
    reads = 0;
    for (const id of ids) {
      assert.equal(getSourceTarget(conversation, { name: 'a', id }), undefined);
      assert.equal(getFocusState(conversation, id), 'included');
      assert.equal(isReplaced(conversation, id), false);
    }
    assert.ok(reads <= 2 * COUNT, `${reads} reads`);
  });
});
