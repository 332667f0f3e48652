import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextTurn } from '../../../src/chat/model/turn';
import { createNormalizer, matchTurns } from '../../../src/chat/remote/matchMessages';
import { assertLinear } from '../../support/cpuTime';
import { createMessageTurn, createRemoteMessage, createReplyTurn } from '../support/remoteMessages';

/** A message as `id: text`; a reply starts with `>`. */
function match(turns: readonly TextTurn[], ...messages: readonly string[]): Record<number, string> {
  const remoteMessages = messages.map((written) => {
    const [, reply, id = '', text = ''] = /^(>?)(\w*): ?(.*)$/s.exec(written) ?? [];
    return {
      message: createRemoteMessage(id, text, reply === '>'),
      kind: reply === '>' ? ('reply' as const) : ('message' as const),
    };
  });
  return Object.fromEntries([...matchTurns(turns, remoteMessages)].map(([index, { id }]) => [index, id]));
}

describe('matchTurns', () => {
  const question = createMessageTurn('a', 'Hi');
  const broken = createReplyTurn('b', 'a', 'Half a', { ending: 'interrupted' });

  it('finds a longest common subsequence of texts and ids', () => {
    // Longer than a bit vector's words.
    const texts = fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 70 });
    fc.assert(
      fc.property(texts, texts, fc.array(fc.boolean()), (local, remote, known) => {
        const turns = local.map((text, index) =>
          // A turn with an id matches no text, and this id only if the service has it.
          createMessageTurn(`t${index}`, text, known[index] ? { remoteId: `m${index}` } : {}),
        );
        const ids = new Set(turns.map(({ remoteId }) => remoteId));
        const isSame = (at: number, of: number) =>
          known[at] ? at === of : !ids.has(`m${of}`) && local[at] === remote[of];
        const pairs = Object.entries(match(turns, ...remote.map((text, index) => `m${index}: ${text}`))).map(
          ([of, id]) => [Number(id.slice(1)), Number(of)] as const,
        );
        for (const [at, of] of pairs) assert.ok(isSame(at, of), `${at}–${of}`);
        const byText = pairs.filter(([at]) => !known[at]);
        assert.deepEqual(
          byText.map(([at]) => at),
          byText.map(([at]) => at).toSorted((one, other) => one - other),
        );
        assert.ok(pairs.length >= findLongest(local.length, remote.length, isSame));
      }),
      { numRuns: 500, seed: 20250214 },
    );
  });

  it('prefers earlier messages, and ignores differences of white space only', () => {
    const turns = [createMessageTurn('a', 'A'), createMessageTurn('b', 'B \n b')];
    assert.deepEqual(match(turns, '1: B b', '2: A'), { 0: 'b' });
    assert.deepEqual(match(turns, '1: Bb'), {});
  });

  it('compares a hundred replies to one message by their starts, not thousands with each other', () => {
    const remoteMessages = [
      { message: createRemoteMessage('1', 'Hi', false), kind: 'message' as const },
      ...Array.from({ length: 2000 }, (_, index) => ({
        message: createRemoteMessage(`r${index}`, `Remote ${index}`, true),
        kind: 'reply' as const,
      })),
    ];
    const partials = Array.from({ length: 2000 }, (_, index) =>
      createReplyTurn(`b${index}`, 'a', `Local ${index}`, { ending: 'interrupted' }),
    );
    const normalize = createNormalizer();
    let calls = 0;
    matchTurns([question, ...partials], remoteMessages, (holder) => {
      calls++;
      return normalize(holder);
    });
    // Each once, and twice for each of 100 × 100 comparisons.
    assert.ok(calls < 30_000, `${calls} texts read`);
  });

  it('takes hardly longer for replies that start with the same thousands of characters [attack: slow text]', async () => {
    const start = 'Same '.repeat(10_000);
    await assertLinear((count) => {
      const partials = Array.from({ length: count }, (_, index) =>
        createReplyTurn(`b${index}`, 'a', `${start}local ${index}`, { ending: 'interrupted' }),
      );
      const replies = Array.from({ length: count }, (_, index) => `>r${index}: ${start}remote ${index}`);
      assert.deepEqual(match([question, ...partials], '1: Hi', ...replies), { 0: 'a' });
    }, 5);
  });

  it('matches an interrupted reply after a hundred whose ids or texts are known', () => {
    const known = Array.from({ length: 150 }, (_, index) =>
      createReplyTurn(`k${index}`, 'a', `Known ${index}`, index < 75 ? { remoteId: `r${index}` } : {}),
    );
    const replies = known.map((_, index) => `>r${index}: Known ${index}`);
    const matches = match([question, ...known, broken], '1: Hi', ...replies, '>2: Half a reply');
    assert.equal(matches[151], 'b');
  });

  it('matches the last of thousands of messages, not an unsent one with its text', () => {
    const ids = Array.from({ length: 1500 }, (_, index) => `${index}`);
    const known = ids.map((id) => createMessageTurn(`t${id}`, `Text ${id}`, { remoteId: id }));
    const turns = [createMessageTurn('unsent', 'Go on'), ...known, createMessageTurn('last', 'Go on')];
    const matches = match(turns, ...ids.map((id) => `${id}: Text ${id}`), 'new: Go on');
    assert.deepEqual([matches[0], matches[1500]], ['t0', 'last']);
  });

  it('matches a turn whose id is known wherever its message is, once', () => {
    const turns = [
      createMessageTurn('a', 'A', { remoteId: '1' }),
      createMessageTurn('b', 'B', { remoteId: '2' }),
    ];
    assert.deepEqual(match(turns, '2: B', '1: A'), { 0: 'b', 1: 'a' });
    assert.deepEqual(match(turns, '3: A', '4: B'), {});
  });

  it('matches an interrupted reply with the one that continues or ends it, of several', () => {
    assert.deepEqual(match([question, broken], '1: Hi', '>2: Other', '>3: Half a reply'), { 0: 'a', 2: 'b' });
    assert.deepEqual(match([question, broken], '1: Hi', '>2: Other', '>3: Half'), { 0: 'a', 2: 'b' });
    assert.deepEqual(match([question, broken], '1: Hi', '>2: Other', '>3: a'), { 0: 'a' });
    const two = [question, broken, { ...broken, id: 'c' }];
    assert.deepEqual(match(two, '1: Hi', '>2: Half a b', '>3: Half a c'), { 0: 'a', 1: 'b', 2: 'c' });
  });

  it('matches no complete reply by a part of its text, unless it has skipped events', () => {
    const complete = { ...broken, ending: 'complete' as const };
    assert.deepEqual(match([question, complete], '1: Hi', '>2: Half a reply', '>3: Other'), { 0: 'a' });
    const skipped = { ...complete, skipped: true as const };
    assert.deepEqual(match([question, skipped], '1: Hi', '>2: Other', '>3: Half a reply'), {
      0: 'a',
      1: 'b',
    });
  });

  it('matches an interrupted reply only after its own message, and only without an id', () => {
    assert.deepEqual(match([broken], '>2: Half a reply', '>3: Other'), {});
    assert.deepEqual(match([{ ...broken, messageId: '' }], '1: New', '>2: Half a reply'), {});
    const other = createMessageTurn('x', 'Bye');
    const turns = [other, question, broken];
    assert.deepEqual(match(turns, '1: Bye', '>2: Half a reply', '>3: Other', '4: Hi'), { 0: 'x', 3: 'a' });
    const gone = { ...broken, remoteId: '9' };
    assert.deepEqual(match([question, gone], '1: Hi', '>2: Half a reply', '>3: Other'), { 0: 'a' });
    assert.deepEqual(match([question, gone], '1: Hi', '>2: Half a reply'), { 0: 'a' });
  });

  it('matches the only reply to a message whatever its text is, not one of several or of another message', () => {
    const reply = createReplyTurn('b', 'a', 'Hello');
    assert.deepEqual(match([question, reply], '1: Hi', '>2: Good day'), { 0: 'a', 1: 'b' });
    assert.deepEqual(match([question, reply], '1: Hi', '>2: Good day', '>3: Good night'), { 0: 'a' });
    assert.deepEqual(match([question, reply], '1: Hi', '2: Good day'), { 0: 'a' });
    const two = [question, reply, { ...reply, id: 'c', text: 'Hey' }];
    assert.deepEqual(match(two, '1: Hi', '>2: Good day'), { 0: 'a' });
    const known = createReplyTurn('b', 'a', 'Hello', { remoteId: '5' });
    assert.deepEqual(match([question, known], '1: Hi', '>2: Good day', '4: Bye', '>5: Hello'), {
      0: 'a',
      3: 'b',
    });
    const unrelated = createReplyTurn('b', 'x', 'Hello');
    assert.deepEqual(match([question, unrelated], '1: Hi', '>2: Good day'), { 0: 'a' });
    const chain = [question, reply, createReplyTurn('c', 'b', 'More')];
    assert.deepEqual(match(chain, '1: Hi', '>2: Hello', '>3: Other'), { 0: 'a', 1: 'b' });
  });
});

/** Returns the length of the longest common subsequence. */
function findLongest(rows: number, columns: number, isSame: (at: number, of: number) => boolean): number {
  let lengths = Array<number>(columns + 1).fill(0);
  for (let at = 0; at < rows; at++) {
    const next = [0];
    for (let of = 0; of < columns; of++) {
      const [left = 0, above = 0, before = 0] = [next[of], lengths[of + 1], lengths[of]];
      next.push(isSame(at, of) ? before + 1 : Math.max(left, above));
    }
    lengths = next;
  }
  return lengths[columns] ?? 0;
}
