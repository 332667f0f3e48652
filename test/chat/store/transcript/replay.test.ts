import assert from 'node:assert/strict';
import * as v from 'valibot';
import { parseLine, type TranscriptRecord } from '../../../../src/chat/model/record';
import { Replay } from '../../../../src/chat/store/transcript/replay';
import { assertLinear } from '../../../support/cpuTime';
import { createMessageTurn } from '../../support/remoteMessages';

describe('Replay', () => {
  const insert = (id: string, before?: string): TranscriptRecord => ({
    ...{ type: 'turn', turn: createMessageTurn(id, id), ...(before !== undefined && { before }) },
  });
  const getIds = (replay: Replay) => replay.turns.map(({ id }) => id).join('');

  it('keeps the order of turns that are added, inserted, replaced and removed', () => {
    const replay = new Replay().apply([insert('b'), insert('a', 'b'), insert('d'), insert('c', 'd')]);
    assert.equal(getIds(replay), 'abcd');
    replay.apply([insert('a', 'd'), insert('e', 'x'), { type: 'turnRemoved', turnId: 'a' }]);
    assert.deepEqual([getIds(replay), replay.size], ['bcde', 4]);
    replay.apply([{ type: 'turnRemoved', turnId: 'x' }, { type: 'turnRemoved', turnId: 'e' }, insert('a')]);
    assert.equal(getIds(replay), 'bcda');
    assert.equal(getIds(new Replay(true).apply([insert('b', 'x'), insert('c')])), 'c');
  });

  it('inserts thousands of turns before others in linear time', async () => {
    await assertLinear((count) => {
      const replay = new Replay().apply([insert('last')]);
      for (let index = 0; index < count; index++) replay.apply([insert(`${index}`, 'last')]);
      assert.equal(replay.size, count + 1);
    }, 2000);
  });

  it('adds replies that lost their beginnings in linear time', async () => {
    await assertLinear((count) => {
      const records = Array.from({ length: count }, (_, index) => ({
        ...{ type: 'chunk' as const, turnId: `${index}`, text: 'a' },
      }));
      assert.equal(new Replay().apply(records).size, count);
    }, 10_000);
  });
});

describe('parseLine', () => {
  afterEach(() => v.deleteGlobalMessage());

  it('stops at the first invalid item of a list, instead of describing millions', () => {
    let issues = 0;
    v.setGlobalMessage(() => `${++issues}`);
    assert.equal(parseLine(JSON.stringify({ type: 'about', forks: Array(10_000).fill({}) })), undefined);
    assert.ok(issues < 100, `${issues} issues`);
  });
});
