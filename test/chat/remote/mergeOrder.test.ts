import assert from 'node:assert/strict';
import {
  applyConversationChange,
  type MutableConversation,
} from '../../../src/chat/model/conversationChange';
import type { Turn } from '../../../src/chat/model/turn';
import { mergeMessages } from '../../../src/chat/remote/mergeMessages';
import type { Message } from '../../../src/client/models';
import { conversationOf } from '../support/conversations';
import {
  createDocumentTurn,
  createMessageTurn,
  createRemoteMessage,
  createReplyTurn,
  NOW_SECONDS,
} from '../support/remoteMessages';

const NOW = 1;

describe('A turn that mergeMessages adds', () => {
  const merge = (turns: readonly Turn[], messages: readonly Message[]) =>
    mergeMessages(turns, messages, { bot: 'Guide', now: NOW });
  const applyMerge = (turns: readonly Turn[], messages: readonly Message[]) => {
    const conversation: MutableConversation = { ...conversationOf(turns) };
    for (const change of merge(turns, messages))
      applyConversationChange(conversation, { type: 'turn', ...change });
    return conversation.turns;
  };
  const getTexts = (turns: readonly Turn[]) =>
    turns.map((turn) => (turn.kind === 'document' ? turn.name : turn.text));
  const inSeconds = (seconds: number, ms = 0) => ({ at: (NOW_SECONDS + seconds) * 1000 + ms });
  const created = (seconds: number) => ({ createdAt: NOW_SECONDS + seconds });
  const untimed = { createdAt: undefined };

  it('comes after all matched turns, also those that the service has in another order', () => {
    const turns = [
      createMessageTurn('a', 'A', { remoteId: '1' }),
      createMessageTurn('b', 'B', { remoteId: '2' }),
    ];
    const messages = [
      createRemoteMessage('2', 'B2', false, created(1)),
      createRemoteMessage('1', 'A2', false, created(2)),
      createRemoteMessage('3', 'C', false, created(3)),
    ];
    assert.deepEqual(getTexts(applyMerge(turns, messages)), ['A', 'B', 'C']);
    assert.deepEqual(Object.keys(merge(turns, messages)[0] ?? {}), ['turn']);
  });

  it('keeps the order of the list if only some of its messages have a time', () => {
    const messages = (times: readonly object[]) =>
      times.map((time, index) => createRemoteMessage(`${index}`, `M${index}`, index % 2 === 1, time));
    for (const times of [
      [created(0), untimed, created(0), untimed],
      [created(0), created(0), created(1), untimed],
      [untimed, created(0), created(1), created(1)],
    ])
      assert.deepEqual(getTexts(applyMerge([], messages(times))), ['M0', 'M1', 'M2', 'M3']);
    const newestFirst = messages([untimed, created(0), created(1), untimed]).toReversed();
    assert.deepEqual(getTexts(applyMerge([], newestFirst)), ['M0', 'M1', 'M2', 'M3']);
  });

  it('keeps the order of the list if the service leaves out texts, and an interrupted reply has none yet', () => {
    const turns = [
      createMessageTurn('a', 'A'),
      createMessageTurn('b', 'B'),
      createReplyTurn('c', 'b', '', { ending: 'interrupted' }),
    ];
    const messages = ['', '', 'B', 'New', 'C'].map((text, index) =>
      createRemoteMessage(`${index}`, text, index % 2 === 1, untimed),
    );
    assert.equal(getTexts(applyMerge(turns, messages)).at(-1), 'C');
  });

  it('is between its neighbors on the service, although the clock here is late', () => {
    const turns = [
      createMessageTurn('a', 'A', { remoteId: '1', ...inSeconds(-9) }),
      createMessageTurn('c', 'C', { remoteId: '3', ...inSeconds(-9) }),
    ];
    const messages = ['1', '2', '3'].map((id, index) =>
      createRemoteMessage(id, `M${id}`, false, created(index)),
    );
    assert.deepEqual(getTexts(applyMerge(turns, messages)), ['A', 'M2', 'C']);
  });

  it('a message comes before a document added in a later second, and after a document of the same second', () => {
    const messages = [createRemoteMessage('1', 'A', false), createRemoteMessage('2', 'B', false, created(5))];
    for (const [at, texts] of [
      [inSeconds(5, 999), ['A', 'a.txt', 'B']],
      [inSeconds(6), ['A', 'B', 'a.txt']],
    ] as const) {
      assert.deepEqual(
        getTexts(applyMerge([createMessageTurn('a', 'A'), createDocumentTurn('d', at)], messages)),
        texts,
      );
    }
  });

  it('never comes between an older message and its reply', () => {
    const turns = [
      createMessageTurn('x', 'Unsent'),
      createReplyTurn('r', 'x', 'Failed', { ending: 'failed', ...inSeconds(9) }),
      createMessageTurn('y', 'Later', inSeconds(9)),
    ];
    const messages = [createRemoteMessage('1', 'New', false, created(5))];
    assert.deepEqual(getTexts(applyMerge(turns, messages)), ['Unsent', 'Failed', 'New', 'Later']);
  });

  it('a reply comes right after its message, before a document added in the meantime', () => {
    const turns = [createMessageTurn('a', 'A'), createDocumentTurn('d')];
    const messages = [createRemoteMessage('1', 'A', false), createRemoteMessage('2', 'B', true, created(5))];
    assert.deepEqual(getTexts(applyMerge(turns, messages)), ['A', 'B', 'a.txt']);
  });

  it('a message without a time takes that of the previous turn or the current time, and comes after documents', () => {
    const turns = [
      createMessageTurn('a', 'A', inSeconds(3)),
      createDocumentTurn('d', inSeconds(4)),
      createMessageTurn('c', 'C', inSeconds(8)),
    ];
    const messages = ['A', 'B', 'C'].map((text) => createRemoteMessage(text, text, false, untimed));
    const merged = applyMerge(turns, messages);
    assert.deepEqual(getTexts(merged), ['A', 'a.txt', 'B', 'C']);
    assert.equal(merged[2]?.at, inSeconds(4).at);
    assert.equal(applyMerge([], messages)[0]?.at, NOW);
  });

  it('belongs to the message before it if it is a reply, and to none without one', () => {
    const turns = [createMessageTurn('a', 'A'), createReplyTurn('b', 'a', 'B')];
    const messages = [
      createRemoteMessage('1', 'A', false),
      createRemoteMessage('2', 'B', true),
      createRemoteMessage('3', 'B2', true),
    ];
    const getQuestions = (all: readonly Turn[]) =>
      all.flatMap((turn) => (turn.kind === 'reply' ? [turn.messageId] : []));
    assert.deepEqual(getQuestions(applyMerge(turns, messages)), ['a', 'a']);
    const [first, ...others] = applyMerge([], messages);
    assert.deepEqual(getQuestions(others), [first?.id, first?.id]);
    assert.deepEqual(getQuestions(applyMerge([], [createRemoteMessage('1', 'B', true)])), ['']);
  });

  it('may be a failed reply without a text, but no empty message and no other empty reply', () => {
    const merged = applyMerge(
      [],
      [
        createRemoteMessage('1', 'A', false),
        createRemoteMessage('2', ' ', true, { failedResponding: true }),
        createRemoteMessage('3', ' ', false),
        createRemoteMessage('4', ' ', true),
      ],
    );
    assert.deepEqual(getTexts(merged), ['A', ' ']);
    assert.equal(merged[1]?.kind === 'reply' && merged[1].ending, 'failed');
  });

  it('is not taken for a repetition if its text is another one, or if it is a reply', () => {
    const turns = [createMessageTurn('a', 'A'), createReplyTurn('b', 'a', 'B', { remoteId: '4' })];
    for (const machine of [false, true]) {
      const messages = [
        createRemoteMessage('1', 'A', false),
        createRemoteMessage('3', machine ? 'A' : 'C', machine),
        createRemoteMessage('4', 'B', true),
      ];
      assert.equal(applyMerge(turns, messages).length, 3);
    }
    assert.equal(
      applyMerge(turns, [createRemoteMessage('3', 'A', false), createRemoteMessage('4', 'B', true)]).length,
      2,
    );
  });

  describe('to an empty conversation', () => {
    const list = (
      ...items: readonly (readonly [id: string, machine: boolean, seconds: number | undefined])[]
    ) =>
      getTexts(
        applyMerge(
          [],
          items.map(([id, machine, seconds]) =>
            createRemoteMessage(id, id, machine, seconds === undefined ? untimed : created(seconds)),
          ),
        ),
      ).join('');

    it('is in the order of the times if all messages have one, and of the list or its reverse otherwise', () => {
      assert.equal(list(['a', false, 1], ['c', false, 5], ['b', false, 3], ['d', false, 6]), 'abcd');
      assert.equal(list(['a', true, 1], ['b', false, undefined], ['c', false, 5], ['d', false, 3]), 'abcd');
      assert.equal(list(['d', false, 5], ['c', false, 6], ['b', false, undefined], ['a', false, 1]), 'abcd');
    });

    it('a reply follows the first message of the same second, in whatever order the service lists them', () => {
      assert.equal(list(['c', true, 1], ['b', true, 1], ['a', false, 1]), 'abc');
      assert.equal(list(['a', true, 1], ['b', false, 1], ['c', true, 1]), 'abc');
      assert.equal(list(['a', false, 1], ['b', true, 1], ['c', false, 1]), 'abc');
    });
  });
});
