import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseFrontMatter } from '../../../src/chat/text/frontMatter';
import { cases, inTime } from '../../support/fuzz';

describe('Front matter', () => {
  const parse = (text: string) => Object.fromEntries(parseFrontMatter(text).values);

  it('has plain, quoted and block scalars, without comments', () => {
    const text = [
      '---',
      'name: create-form # for teams',
      "description: 'It''s a form: #1' # the first",
      'argument-hint: "a\\tb \\u00e4 \\"c\\""',
      '# comment: none',
      'folded: >-',
      '  one',
      '  two',
      'literal: |',
      '  one',
      '  two',
      'long: begins',
      '  and ends',
      'empty:',
      'url: https://example.com/#top',
      '---',
    ];
    assert.deepEqual(parse(text.join('\n')), {
      name: 'create-form',
      description: "It's a form: #1",
      'argument-hint': 'a\tb ä "c"',
      folded: 'one two',
      literal: 'one\ntwo',
      long: 'begins and ends',
      empty: '',
      url: 'https://example.com/#top',
    });
  });

  it('ignores lists, mappings, anchors, tags, and broken quotes', () => {
    const text = [
      "tools: ['a', 'b']",
      'list:',
      '  - a',
      'map: {a: b}',
      'anchor: &a x',
      'alias: *a',
      'tag: !!js/function x',
      "open: 'a",
      'escape: "\\q"',
      'nested:',
      '  name: x',
      ': none',
      'no colon',
      'model: GPT-4o',
    ];
    const { nested, ...values } = parse(`---\n${text.join('\n')}\n---\n`);
    assert.deepEqual(values, { model: 'GPT-4o' });
    assert.equal(nested, 'name: x');
  });

  it('has any key without a special meaning, and the first of two with the same key', () => {
    const { values } = parseFrontMatter('---\nconstructor: a\ntoString: b\nname: c\nname: d\n---\n');
    assert.deepEqual(
      [...values],
      [
        ['constructor', 'a'],
        ['toString', 'b'],
        ['name', 'c'],
      ],
    );
  });

  it('has values with characters that JavaScript counts as line ends', () => {
    assert.deepEqual(parse('---\na: b\u2028c # d\u2029e\nf: "g\u2028h"\n---\n'), {
      a: 'b\u2028c',
      f: 'g\u2028h',
    });
  });

  it('has comments after all kinds of values, blank lines in blocks, and white space around dashes and colons', () => {
    const text = [
      '--- \t',
      'spaced : x',
      'block: |  # a comment',
      '',
      '  one',
      '',
      '  two',
      "single: 'a'  # a comment",
      'double: "b"  # a comment',
      'pipe: x |',
      '---\t',
      '  ',
      'name: of the \ufeff text',
    ];
    const { values, body } = parseFrontMatter(text.join('\n'));
    assert.deepEqual(Object.fromEntries(values), {
      spaced: 'x',
      block: 'one\n\ntwo',
      single: 'a',
      double: 'b',
      pipe: 'x |',
    });
    assert.equal(body, 'name: of the \ufeff text');
  });

  it('has no values of lines that are no YAML, or more than a quoted text or a mark', () => {
    const lines = [
      'a:b',
      'pipe: |x',
      "single: 'a' b",
      'double: "a" b',
      'double2: "a"x',
      'dash: -',
      'dash2: - a',
    ];
    assert.deepEqual(parse(['---', ...lines, 'x---', '---x', 'last: z', '---', ''].join('\n')), {
      last: 'z',
    });
  });

  it('has at most 200 lines, and starts with dashes only', () => {
    const create = (lines: number) => `---\n${'a: b\n'.repeat(lines - 2)}---\nText`;
    assert.equal(parseFrontMatter(create(200)).body, 'Text');
    assert.equal(parseFrontMatter(create(201)).values.size, 0);
    for (const start of ['x---', '---x'])
      assert.equal(parseFrontMatter(`${start}\na: b\n---\n`).values.size, 0, start);
  });

  it('ends at the second line of dashes; without one everything is text', () => {
    const { body, lineCount } = parseFrontMatter('\ufeff---\r\nname: a\r\n---\r\n\r\n  One\r\n---\r\n');
    assert.deepEqual([body, lineCount], ['  One\n---', 3]);
    assert.deepEqual(parseFrontMatter('---\nname: a\n'), {
      values: new Map(),
      body: '---\nname: a',
      lineCount: 0,
    });
    assert.deepEqual(parseFrontMatter('Text\n---\nname: a\n---'), {
      values: new Map(),
      body: 'Text\n---\nname: a\n---',
      lineCount: 0,
    });
  });

  it('never throws and takes little time, whatever the text is [attack: prompt file]', async () => {
    const line = fc.oneof(
      fc.constantFrom('---', 'a: ', "a: '", 'a: "', 'a: |', 'a: >', '  ', '- a', 'a: &b', '#', ': '),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        parseFrontMatter(`---\n${lines.join('\n')}\n---\n`);
      }),
      cases(500),
    );
    await inTime(async () => {
      for (const unit of ["'", "''", '"', '\\"', ' ', ' #', ': ', 'a: b\n', '\n', "' '", '" "', '\\'])
        for (const start of ['a: ', "a: '", 'a: "', 'a:', ''])
          for (const end of ['', '\u2028x', "'x", '"x'])
            parseFrontMatter(`---\n${start}${unit.repeat(60_000 / unit.length)}${end}\n---\n`);
    });
  });
});
