import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptRecord } from '../../../../src/chat/model/record';
import { parseLines } from '../../../../src/chat/store/transcript/parseLines';
import { Replay } from '../../../../src/chat/store/transcript/replay';
import { WordFilter } from '../../../../src/chat/store/transcript/wordFilter';
import { foldText, parseSearchWords } from '../../../../src/shared/text/searchText';
import { cases } from '../../../support/fuzz';
import { about, chunk, ended, message, reply } from '../support/folders';

const isCandidate = (lines: readonly string[], query: string) => {
  const filter = new WordFilter(parseSearchWords(query));
  for (const line of lines) filter.add(line);
  return filter.isCandidate;
};
const toLines = (records: readonly TranscriptRecord[]) => records.map((record) => JSON.stringify(record));

const replyWithText = (id: string, text: string): TranscriptRecord => ({
  type: 'turn',
  turn: { kind: 'reply', id, messageId: 'm', bot: 'Guide', text, at: 2 },
});

describe('WordFilter', () => {
  it('finds words in messages and replies, also across chunks and in any case', () => {
    const lines = toLines([
      message('m', 'How do I "deploy" it?\nIn C:\\temp'),
      reply('r'),
      reply('s'),
      chunk('r', 'Über'),
      chunk('s', 'straw'),
      chunk('r', 'raschung an'),
      chunk('s', 'berry'),
      chunk('r', 'd more'),
      ended('r'),
    ]);
    for (const query of [
      'DEPLOY',
      '"deploy"',
      'c:\\temp',
      'in it',
      'uberraschung and',
      'strawberry',
      'more an',
    ]) {
      assert.equal(isCandidate(lines, query), true, query);
    }
    for (const query of ['deployed', 'strawraschung', 'berry deploy', 'nowhere']) {
      assert.equal(isCandidate(lines, query), false, query);
    }
  });

  it('ignores names of conversations and keys of records that are not in a turn with the other words', () => {
    assert.equal(
      isCandidate(toLines([about('Deploy'), message('m', 'Something else')]), 'deploy else'),
      false,
    );
  });

  it('continues a reply whose first part came without chunks', () => {
    assert.equal(
      isCandidate(toLines([replyWithText('r', 'a "long" stra'), chunk('r', 'wberry')]), 'strawberry'),
      true,
    );
  });

  it('never misses a turn that has all the words, whatever is in the file', () => {
    const text = fc.oneof(
      fc.constantFrom(
        'a',
        'B',
        'ab',
        ' ',
        '"',
        '\\',
        '\n',
        'é',
        'e\u0301',
        'ß',
        'Σς',
        '"}',
        ',"text":"',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const texts = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''));
    const id = fc.constantFrom('r', 's', '"');
    const record = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(id, texts).map(([turnId, each]) => chunk(turnId, each)) },
      fc.tuple(id, texts).map(([turnId, each]) => message(`m${turnId}`, each)),
      id.map((turnId) => reply(turnId)),
      fc.tuple(id, texts).map(([turnId, each]) => replyWithText(turnId, each)),
    );
    const damage = fc.option(fc.tuple(fc.nat(40), fc.constantFrom('', '\0\0', '\n')));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(record, damage), { maxLength: 12 }),
        fc.array(texts, { minLength: 1 }),
        (all, queries) => {
          const file = all
            .map(([each, broken]) => {
              const line = JSON.stringify(each);
              return broken ? `${line.slice(0, broken[0])}${broken[1]}${line.slice(broken[0])}` : line;
            })
            .join('\n');
          const { records } = parseLines(new TextEncoder().encode(file), 0, true);
          const { turns } = new Replay().apply(records);
          for (const query of [
            ...queries,
            ...turns.flatMap((turn) => ('text' in turn ? [turn.text.slice(1)] : [])),
          ]) {
            const words = parseSearchWords(query);
            const found = turns.some(
              (turn) => 'text' in turn && words.every((word) => foldText(turn.text).includes(word)),
            );
            if (found)
              assert.equal(isCandidate(file.split('\n'), query), true, JSON.stringify({ file, query }));
          }
        },
      ),
      cases(500),
    );
  });
});
