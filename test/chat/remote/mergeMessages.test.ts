import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyConversationChange,
  type MutableConversation,
} from '../../../src/chat/model/conversationChange';
import type { Turn } from '../../../src/chat/model/turn';
import { mergeMessages } from '../../../src/chat/remote/mergeMessages';
import type { Message } from '../../../src/client/models';
import { countLongCalls } from '../../support/countCalls';
import { assertLinear } from '../../support/cpuTime';
import { conversationOf } from '../support/conversations';
import {
  createDocumentTurn,
  createMessageTurn,
  createRemoteMessage,
  createReplyTurn,
  NOW_SECONDS,
} from '../support/remoteMessages';

const NOW = Date.UTC(2026, 1, 3, 12);

function applyMerge(turns: readonly Turn[], messages: readonly Message[]): Turn[] {
  const conversation: MutableConversation = { ...conversationOf(turns) };
  for (const change of mergeMessages(turns, messages, { bot: 'Guide', now: NOW })) {
    applyConversationChange(conversation, { type: 'turn', ...change });
  }
  return [...conversation.turns];
}
const getTexts = (turns: readonly Turn[]) =>
  turns.map((turn) => (turn.kind === 'document' ? turn.name : turn.text));

describe('mergeMessages', () => {
  it('matches thousands of differing messages without a table of all pairs [attack: slow text]', () => {
    const count = 10_000;
    // Of each hundred, two are the same on both sides, and one has an id that is known.
    const isSame = (index: number) => index % 100 === 49 || index % 100 === 50;
    const isKnown = (index: number) => index % 100 === 75;
    const turns = Array.from({ length: count }, (_, index) =>
      createMessageTurn(`m${index}`, `Text ${index}`, isKnown(index) ? { remoteId: `r${index}` } : {}),
    );
    const messages = Array.from({ length: count }, (_, index) =>
      createRemoteMessage(`r${index}`, isSame(index) ? `Text ${index}` : `Other ${index}`, false),
    );
    // The first ones are the same, and the second message is another turn.
    messages[0] = createRemoteMessage('r0', 'Text 0', false);
    messages[1] = createRemoteMessage('r1', 'Text 3', false);
    // Two that changed places: only one can be matched.
    turns[110] = createMessageTurn('m110', 'Late');
    turns[120] = createMessageTurn('m120', 'Early');
    messages[110] = createRemoteMessage('r110', 'Early', false);
    messages[120] = createRemoteMessage('r120', 'Late', false);
    // Two with the text of one message, and one with a known id and the text of another message.
    turns[151] = createMessageTurn('m151', 'Text 150');
    turns[275] = createMessageTurn('m275', 'Text 350', { remoteId: 'r275' });
    const changes = mergeMessages(turns, messages, { bot: 'Guide', now: NOW });
    const ids = new Set(turns.map(({ id }) => id));
    const matched = changes.filter(({ turn }) => ids.has(turn.id));
    assert.deepEqual([matched.length, changes.length], [count / 50 + 3, count - count / 100]);
    const contents = new Map(messages.map(({ id, content }) => [id, content]));
    for (const { turn } of matched) {
      assert.ok(turn.kind === 'message' && turn.id !== 'm151');
      assert.equal(contents.get(turn.remoteId ?? ''), turn.text);
    }
  });

  it('fills an empty conversation with order, times, questions, documents and failed replies', () => {
    const source = { documentId: 'd', documentName: 'moss.md' };
    const turns = applyMerge(
      [],
      [
        createRemoteMessage('1', 'Hi', false),
        createRemoteMessage('2', 'Hello', true, { createdAt: NOW_SECONDS + 1, sources: [source] }),
        createRemoteMessage('3', 'More', false, { createdAt: NOW_SECONDS + 2 }),
        createRemoteMessage('4', 'Hal', true, { createdAt: NOW_SECONDS + 3, failedResponding: true }),
      ],
    );
    const [first, second, third, fourth] = turns;
    assert.deepEqual(getTexts(turns), ['Hi', 'Hello', 'More', 'Hal']);
    assert.deepEqual(
      turns.map((turn) => turn.at),
      [0, 1, 2, 3].map((after) => (NOW_SECONDS + after) * 1000),
    );
    assert.ok(second?.kind === 'reply' && fourth?.kind === 'reply');
    assert.equal(second.messageId, first?.id);
    assert.equal(fourth.messageId, third?.id);
    assert.deepEqual([second.ending, second.bot, second.remoteId], ['complete', 'Guide', '2']);
    assert.deepEqual(second.sources, [{ id: 'd', name: 'moss.md' }]);
    assert.deepEqual([fourth.ending, fourth.failure?.code], ['failed', 'unanswered']);
  });

  it('inserts messages from elsewhere between local ones and keeps files in place', () => {
    const turns = [
      createMessageTurn('a', 'Hi'),
      createReplyTurn('b', 'a', 'Hello'),
      createDocumentTurn('f', { at: (NOW_SECONDS + 1) * 1000 }),
      createMessageTurn('c', 'Bye', { at: (NOW_SECONDS + 9) * 1000 }),
      createReplyTurn('d', 'c', 'So long', { at: (NOW_SECONDS + 9) * 1000 }),
    ];
    const messages = [
      createRemoteMessage('1', 'Hi', false),
      createRemoteMessage('2', 'Hello', true),
      createRemoteMessage('3', 'There', false, { createdAt: NOW_SECONDS + 5 }),
      createRemoteMessage('4', 'Here', true, { createdAt: NOW_SECONDS + 5 }),
      createRemoteMessage('5', 'Bye', false, { createdAt: NOW_SECONDS + 9 }),
      createRemoteMessage('6', 'So long', true, { createdAt: NOW_SECONDS + 9 }),
    ];
    assert.deepEqual(getTexts(applyMerge(turns, messages)), [
      'Hi',
      'Hello',
      'a.txt',
      'There',
      'Here',
      'Bye',
      'So long',
    ]);
  });

  it('stores the ids of existing turns, and matches by id when the text has changed', () => {
    const once = applyMerge([createMessageTurn('a', 'Hi')], [createRemoteMessage('1', ' Hi\r\n', false)]);
    assert.deepEqual(once, [createMessageTurn('a', 'Hi', { remoteId: '1' })]);
    assert.deepEqual(applyMerge(once, [createRemoteMessage('1', 'Hi there', false)]), once);
    // Another message with the same text is a different message.
    assert.deepEqual(
      getTexts(
        applyMerge(once, [createRemoteMessage('1', 'Hi', false), createRemoteMessage('2', 'Hi', false)]),
      ),
      ['Hi', 'Hi'],
    );
  });

  it('keeps an unsent message, and matches the same text sent later', () => {
    const failed = createReplyTurn('r', 'x', '', {
      ending: 'failed',
      failure: { code: 'unreachable', maySend: true },
    });
    const turns = [
      createMessageTurn('x', 'Hi'),
      failed,
      createMessageTurn('a', 'Moss?'),
      createReplyTurn('b', 'a', 'Moss'),
      createMessageTurn('c', 'Hi'),
    ];
    const messages = [
      createRemoteMessage('1', 'Moss?', false),
      createRemoteMessage('2', 'Moss', true),
      createRemoteMessage('3', 'Hi', false),
    ];
    const result = applyMerge(turns, messages);
    assert.deepEqual(getTexts(result), getTexts(turns));
    assert.deepEqual(
      result.map((turn) => ('remoteId' in turn ? turn.remoteId : undefined)),
      [undefined, undefined, '1', '2', '3'],
    );
  });

  for (const ending of ['interrupted', 'failed'] as const) {
    it(`stores the complete text of a reply that was ${ending} next to the partial one`, () => {
      const broken = createReplyTurn('b', 'a', ending === 'failed' ? '' : 'Half a', {
        ending,
        failure: { code: 'interrupted', maySend: false },
      });
      const messages = [
        createRemoteMessage('1', 'Hi', false),
        createRemoteMessage('2', 'Half a reply', true),
      ];
      const [, reply] = applyMerge([createMessageTurn('a', 'Hi'), broken], messages);
      assert.deepEqual(reply, { ...broken, remoteId: '2', whole: 'Half a reply' });
    });
  }

  it('stores no complete text when the service broke off too or the user stopped the reply', () => {
    const broken = createReplyTurn('b', 'a', 'Half', { ending: 'interrupted' });
    const there = createRemoteMessage('2', 'Half a', true, { failedResponding: true });
    assert.deepEqual(
      applyMerge([createMessageTurn('a', 'Hi'), broken], [createRemoteMessage('1', 'Hi', false), there])[1],
      {
        ...broken,
        remoteId: '2',
      },
    );
    const stopped = createReplyTurn('b', 'a', 'Half', { ending: 'stopped' });
    const whole = createRemoteMessage('2', 'Half a reply', true);
    assert.deepEqual(
      applyMerge([createMessageTurn('a', 'Hi'), stopped], [createRemoteMessage('1', 'Hi', false), whole])[1],
      {
        ...stopped,
        remoteId: '2',
      },
    );
  });

  it('updates the complete text of a reply with a known id, once, and none that is shorter or empty', () => {
    const broken = createReplyTurn('b', 'a', 'Half', { ending: 'interrupted', remoteId: '2' });
    const question = createMessageTurn('a', 'A', { remoteId: '1' });
    const getWhole = (content: string, reply = broken) => {
      const messages = [createRemoteMessage('1', 'A', false), createRemoteMessage('2', content, true)];
      const [change] = mergeMessages([question, reply], messages, { bot: 'Guide', now: NOW });
      return change?.turn.kind === 'reply' ? change.turn.whole : change;
    };
    assert.equal(getWhole('Half a reply'), 'Half a reply');
    assert.equal(getWhole('Half'), 'Half');
    assert.equal(getWhole('Hal'), undefined);
    assert.equal(getWhole('', { ...broken, text: '' }), undefined);
    assert.equal(getWhole('Half a reply', { ...broken, whole: 'Half a reply' }), undefined);
    assert.equal(getWhole('Half a reply.', { ...broken, whole: 'Half a reply' }), 'Half a reply.');
  });

  it('adds what a reply has grown by since it was read, and its sources, and changes no other complete text', () => {
    const read = (content: string, about?: Partial<Message>) => [
      createRemoteMessage('r0', 'Why?', false),
      createRemoteMessage('r1', content, true, about),
    ];
    const turns = applyMerge([], read('Because it'));
    const sources = [{ documentId: 'd', documentName: 'seeds.md' }];
    const grown = applyMerge(turns, read('Because it grows.', { sources }));
    assert.deepEqual(getTexts(grown), ['Why?', 'Because it grows.']);
    const [, reply] = grown;
    assert.deepEqual(reply?.kind === 'reply' && reply.sources, [{ id: 'd', name: 'seeds.md' }]);
    assert.deepEqual(
      grown.map(({ id }) => id),
      turns.map(({ id }) => id),
    );
    for (const content of ['Because it', 'Because it grows.\n', 'Something that is longer', ''])
      assert.deepEqual(applyMerge(grown, read(content)), grown);
  });

  it('does not duplicate a message that Retry sent again', () => {
    const partial = createReplyTurn('p', 'a', 'Hal', { ending: 'interrupted' });
    const turns = [createMessageTurn('a', 'Hi'), partial, createReplyTurn('b', 'a', 'Hello')];
    const messages = [
      createRemoteMessage('1', 'Hi', false),
      createRemoteMessage('2', 'Half', true, { failedResponding: true }),
      createRemoteMessage('3', 'Hi', false),
      createRemoteMessage('4', 'Hello', true),
    ];
    assert.deepEqual(getTexts(applyMerge(turns, messages)), ['Hi', 'Hal', 'Hello']);
    // The empty first reply was replaced here.
    const empty = messages.map((each) => (each.id === '2' ? { ...each, content: '' } : each));
    const gaveWay = [createMessageTurn('a', 'Hi'), createReplyTurn('b', 'a', 'Hello')];
    assert.deepEqual(getTexts(applyMerge(gaveWay, empty)), ['Hi', 'Hello']);
  });

  it('matches the only reply to a message even if the service has another text', () => {
    const turns = [
      createMessageTurn('a', 'Hi'),
      createReplyTurn('b', 'a', 'Hello, **Moss**!'),
      createMessageTurn('c', 'Bye'),
      createReplyTurn('d', 'c', 'So long.', { ending: 'stopped' }),
    ];
    const messages = [
      createRemoteMessage('1', 'Hi', false),
      createRemoteMessage('2', 'Hello, Moss! [1]', true),
      createRemoteMessage('3', 'Bye', false),
      createRemoteMessage('4', 'Farewell', true),
    ];
    const result = applyMerge(turns, messages);
    assert.deepEqual(
      result,
      turns.map((turn, index) => ({ ...turn, remoteId: `${index + 1}` })),
    );
    assert.deepEqual(mergeMessages(result, messages, { bot: 'Guide', now: NOW }), []);
    // If there are several replies, it is not known which.
    const two = [
      createRemoteMessage('1', 'Hi', false),
      createRemoteMessage('2', 'Good day', true),
      createRemoteMessage('3', 'Good evening', true),
    ];
    assert.equal(applyMerge(turns.slice(0, 2), two).length, 4);
  });

  it('omits an unfinished reply, and alternates roles when the service does not tell them', () => {
    assert.deepEqual(
      getTexts(applyMerge([], [createRemoteMessage('1', 'Hi', false), createRemoteMessage('2', '', true)])),
      ['Hi'],
    );
    const unknown = [
      createRemoteMessage('1', 'Hi', undefined),
      createRemoteMessage('2', 'Hello', undefined),
      createRemoteMessage('3', 'Bye', undefined),
    ];
    assert.deepEqual(
      applyMerge([], unknown).map(({ kind }) => kind),
      ['message', 'reply', 'message'],
    );
  });

  describe('for any conversation', () => {
    /**
     * The messages on the service, with few texts so that many are equal, and which of them this machine has.
     */
    const history = fc
      .array(
        fc.record({
          text: fc.constantFrom('Hi', 'Yes', 'No', 'Why?'),
          reply: fc.constantFrom('Hello', 'Yes', 'Perhaps'),
          here: fc.boolean(),
          ids: fc.boolean(),
          local: fc.boolean(),
        }),
        { maxLength: 8 },
      )
      .map((exchanges) => {
        const turns: Turn[] = [];
        const messages: Message[] = [];
        exchanges.forEach(({ text, reply, here, ids, local }, index) => {
          const createdAt = NOW_SECONDS + 2 * index;
          const at = createdAt * 1000;
          const [one, other] = [`m${index}`, `r${index}`];
          messages.push(
            createRemoteMessage(one, text, false, { createdAt }),
            createRemoteMessage(other, reply, true, { createdAt }),
          );
          if (here) {
            turns.push(createMessageTurn(`t${index}`, text, { at, ...(ids && { remoteId: one }) }));
            turns.push(
              createReplyTurn(`u${index}`, `t${index}`, reply, { at, ...(ids && { remoteId: other }) }),
            );
          }
          if (local) turns.push(createDocumentTurn(`f${index}`, { at: at + 1000 }));
        });
        return { turns, messages };
      });
    const spoken = (turns: readonly Turn[]) =>
      turns.flatMap((turn) => (turn.kind === 'document' ? [] : [`${turn.kind} ${turn.text}`]));
    const expected = (messages: readonly Message[]) =>
      messages.map(({ machine, content }) => `${machine ? 'reply' : 'message'} ${content}`);

    it('results in the messages of the service and the local files when ids are known', () => {
      fc.assert(
        fc.property(history, ({ turns, messages }) => {
          const known = turns.every((turn) => turn.kind === 'document' || turn.remoteId !== undefined);
          fc.pre(known);
          const result = applyMerge(turns, messages);
          assert.deepEqual(spoken(result), expected(messages));
          assert.deepEqual(
            result.filter(({ kind }) => kind === 'document'),
            turns.filter(({ kind }) => kind === 'document'),
          );
        }),
      );
    });

    it('has everything once, keeps the local order, and adds nothing the second time', () => {
      fc.assert(
        fc.property(history, ({ turns, messages }) => {
          const result = applyMerge(turns, messages);
          const ids = new Set(turns.map(({ id }) => id));
          assert.deepEqual(
            result.filter(({ id }) => ids.has(id)).map(({ id }) => id),
            turns.map(({ id }) => id),
          );
          assert.deepEqual(getTexts(result.filter(({ id }) => ids.has(id))), getTexts(turns));
          assert.deepEqual(spoken(result).sort(), expected(messages).sort());
          const named = result.flatMap((turn) => ('remoteId' in turn ? [turn.remoteId] : []));
          assert.equal(new Set(named).size, named.length);
          assert.deepEqual(mergeMessages(result, messages, { bot: 'Guide', now: NOW }), []);
        }),
      );
    });

    it('gives the same result for any order of pages and for repeated messages', () => {
      fc.assert(
        fc.property(history, fc.nat(), ({ turns, messages }, at) => {
          const without = (all: readonly Turn[]) =>
            all.map((turn) => (turns.includes(turn) ? turn : { ...turn, id: '', messageId: '' }));
          const forth = without(applyMerge(turns, messages));
          const repeated = [...messages, ...messages.slice(at % (messages.length + 1))];
          assert.deepEqual(without(applyMerge(turns, [...messages].reverse())), forth);
          assert.deepEqual(without(applyMerge(turns, repeated)), forth);
        }),
      );
    });
  });

  it('adds thousands of messages that match nothing in linear time [attack: slow text]', async () => {
    await assertLinear((length) => {
      const messages = Array.from({ length }, (_, index) =>
        createRemoteMessage(`n${index}`, `Message ${index}`, false),
      );
      assert.equal(mergeMessages([], messages, { bot: 'Guide', now: NOW }).length, length);
    }, 500);
  });

  it('matches thousands of replies with other texts in linear time', async () => {
    await assertLinear((count) => {
      const indexes = Array.from({ length: count }, (_, index) => index);
      const turns = indexes.flatMap((index) => [
        createMessageTurn(`m${index}`, `Text ${index}`),
        createReplyTurn(`a${index}`, `m${index}`, `Answer ${index}`),
      ]);
      const messages = indexes.flatMap((index) => [
        createRemoteMessage(`r${index}`, `Text ${index}`, false),
        createRemoteMessage(`s${index}`, `Other ${index}`, true),
      ]);
      const changes = mergeMessages(turns, messages, { bot: 'Guide', now: NOW });
      assert.ok(changes.length === 2 * count && changes.every(({ before }) => before === undefined));
    }, 200);
  });

  it('matches the others if one of thousands moved from the start to the end, or is repeated', () => {
    const indexes = Array.from({ length: 3000 }, (_, index) => index);
    const getText = (index: number) => (index % 10 === 5 ? 'Yes' : `Text ${index}`);
    const turns = indexes.map((index) => createMessageTurn(`m${index}`, getText(index)));
    const messages = indexes.map((index) => createRemoteMessage(`r${index}`, getText(index), false));
    const [first, ...others] = messages;
    const changes = mergeMessages(turns, [...others, first ?? assert.fail()], { bot: 'Guide', now: NOW });
    const added = changes.filter(({ turn }) => !/^m\d/.test(turn.id));
    assert.deepEqual(
      added.map(({ turn }) => turn.kind === 'message' && turn.text),
      ['Text 0'],
    );
    const local = new Map(turns.map((turn) => [turn.id, turn.text]));
    const remote = new Map(messages.map((message) => [message.id, message.content]));
    for (const { turn } of changes)
      if (turn.kind === 'message' && local.has(turn.id))
        assert.equal(remote.get(turn.remoteId ?? ''), turn.text);
  });

  it('compares long texts of equal length that differ at their ends in linear time [attack: slow text]', async () => {
    const text = 'x'.repeat(65_536);
    await assertLinear((count) => {
      const indexes = Array.from({ length: count }, (_, index) => 1000 + index);
      const turns = indexes.map((index) => createMessageTurn(`m${index}`, `${text}${index}`));
      const messages = indexes.map((index) =>
        createRemoteMessage(`r${index}`, `${text}${index + count}`, false),
      );
      assert.equal(mergeMessages(turns, messages, { bot: 'Guide', now: NOW }).length, count);
      // The same texts, in another order.
      const same = turns
        .map(({ id, text: content }) => createRemoteMessage(`r${id}`, content, false))
        .reverse();
      assert.ok(mergeMessages(turns, same, { bot: 'Guide', now: NOW }).length >= count);
    }, 10);
  });

  it('normalizes a long text once, however many messages and replies it is compared with', () => {
    const [long, count] = ['so '.repeat(1000), 50];
    const turns = [
      createMessageTurn('m', 'Is it?'),
      createReplyTurn('r', 'm', long, { ending: 'interrupted' }),
      createMessageTurn('n', `${long}?`, { remoteId: 'n' }),
      ...Array.from({ length: count }, (_, index) =>
        createReplyTurn(`s${index}`, 'n', `It is ${index}`, { remoteId: `s${index}` }),
      ),
    ];
    const messages = [
      createRemoteMessage('m', 'Is it?', false),
      ...Array.from({ length: count }, (_, index) => createRemoteMessage(`x${index}`, `No ${index}`, true)),
      ...Array.from({ length: count }, (_, index) => [
        createRemoteMessage(`y${index}`, `Again ${index}`, false),
        createRemoteMessage(`s${index}`, `It is ${index}`, true),
      ]).flat(),
    ];
    const calls = countLongCalls('normalize', long.length, () => void applyMerge(turns, messages));
    assert.equal(calls, 2);
  });
});
