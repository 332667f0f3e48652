import assert from 'node:assert/strict';
import { getFocusState, isReplaced } from '../../../src/chat/model/conversation';
import type { Turn } from '../../../src/chat/model/turn';
import { getSourceTarget } from '../../../src/chat/remote/replySources';
import { assertLinear } from '../../support/cpuTime';
import { conversationOf } from '../support/conversations';

describe('A conversation with thousands of turns', () => {
  it('is not looked through again for each source and document [attack: slow text]', async () => {
    const createTurn = (index: number): Turn => ({
      ...{ kind: 'document', id: `${index}`, name: 'a.txt', size: 1, sent: 1, at: 1 },
      ...{ state: 'attached', documentId: `d${index}` },
    });
    await assertLinear((length) => {
      const turns = Array.from({ length }, (_, index) => createTurn(index));
      const ids = turns.map((_, index) => `d${index}`);
      const conversation = { ...conversationOf(turns), turns, focus: { included: ids, changes: [] } };
      for (const id of ids) {
        assert.equal(getSourceTarget(conversation, { name: 'a', id }), undefined);
        assert.equal(getFocusState(conversation, id), 'included');
        assert.equal(isReplaced(conversation, id), false);
      }
    }, 1000);
  });
});
