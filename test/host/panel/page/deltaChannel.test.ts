import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { DeltaChannel, SESSION } from '../../../../src/host/panel/page/deltaChannel';
import type { Change, ToPage } from '../../../../src/shared/protocol/toPage';
import type { ConversationView, Notice, PanelState } from '../../../../src/shared/view/viewModel';

const state: PanelState = {
  setup: { step: 'done' },
  sendWith: 'enter',
  conversations: [],
  conversation: { id: 'c', name: '', turns: [], draft: '' },
};

describe('DeltaChannel', () => {
  let posted: ToPage[];
  let channel: DeltaChannel;
  let now: number;
  let conversation: ConversationView;

  /** Defines a synchronous test in mocked time, which VS Code's own timers in this process never see. */
  const itInMockTime = (title: string, test: () => void) =>
    it(title, () => {
      now = 1000;
      mock.timers.enable({ apis: ['setTimeout'] });
      mock.method(performance, 'now', () => now);
      posted = [];
      conversation = state.conversation;
      channel = new DeltaChannel(
        (message) => posted.push(message),
        () => ({ ...state, conversation }),
      );
      try {
        test();
      } finally {
        mock.timers.reset();
        mock.restoreAll();
      }
    });

  const wait = (ms: number) => {
    now += ms;
    mock.timers.tick(ms);
  };
  const getDeltas = () => posted.flatMap((message) => (message.type === 'delta' ? [message] : []));
  const getChanges = () => getDeltas().flatMap(({ changes }) => changes);
  const createTurn = (id: string, sent: number) =>
    ({ kind: 'document', id, name: 'a.txt', size: 9, sent, at: 0, state: 'uploading' }) as const;

  const createMessage = (id: string) => ({ kind: 'message', id, text: 'Hi', at: 0 }) as const;

  itInMockTime('posts nothing until the page is ready, then a snapshot', () => {
    channel.pushChange({ type: 'chunk', turnId: 't', text: 'also in the snapshot' });
    wait(100);
    assert.deepEqual(posted, []);
    channel.postSnapshot(true);
    wait(100);
    assert.deepEqual(posted, [{ type: 'snapshot', seq: 1, state, session: SESSION }]);
  });

  itInMockTime('numbers snapshots and deltas without a gap', () => {
    for (let count = 0; count < 2; count++) {
      channel.postSnapshot(true);
      channel.pushChange({ type: 'notSent' });
      wait(100);
    }
    assert.deepEqual(
      posted.map((message) => ('seq' in message ? [message.type, message.seq] : [])),
      [
        ['snapshot', 1],
        ['delta', 2],
        ['snapshot', 3],
        ['delta', 4],
      ],
    );
  });

  itInMockTime('posts a change at once after an idle frame, and later ones once per frame', () => {
    channel.postSnapshot(true);
    const pushAfter = (ms: number) => {
      wait(ms);
      channel.pushChange({ type: 'notSent' });
    };
    pushAfter(0);
    assert.equal(getDeltas().length, 0);
    wait(0);
    assert.equal(getDeltas().length, 1);
    pushAfter(5);
    pushAfter(5);
    wait(5);
    assert.equal(getDeltas().length, 1);
    wait(1);
    assert.deepEqual([getDeltas().length, getDeltas()[1]?.changes.length], [2, 2]);
    pushAfter(16);
    wait(0);
    assert.equal(getDeltas().length, 3);
  });

  itInMockTime('merges the consecutive chunks of a turn within a frame into one change', () => {
    channel.postSnapshot(true);
    for (const text of ['a', 'b', 'c']) channel.pushChange({ type: 'chunk', turnId: 't', text });
    channel.pushChange({ type: 'chunk', turnId: 'u', text: 'd' });
    channel.pushChange({ type: 'chunk', turnId: 't', text: 'e' });
    wait(100);
    channel.pushChange({ type: 'chunk', turnId: 't', text: 'f' });
    wait(100);
    assert.deepEqual(
      getDeltas().map(({ changes }) => changes),
      [
        [
          { type: 'chunk', turnId: 't', text: 'abc' },
          { type: 'chunk', turnId: 'u', text: 'd' },
          { type: 'chunk', turnId: 't', text: 'e' },
        ],
        [{ type: 'chunk', turnId: 't', text: 'f' }],
      ],
    );
  });

  itInMockTime('posts only the last update of a turn within a frame, at the position from its first', () => {
    channel.postSnapshot(true);
    channel.pushChange({ type: 'turn', turn: createTurn('d', 1), before: 'e' });
    for (const sent of [2, 3]) channel.pushChange({ type: 'turn', turn: createTurn('d', sent) });
    channel.pushChange({ type: 'turn', turn: createTurn('f', 1) });
    wait(100);
    assert.deepEqual(getChanges(), [
      { type: 'turn', turn: createTurn('d', 3), before: 'e' },
      { type: 'turn', turn: createTurn('f', 1) },
    ]);
  });

  itInMockTime('keeps the order of changes of different kinds', () => {
    channel.postSnapshot(true);
    const changes: Change[] = [
      { type: 'chunk', turnId: 't', text: 'a' },
      { type: 'turn', turn: createTurn('t', 1) },
      { type: 'chunk', turnId: 't', text: 'b' },
      { type: 'turnRemoved', turnId: 't' },
      { type: 'notSent' },
      { type: 'notSent' },
    ];
    for (const change of changes) channel.pushChange(change);
    wait(100);
    assert.deepEqual(getChanges(), changes);
  });

  describe('with a long conversation', () => {
    const turns = Array.from({ length: 5000 }, (_, index) => createMessage(`${index}`));
    const long: ConversationView = { ...state.conversation, turns };
    const notice: Notice = { kind: 'storage', text: 'Not saved', actions: [] };
    const last = { ...long, turns: turns.slice(-100), earlier: true };
    const earlier: Change = { type: 'earlierTurns', turns: turns.slice(0, -100), more: false };

    itInMockTime(
      'posts a snapshot with its last turns to a page that has just loaded, and a frame later the others',
      () => {
        conversation = long;
        channel.postSnapshot(true);
        channel.pushChange({ type: 'notSent' });
        wait(15);
        assert.deepEqual(posted, [
          { type: 'snapshot', seq: 1, state: { ...state, conversation: last }, session: SESSION },
        ]);
        wait(1);
        assert.deepEqual(posted.slice(1), [
          { type: 'delta', seq: 2, changes: [earlier, { type: 'notSent' }] },
        ]);
      },
    );

    itInMockTime('posts a snapshot with all turns to a page that has missed a message', () => {
      conversation = long;
      channel.postSnapshot(false);
      wait(100);
      assert.deepEqual(posted, [
        { type: 'snapshot', seq: 1, state: { ...state, conversation: long }, session: SESSION },
      ]);
    });

    itInMockTime(
      'posts its last turns and its notice to a page that shows another one, and a frame later the others',
      () => {
        channel.postSnapshot(true);
        channel.pushChange({ type: 'notSent' });
        channel.pushConversation(long, notice, true);
        channel.pushChange({ type: 'turnRemoved', turnId: '7' });
        wait(0);
        wait(15);
        assert.deepEqual(
          getDeltas().map(({ changes }) => changes),
          [[{ type: 'notSent' }, { type: 'conversation', conversation: last }, { type: 'notice', notice }]],
        );
        wait(1);
        assert.deepEqual(getDeltas()[1]?.changes, [earlier, { type: 'turnRemoved', turnId: '7' }]);
      },
    );

    itInMockTime('posts all of it to a page that shows it already', () => {
      channel.postSnapshot(true);
      channel.pushConversation(long, undefined, false);
      wait(100);
      assert.deepEqual(getChanges(), [{ type: 'conversation', conversation: long }, { type: 'notice' }]);
    });

    itInMockTime(
      'posts all of it in one message if the page is to scroll to one of the earlier turns',
      () => {
        channel.postSnapshot(true);
        for (const turnId of ['4899', '4900']) {
          channel.pushConversation(long, undefined, true);
          channel.pushChange({ type: 'revealTurn', turnId });
          wait(100);
          wait(100);
        }
        assert.deepEqual(
          getDeltas().map(({ changes }) => changes.map(({ type }) => type)),
          [
            ['conversation', 'notice', 'earlierTurns', 'revealTurn'],
            ['conversation', 'notice'],
            ['earlierTurns', 'revealTurn'],
          ],
        );
      },
    );

    itInMockTime(
      'posts only the earlier turns of the last one after quick switches, without falling behind',
      () => {
        channel.postSnapshot(true);
        for (let count = 0; count < 50; count++)
          channel.pushConversation({ ...long, id: `${count}` }, undefined, true);
        wait(16);
        wait(16);
        const [first, second] = getDeltas();
        assert.deepEqual(first?.changes.at(-2), {
          type: 'conversation',
          conversation: { ...last, id: '49' },
        });
        assert.deepEqual(
          first?.changes.filter(({ type }) => type === 'earlierTurns'),
          [],
        );
        assert.deepEqual(second?.changes, [earlier]);
      },
    );

    itInMockTime(
      'posts the documents among the earlier turns with the last turns, and in their places later',
      () => {
        const documents = [createTurn('d', 1), createTurn('e', 1)];
        const withDocuments = [...turns.slice(0, 50), ...documents, ...turns.slice(50)];
        conversation = { ...long, turns: withDocuments };
        channel.postSnapshot(true);
        wait(100);
        const [snapshot] = posted;
        assert.ok(snapshot?.type === 'snapshot');
        assert.deepEqual(snapshot.state.conversation.turns, [...documents, ...last.turns]);
        assert.deepEqual(getChanges(), [{ ...earlier, turns: withDocuments.slice(0, -100) }]);
      },
    );

    itInMockTime('says that there are still earlier turns while they are being read', () => {
      conversation = { ...long, earlier: true };
      channel.postSnapshot(true);
      wait(100);
      assert.deepEqual(getChanges(), [{ ...earlier, more: true }]);
    });
  });

  itInMockTime('posts nothing after the page is gone, and nothing that the next snapshot has', () => {
    channel.postSnapshot(true);
    channel.pushChange({ type: 'chunk', turnId: 't', text: 'a' });
    channel.stop();
    channel.pushChange({ type: 'chunk', turnId: 't', text: 'b' });
    wait(100);
    assert.deepEqual(getDeltas(), []);
    for (let count = 0; count < 2; count++) {
      channel.postSnapshot(true);
      channel.pushChange({ type: 'chunk', turnId: 't', text: 'c' });
    }
    channel.postSnapshot(true);
    channel.pushChange({ type: 'notSent' });
    wait(100);
    wait(100);
    assert.deepEqual(
      getDeltas().map(({ changes }) => changes),
      [[{ type: 'notSent' }]],
    );
  });
});
