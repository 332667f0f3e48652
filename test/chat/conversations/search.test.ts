import assert from 'node:assert/strict';
import fc from 'fast-check';
import { searchConversations } from '../../../src/chat/conversations/search';
import type { Turn } from '../../../src/chat/model/conversation';
import { findWords, foldText, parseSearchWords } from '../../../src/shared/searchText';
import type { SearchHit } from '../../../src/shared/viewModel';
import { cases } from '../../support/fuzz';

const bot = { id: 'guide', name: 'Guide' };
const said = (id: string, text: string): Turn => ({ kind: 'message', id, text, at: 1 });
const conversation = (id: string, ...turns: Turn[]) => ({ id, name: `Name of ${id}`, bot, turns });

async function search(
  conversations: Iterable<ReturnType<typeof conversation>>,
  query: string,
  signal = new AbortController().signal,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const hit of searchConversations(conversations, query, signal)) hits.push(hit);
  return hits;
}

describe('Searching conversations', () => {
  it('finds turns that hold every word, the newest conversation and turn first, and says where', async () => {
    const found = await search(
      [
        conversation('a', said('1', 'The deploy fails'), said('2', 'Deploy again: it fails once more')),
        conversation('b', said('3', 'deploy'), said('4', 'It FAILS to deploy.')),
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

  it('reads replies, and no documents', async () => {
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
    const found = await search([conversation('a', reply, file)], 'words');
    assert.deepEqual(
      found.map(({ turnId }) => turnId),
      ['r'],
    );
  });

  it('takes no notice of case and accents, and shows the text as it was said', async () => {
    const found = await search(
      [conversation('a', said('1', 'Crème BRÛLÉE, ﬁne, ΟΔΟΣ'))],
      'creme brulee fine οδος',
    );
    assert.equal(found[0]?.match, 'Crème');
  });

  it('shows about 90 characters around the match, whole words, on one line', async () => {
    const around = 'several words\nof context and '.repeat(30);
    const [hit] = await search([conversation('a', said('1', `${around}needle ${around}`))], 'needle');
    assert.equal(hit?.match, 'needle');
    assert.match(hit?.before ?? '', /^…\w[^\n]{10,30} $/);
    assert.match(hit?.after ?? '', /^ [^\n]{30,60}\w…$/);
    for (const word of `${hit?.before}${hit?.after}`.match(/\w+/g) ?? [])
      assert.ok(['several', 'words', 'of', 'context', 'and'].includes(word), word);
  });

  it('ends at a hundred hits', async () => {
    const turns = Array.from({ length: 150 }, (_, index) => said(`${index}`, 'again'));
    const found = await search([conversation('a', ...turns)], 'again');
    assert.equal(found.length, 100);
    assert.equal(found[0]?.turnId, '149');
  });

  it('finds nothing for no words', async () => {
    assert.deepEqual(await search([conversation('a', said('1', 'x'))], '  '), []);
  });

  it('lets others have their turn, and stops when it is aborted', async () => {
    let read = 0;
    function* endless() {
      for (;;) {
        read++;
        yield conversation(`${read}`, said('1', 'nothing of it here '.repeat(200)));
      }
    }
    const controller = new AbortController();
    // Nothing but a timer ends it, and a timer's turn comes only where the search pauses.
    setTimeout(() => controller.abort());
    assert.deepEqual(await search(endless(), 'needle', controller.signal), []);
    assert.ok(read > 0);
  });
});

describe('Folding', () => {
  it('is the same piece by piece as at once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal([...text].map(foldText).join(''), foldText(text));
      }),
      cases(1000),
    );
  });

  it('keeps the places of what it finds', () => {
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
});
