import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/chat/model/chatEvent';
import { orderBefore, parseLine, type TranscriptRecord, toRecord } from '../../../src/chat/model/record';
import type { DocumentTurn } from '../../../src/chat/model/turn';

const message = { kind: 'message', id: 'm', text: 'Hi', at: 1 } as const;
const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'Ho', at: 2 } as const;
const createDocument = (state: DocumentTurn['state'], sent: number): DocumentTurn => ({
  ...{ kind: 'document', id: 'd', name: 'a.md', size: 9, at: 3 },
  ...{ state, sent },
});
type Change = ChatEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'conversationId'>
    : never
  : never;
const record = (event: Change, about = {}) =>
  toRecord({ ...event, conversationId: 'c' } as ChatEvent, about, 7);

describe('toRecord', () => {
  const { text: _, ...ended } = { ...reply, ending: 'complete' } as const;
  for (const { what, event, stored } of [
    { what: 'a turn', event: { type: 'turn', turn: message }, stored: { type: 'turn', turn: message } },
    {
      what: 'a turn before another',
      event: { type: 'turn', turn: message, before: 'r' },
      stored: { type: 'turn', turn: message, before: 'r' },
    },
    {
      what: 'a removed turn',
      event: { type: 'turnRemoved', turnId: 'm' },
      stored: { type: 'turnRemoved', turnId: 'm' },
    },
    {
      what: 'a chunk',
      event: { type: 'chunk', turnId: 'r', text: 'H' },
      stored: { type: 'chunk', turnId: 'r', text: 'H' },
    },
    {
      what: 'the end of a reply without its text',
      event: { type: 'ended', turn: { ...ended, text: 'Ho' } },
      stored: { type: 'ended', turn: ended, at: 7 },
    },
    ...(
      [
        ['uploading', 0],
        ['registering', 9],
        ['queued', 0],
      ] as const
    ).map(([state, sent]) => ({
      what: `an upload that is ${state}`,
      event: { type: 'turn', turn: createDocument(state, sent) } as const,
      stored: { type: 'turn', turn: createDocument(state, sent) } as const,
    })),
  ] as const)
    it(`stores ${what}, which is read back as it was`, () => {
      const created = record(event);
      assert.deepEqual(created, stored);
      assert.deepEqual(parseLine(JSON.stringify(created)), { kind: 'record', record: stored });
    });

  it('stores the properties of a conversation, and nothing else of it', () => {
    const about = { name: 'Moss', unread: true, pinned: false };
    const changed = { ...about, draft: 'Hm', archived: undefined };
    assert.deepEqual(record({ type: 'changed' }, changed), { type: 'about', ...about });
  });

  it('stores no progress of an upload', () => {
    assert.equal(record({ type: 'turn', turn: createDocument('uploading', 1) }), undefined);
  });

  it('stores no other events', () => {
    assert.equal(record({ type: 'queue' }), undefined);
  });
});

describe('parseLine', () => {
  it('recognizes headers, those of newer versions, and damage', () => {
    const header = { parley: 1, id: 'c', createdAt: 1 };
    assert.deepEqual(parseLine(JSON.stringify(header)), { kind: 'header', header });
    assert.deepEqual(parseLine('{"parley":2}'), { kind: 'newerVersion' });
    for (const text of ['{"parley":1}', '{"parley":"2"}', '{"type":"chunk"}', '{', 'null', ''])
      assert.equal(parseLine(text), undefined);
  });
});

describe('orderBefore', () => {
  const turn = (id: string): TranscriptRecord => ({ type: 'turn', turn: { ...message, id } });

  it('inserts the turns of another window before those that this one adds', () => {
    assert.deepEqual(orderBefore([turn('theirs')], [turn('own')]), [{ ...turn('theirs'), before: 'own' }]);
  });

  it('inserts them after the turns that both windows recalled from memory', () => {
    const recalled = ['one', 'two'].map(turn);
    const left = orderBefore([...recalled, turn('theirs')], [...recalled, turn('own')]);
    assert.deepEqual(left, [{ ...turn('theirs'), before: 'own' }]);
  });
});
