import assert from 'node:assert/strict';
import fc from 'fast-check';
import { searchConversations } from '../../../src/chat/conversations/searchConversations';
import type { Turn } from '../../../src/chat/model/turn';
import { findWords, foldText, parseSearchWords } from '../../../src/shared/text/searchText';
import type { SearchHit } from '../../../src/shared/view/viewModel';
import { cases } from '../../support/fuzz';

const bot = { id: 'guide', name: 'Guide' };
const createMessage = (id: string, text: string): Turn => ({ kind: 'message', id, text, at: 1 });
const createConversation = (id: string, ...turns: Turn[]) => ({ id, name: `Name of ${id}`, bot, turns });

async function search(
  conversations: Iterable<ReturnType<typeof createConversation>>,
  query: string,
  signal = new AbortController().signal,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const hit of searchConversations(conversations, query, signal)) hits.push(hit);
  return hits;
}

describe('searchConversations', () => {
  it('finds turns that contain every word, newest conversation and turn first, with their place', async () => {
    const found = await search(
      [
        createConversation(
          'a',
          createMessage('1', 'The deploy fails'),
          createMessage('2', 'Deploy again: it fails once more'),
        ),
        createConversation('b', createMessage('3', 'deploy'), createMessage('4', 'It FAILS to deploy.')),
      ],
      ' fails  deploy ',
    );
    assert.deepEqual(
      found.map(({ conversationId, turnId }) => [conversationId, turnId]),
      [
        ['a', '2'],
        ['a', '1'],
        ['b', '4'],
      ],
    );
    assert.deepEqual(found[2], {
      conversationId: 'b',
      turnId: '4',
      name: 'Name of b',
      bot,
      at: 1,
      before: 'It ',
      match: 'FAILS',
      after: ' to deploy.',
    });
  });

  it('searches replies but not documents', async () => {
    const reply: Turn = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'words', at: 2 };
    const file: Turn = {
      kind: 'document',
      id: 'd',
      name: 'words',
      size: 1,
      sent: 1,
      at: 3,
      state: 'attached',
    };
    const found = await search([createConversation('a', reply, file)], 'words');
    assert.deepEqual(
      found.map(({ turnId }) => turnId),
      ['r'],
    );
  });

  it('ignores case and accents, and returns the original text', async () => {
    const found = await search(
      [createConversation('a', createMessage('1', 'Crème BRÛLÉE, ﬁne, ΟΔΟΣ'))],
      'creme brulee fine οδος',
    );
    assert.equal(found[0]?.match, 'Crème');
  });

  it('returns about 90 characters around the match, in whole words on one line', async () => {
    const around = 'several words\nof context and '.repeat(30);
    const [hit] = await search(
      [createConversation('a', createMessage('1', `${around}needle ${around}`))],
      'needle',
    );
    assert.equal(hit?.match, 'needle');
    assert.match(hit?.before ?? '', /^…\w[^\n]{10,30} $/);
    assert.match(hit?.after ?? '', /^ [^\n]{30,60}\w…$/);
    for (const word of `${hit?.before}${hit?.after}`.match(/\w+/g) ?? [])
      assert.ok(['several', 'words', 'of', 'context', 'and'].includes(word), word);
  });

  it('stops after a hundred hits', async () => {
    const turns = Array.from({ length: 150 }, (_, index) => createMessage(`${index}`, 'again'));
    const found = await search([createConversation('a', ...turns)], 'again');
    assert.equal(found.length, 100);
    assert.equal(found[0]?.turnId, '149');
  });

  it('returns nothing for an empty query', async () => {
    assert.deepEqual(await search([createConversation('a', createMessage('1', 'x'))], '  '), []);
  });

  it('yields to other work, and stops when aborted', async () => {
    let read = 0;
    function* endless() {
      for (;;) {
        read++;
        yield createConversation(`${read}`, createMessage('1', 'nothing of it here '.repeat(200)));
      }
    }
    const controller = new AbortController();
    // Only a timer aborts the search, and timers run only while it yields.
    setTimeout(() => controller.abort());
    assert.deepEqual(await search(endless(), 'needle', controller.signal), []);
    assert.ok(read > 0);
  });
});

describe('fold', () => {
  it('gives the same result for the parts of a text as for the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal([...text].map(foldText).join(''), foldText(text));
      }),
      cases(1000),
    );
  });

  it('fold keeps the positions of matches', () => {
    const unit = fc.constantFrom('a', 'B', 'é', 'e\u0301', 'ﬁ', 'İ', '😀', ' ', 'Å', '한');
    fc.assert(
      fc.property(fc.string({ unit }), fc.string({ unit, minLength: 1, maxLength: 3 }), (text, query) => {
        const words = parseSearchWords(query);
        let before = 0;
        for (const [start, end] of findWords(text, words)) {
          assert.ok(start >= before && end > start);
          before = end;
          const found = foldText(text.slice(start, end));
          assert.ok(
            words.some((word) => found.includes(word)),
            `${found} of ${text}`,
          );
        }
        if (words.some((word) => foldText(text).includes(word))) assert.ok(before > 0);
      }),
      cases(2000),
    );
  });

  it('finds the first match in a huge reply, also across the pieces that it is searched in [attack: slow text]', async () => {
    for (const length of [16_380, 16_384, 3_000_000]) {
      const text = `${'x'.repeat(length)} a Nëedle here`;
      const [hit] = await search([createConversation('a', createMessage('1', text))], 'needle');
      assert.deepEqual([hit?.match, hit?.after], ['Nëedle', ' here']);
    }
  });
});
