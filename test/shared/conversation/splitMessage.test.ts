import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeMessage, countCodePoints } from '../../../src/shared/conversation/message';
import { splitMessage, takeFirstPart } from '../../../src/shared/conversation/splitMessage';
import { assertLinear } from '../../support/cpuTime';
import { cases } from '../../support/fuzz';

/** Returns the slice of the text that a part took, without the lines that close and reopen a code block. */
function getTakenSlice(text: string, limit: number): { slice: string; rest: string } {
  const { part, rest } = takeFirstPart(text, limit);
  if (part + rest === text) return { slice: part, rest };
  const mark = part.slice(part.lastIndexOf('\n') + 1);
  const opening = rest.slice(0, rest.indexOf('\n') + 1);
  assert.match(mark, /^(`{3,}|~{3,})$/);
  assert.ok(opening.includes(mark), `${mark} closes what ${opening} opens`);
  const withBreak = part.slice(0, -mark.length);
  const left = rest.slice(opening.length);
  const slice = withBreak + left === text ? withBreak : withBreak.slice(0, -1);
  return { slice, rest };
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
        let whole = '';
        let rest = text;
        let reopened = '';
        while (rest.trim() !== '') {
          const cut = getTakenSlice(rest, limit);
          assert.ok(cut.slice.startsWith(reopened));
          whole += cut.slice.slice(reopened.length);
          // What the rest has in addition to the remaining text is the line that reopens the block.
          reopened = cut.rest.slice(0, cut.rest.length - (rest.length - cut.slice.length));
          rest = cut.rest;
        }
        assert.equal(whole.trimEnd(), text.trimEnd());
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
    const next = takeFirstPart(`${' '.repeat(9_000)}two`);
    assert.equal(next.part.trim(), 'two');
  });

  it('leaves a text that fits unchanged', () => {
    assert.deepEqual(splitMessage('😀'.repeat(2000)), ['😀'.repeat(2000)]);
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
