import assert from 'node:assert/strict';
import {
  composeQueuedMessage,
  filterAwaitedDocuments,
  moveQueuedMessage,
  type QueuedMessage,
} from '../../../src/chat/model/queuedMessage';

const createQueued = (id: string, rest: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id,
  text: `Text ${id}`,
  context: [],
  ...rest,
});

describe('A queued message', () => {
  it('is composed of its text and its context', () => {
    const chip = { id: 'x', kind: 'selection', name: 'a.ts', text: 'Code' } as const;
    assert.equal(composeQueuedMessage(createQueued('a', { context: [chip] })), 'Text a\n\nCode');
  });

  it('waits only for the documents that are kept', () => {
    const message = createQueued('a', { documents: ['1', '2'], serviceDocuments: ['2', '3'] });
    const keep = (...ids: readonly string[]) => {
      const keeps = (id: string) => ids.includes(id);
      return filterAwaitedDocuments(message, keeps, (id) => keeps(`service ${id}`));
    };
    assert.deepEqual(
      keep('2', 'service 3'),
      createQueued('a', { documents: ['2'], serviceDocuments: ['3'] }),
    );
    assert.deepEqual(keep('1'), createQueued('a', { documents: ['1'] }));
    assert.deepEqual(keep('service 2'), createQueued('a', { serviceDocuments: ['2'] }));
    const all = () => true;
    assert.deepEqual(filterAwaitedDocuments(createQueued('b'), all, all), createQueued('b'));
  });

  it('moves by one place, and not past the ends', () => {
    const messages = ['a', 'b', 'c'].map((id) => createQueued(id));
    const move = (id: string, step: -1 | 1) =>
      moveQueuedMessage(messages, id, step)
        .map((message) => message.id)
        .join('');
    assert.deepEqual([move('b', -1), move('b', 1)], ['bac', 'acb']);
    for (const [id, step] of [
      ['a', -1],
      ['c', 1],
      ['x', 1],
      ['x', -1],
    ] as const)
      assert.equal(moveQueuedMessage(messages, id, step), messages);
  });
});
