import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeMessage, countCodePoints } from '../../../src/shared/conversation/message';
import { cutMessages, type MessagePart, splitMessage } from '../../../src/shared/conversation/splitMessage';
import { assertLinear } from '../../support/cpuTime';
import { cases } from '../../support/fuzz';

/** Returns the lines that a part has in addition to its slice of the text: one that reopens a code block, one that closes it. */
function getAddedLines(
  text: string,
  { part, start, end }: MessagePart,
  reopens: boolean,
): { opening: string; closing: string } {
  const slice = text.slice(start, end);
  const at = reopens ? part.indexOf('\n') + 1 : 0;
  assert.ok(part.startsWith(slice, at), `${part} has ${slice}`);
  return { opening: part.slice(0, at), closing: part.slice(at + slice.length) };
}

/** Texts that are hard to cut: code blocks, long lines, surrogate pairs, graphemes, white space. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '```\n',
    '```ts\n',
    '\n````\n',
    '~~~\n',
    '    ',
    ' ',
    '\r\n',
    '`'.repeat(300),
  ),
  fc.constantFrom('👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '\ud83d', '日本語', '😀'.repeat(70)),
  fc.lorem(),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.integer({ min: 1, max: 700 }).map((length) => 'x'.repeat(length)),
);
const texts = fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join(''));

describe('splitMessage', () => {
  it('splits a text into parts that contain all of it and are neither too long nor empty', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 500, max: 2000 }), (text, limit) => {
        let end = 0;
        let mark = '';
        for (const cut of cutMessages(text, limit)) {
          // Only white space is left out.
          assert.equal(text.slice(end, cut.start).trim(), '');
          end = cut.end;
          const { opening, closing } = getAddedLines(text, cut, mark !== '');
          assert.ok(opening.includes(mark), `${opening} opens what ${mark} closed`);
          assert.match(closing, /^(\n?(`{3,}|~{3,}))?$/);
          mark = closing.trim();
        }
        assert.equal(text.slice(end).trim(), '');
        const parts = splitMessage(text, limit);
        for (const part of parts) assert.ok(countCodePoints(part) <= limit, `${countCodePoints(part)}`);
        assert.ok(parts.every((part) => part.trim() !== '') || text.trim() === '');
      }),
      cases(100),
    );
  });

  it('never cuts inside a surrogate pair or a grapheme', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('👩‍👩‍👧‍👦', 'e\u0301', '😀', '🇩🇪'),
        fc.integer({ min: 0, max: 9 }),
        (cluster, shift) => {
          const text = 'x'.repeat(shift) + cluster.repeat(1500);
          for (const part of splitMessage(text)) {
            assert.equal(part.replace(/^x+/, '').length % cluster.length, 0);
          }
        },
      ),
    );
  });

  it('skips white space longer than a message, which the service would refuse', () => {
    assert.deepEqual(
      splitMessage(`one${' '.repeat(5_000)}two`).map((part) => part.trim()),
      ['one', 'two'],
    );
    assert.deepEqual(
      splitMessage(`${'\n'.repeat(2_000)}two`).map((part) => part.trim()),
      ['two'],
    );
    assert.deepEqual(splitMessage(' '.repeat(5_000)), []);
    assert.equal(splitMessage(`${' '.repeat(9_000)}two`).length, 1);
  });

  it('leaves a text that fits unchanged', () => {
    for (const text of ['😀'.repeat(2000), ' a \n', '```\na']) assert.deepEqual(splitMessage(text), [text]);
  });

  it('cuts at the end of a paragraph, else of a line, else of a word', () => {
    const word = 'word '.repeat(60).trimEnd();
    const paragraphs = [word, word, word].join('\n\n');
    assert.deepEqual(splitMessage(paragraphs, 700), [`${word}\n\n${word}\n\n`, word]);
    const lines = [word, word, word].join('\n');
    assert.deepEqual(splitMessage(lines, 700), [`${word}\n${word}\n`, word]);
    assert.ok(splitMessage('word '.repeat(300), 700).every((part) => /^(word )+$/.test(part)));
  });

  it('closes and reopens a code block that is cut, with fences of the same length', () => {
    const code = Array.from({ length: 100 }, (_, index) => `const value${index} = '\`\`\`';\n`).join('');
    const parts = splitMessage(`Why?\n\na.ts:1-100\n\`\`\`\`ts\n${code}\`\`\`\`\n\nThanks`);
    assert.equal(parts.length, 2);
    assert.match(parts[0] ?? '', /^Why\?\n\na\.ts:1-100\n````ts\n[\s\S]*;\n````$/);
    assert.match(parts[1] ?? '', /^````ts\nconst value[\s\S]*;\n````\n\nThanks$/);
    assert.equal([...parts.join('').matchAll(/const value/g)].length, 100);
  });

  it('takes time linear in the length of the text', () =>
    assertLinear((lines) => {
      const parts = splitMessage(`\`\`\`\n${'a line of a log\n'.repeat(lines)}\`\`\``);
      assert.ok(parts.length > lines / 150);
    }, 10_000));
});

describe('composeMessage', () => {
  it('appends each chip as a separate paragraph', () => {
    assert.equal(composeMessage('Why?\n', [{ text: 'a' }, { text: 'b' }]), 'Why?\n\na\n\nb');
    assert.equal(composeMessage('', [{ text: 'a' }]), 'a');
    assert.equal(composeMessage(' Why? ', []), ' Why? ');
  });
});
