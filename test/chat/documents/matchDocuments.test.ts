import assert from 'node:assert/strict';
import { matchDocuments } from '../../../src/chat/documents/matchDocuments';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { countLongCalls } from '../../support/countCalls';

describe('matchDocuments', () => {
  const createTurn = (index: number): DocumentTurn => ({
    ...{ kind: 'document', id: `t${index}`, name: `${'n'.repeat(100)}${index}`, size: 1, sent: 1, at: 1 },
    state: 'attached',
  });

  it('normalizes each name once, however many documents the service lists', () => {
    const turns = Array.from({ length: 100 }, (_, index) => createTurn(index));
    const documents = Array.from({ length: 200 }, (_, index) => ({
      ...{ id: `d${index}`, name: `${'n'.repeat(100)}${index + 99}`, createdAt: 10 + index },
    }));
    let matches = new Map<string, unknown>();
    const count = countLongCalls('normalize', 100, () => {
      matches = matchDocuments(turns, documents);
    });
    assert.deepEqual([...matches], [['t99', documents[0]]]);
    assert.equal(count, 300);
  });
});
