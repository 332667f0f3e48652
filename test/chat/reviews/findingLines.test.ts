import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findFindingLine, moveLine } from '../../../src/chat/reviews/findingLines';
import { cases } from '../../support/fuzz';

describe('The line of a finding', () => {
  const lines = ['a', 'b', 'c', 'b', ''];
  it('is the one that it names, if the file has it', () => {
    assert.equal(findFindingLine(lines, 2, undefined), 1);
    assert.equal(findFindingLine(lines, 5, ''), 4);
    assert.equal(findFindingLine(lines, 6, undefined), undefined);
    assert.equal(findFindingLine(lines, 9_999_999, 'x'), undefined);
  });

  it('is the nearest one with the text of the diff, if the file has changed', () => {
    assert.equal(findFindingLine(lines, 5, 'b'), 3);
    assert.equal(findFindingLine(lines, 1, 'b'), 1);
    assert.equal(findFindingLine(lines, 8, 'b'), 3);
    assert.equal(findFindingLine(lines, 3, 'gone'), 2);
  });

  it('moves with its text when lines are changed before or after it', () => {
    // A text of lines, each with a name; one is marked.
    const texts = fc.array(fc.constantFrom('', 'x', 'yy'), { minLength: 1, maxLength: 12 });
    const edit = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('', 'z', '\n', 'z\n', 'z\nz', '\n\nz'));
    fc.assert(
      fc.property(texts, fc.nat(), edit, (others, at, [from, length, inserted]) => {
        const line = at % others.length;
        const MARK = '#mark#';
        const all = others.map((text, index) => (index === line ? MARK : text));
        const text = all.join('\n');
        const start = from % (text.length + 1);
        const end = Math.min(text.length, start + (length % 20));
        const markAt = text.indexOf(MARK);
        const toPosition = (offset: number) => {
          const before = text.slice(0, offset).split('\n');
          return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
        };
        const [a, b] = [toPosition(start), toPosition(end)];
        const moved = moveLine(line, {
          startLine: a.line,
          endLine: b.line,
          endCharacter: b.character,
          lineBreaks: inserted.split('\n').length - 1,
        });
        const after = text.slice(0, start) + inserted + text.slice(end);
        const lineCount = after.split('\n').length;
        assert.ok(moved >= 0 && moved < lineCount, `${moved} of ${lineCount}`);
        // As long as the marked text is whole, the line is the one with it.
        if (start >= markAt + MARK.length || end <= markAt) {
          const markedLine = after.slice(0, after.indexOf(MARK)).split('\n').length - 1;
          assert.equal(moved, markedLine);
        }
      }),
      cases(1000),
    );
  });
});
