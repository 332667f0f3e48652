import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_FINDINGS, parseFindings } from '../../../src/chat/reviews/findings';
import { attackLists } from '../../support/attackLists';
import { cases, inTime } from '../../support/fuzz';

const parse = (reply: string, documents: readonly string[] = []) => parseFindings(reply, documents);

describe('The findings of a reply', () => {
  it('are its lines of the form path:line: finding, in a list, in code and in bold', () => {
    const reply = [
      'Here is the review:',
      'src/app.ts:12: no tests [style.md]',
      '- `src/a b.ts:3`: a name with a space',
      '2. **lib/__init__.py:7:** too long',
      '  * src/x.ts:1:5: with a column\r',
      'src/y.ts:4-6: three lines',
      'See src/app.ts for more: nothing.',
      'https://example.com:8080: no finding',
      'C:\\app.ts:3: no relative path',
      'src/app.ts:0: no such line',
      'src/app.ts:12:',
    ].join('\n');
    const { findings, count } = parse(reply, ['style.md']);
    assert.deepEqual(
      findings.map(({ path, line, endLine, text, document }) => [path, line, endLine, text, document]),
      [
        ['src/app.ts', 12, 12, 'no tests', 'style.md'],
        ['src/a b.ts', 3, 3, 'a name with a space', undefined],
        ['lib/__init__.py', 7, 7, 'too long', undefined],
        ['src/x.ts', 1, 1, 'with a column', undefined],
        ['src/y.ts', 4, 6, 'three lines', undefined],
      ],
    );
    assert.equal(count, 5);
  });

  it('cite only a document that was chosen: in brackets, or by its name in the text', () => {
    const documents = ['Style.md', 'Style Guide.md', 'security.pdf'];
    const cite = (text: string) => {
      const [finding] = parse(`a.ts:1: ${text}`, documents).findings;
      return [finding?.text, finding?.document];
    };
    assert.deepEqual(cite('x [style.md]'), ['x', 'Style.md']);
    assert.deepEqual(cite('x [“Style Guide”].'), ['x', 'Style Guide.md']);
    assert.deepEqual(cite('x [other.md]'), ['x [other.md]', undefined]);
    assert.deepEqual(cite('by security.pdf, 2.1'), ['by security.pdf, 2.1', 'security.pdf']);
    assert.deepEqual(cite('by nosecurity.pdf'), ['by nosecurity.pdf', undefined]);
    assert.deepEqual(cite('[style.md]'), ['[style.md]', 'Style.md']);
  });

  it('are at most 200, without repetitions, of a reply with 100,000 [attack: findings]', async () => {
    const reply = Array.from({ length: 100_000 }, (_, index) => `src/a.ts:${(index % 50_000) + 1}: x`).join(
      '\n',
    );
    const { findings, count } = await inTime(async () => parse(reply));
    assert.equal(findings.length, MAX_FINDINGS);
    assert.equal(new Set(findings.map(({ line }) => line)).size, MAX_FINDINGS);
    assert.ok(count > 99_000, `${count}`);
  });

  it('are found in time in lines that are made to backtrack [attack: findings]', async () => {
    const starts = [' ', '*', '`', '-', 'a', 'a:1', ':1', '[', '[style', 'a:1-', '-a:1:1:', '“'];
    for (const start of starts) {
      const line = start.repeat(200_000 / start.length);
      await inTime(async () => parse(`${`${line}\n`.repeat(5)}a.ts:1: ${line}`, [line, 'style.md']));
    }
  });

  it('have a path, a line and a text in bounds, whatever the reply is', () => {
    const attacks = attackLists.flatMap(([, list]) => list);
    const part = fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom(
        'a.ts',
        ':',
        ': ',
        '12',
        '\n',
        '- ',
        '`',
        '**',
        '[style.md]',
        '../',
        '/etc/passwd',
        '\u202e',
      ),
      fc.string(),
    );
    const replies = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(replies, (reply) => {
        const { findings, count } = parse(reply, ['style.md']);
        assert.ok(findings.length <= count && count <= reply.split('\n').length);
        for (const { path, line, endLine, text, document } of findings) {
          assert.ok(path.length > 0 && path.length < 500 && !/[\n:]/.test(path));
          assert.ok(line >= 1 && endLine >= line && endLine < 10_000_000);
          assert.ok(text !== '' && text.length <= 4000 && reply.includes(text));
          assert.ok(document === undefined || document === 'style.md');
        }
      }),
      cases(500),
    );
  });
});
