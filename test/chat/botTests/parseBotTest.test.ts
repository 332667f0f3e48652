import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BotTestQuestion, listQuestions } from '../../../src/chat/botTests/botTest';
import { describeProblem, toEnglish } from '../../../src/chat/botTests/botTestTexts';
import { parseBotTest } from '../../../src/chat/botTests/parseBotTest';
import { cases, inTime } from '../../support/fuzz';

const parse = (...lines: string[]) => parseBotTest(lines.join('\n'));
const questions = (...lines: string[]) => listQuestions(parse(...lines).items);
const problems = (...lines: string[]) =>
  parse(...lines).problems.map(({ line, code, detail }) =>
    [line + 1, code, detail].filter((part) => part !== undefined),
  );
const first = (...lines: string[]): BotTestQuestion => questions(...lines)[0] ?? assert.fail('no question');

describe('A file of bot tests', () => {
  it('has a bot, a service, and questions in groups', () => {
    const file = parse(
      '---',
      'bot: Support Bot # the new one',
      'service: staging.example.com',
      '---',
      '',
      'Words for people.',
      '# Prices',
      'What follows is about money.',
      '## What does the Team plan cost?',
      '',
      '- all:',
      '  - 12 €',
      '  - /per (user|seat)/i',
      '- any: month',
      '- none: "note: I don’t know"',
      '- sources: pricing.md',
      '- tolerance: 1 of 3',
      '## Refund',
      'I bought it 20 days ago.',
      '',
      'Can I get my money back?',
      '* Any of:',
      '  1. yes',
      '  2. 30 days',
      '# And this?',
      '- none of: no',
    );
    assert.deepEqual(file.problems, []);
    assert.deepEqual([file.bot, file.service], ['Support Bot', 'staging.example.com']);
    const [prices, last] = file.items;
    assert.ok(prices?.kind === 'group' && last?.kind === 'question');
    assert.deepEqual([prices.title, prices.children.length, last.text], ['Prices', 2, 'And this?']);
    const [cost, refund] = listQuestions(prices.children);
    assert.deepEqual(cost, {
      kind: 'question',
      title: 'What does the Team plan cost?',
      line: 8,
      text: 'What does the Team plan cost?',
      expectations: [
        {
          kind: 'all',
          line: 10,
          phrases: [
            { kind: 'text', line: 11, text: '12 €' },
            { kind: 'expression', line: 12, source: 'per (user|seat)', flags: 'i' },
          ],
        },
        { kind: 'any', line: 13, phrases: [{ kind: 'text', line: 13, text: 'month' }] },
        { kind: 'none', line: 14, phrases: [{ kind: 'text', line: 14, text: 'note: I don’t know' }] },
      ],
      sources: [{ line: 15, name: 'pricing.md' }],
      tolerance: { failures: 1, times: 3 },
    });
    assert.equal(refund?.text, 'I bought it 20 days ago.\n\nCan I get my money back?');
    assert.deepEqual(
      refund?.expectations[0]?.phrases.map((phrase) => phrase.kind === 'text' && phrase.text),
      ['yes', '30 days'],
    );
  });

  it('can be written in other common ways: bold labels, full-width colons, CRLF, a byte order mark, wrapped items', () => {
    const text = '\ufeff# Q?\r\n\r\n- **All:**\r\n    - one\r\n      two\r\n- **any**: x\r\n- none：y\r\n';
    const file = parseBotTest(text);
    assert.deepEqual(file.problems, []);
    const [question] = listQuestions(file.items);
    assert.deepEqual(
      question?.expectations.map(({ kind, phrases }) => [
        kind,
        ...phrases.map((each) => each.kind === 'text' && each.text),
      ]),
      [
        ['all', 'one two'],
        ['any', 'x'],
        ['none', 'y'],
      ],
    );
  });

  it('sends lists, quotes and code of a question, but no comments', () => {
    const { text } = first(
      '## Which is right?',
      'Choose: <!-- not - sent -->',
      '- one',
      '- two',
      '',
      '```sh',
      '# not a heading',
      '- all: not a label',
      '```',
      '<!--',
      '- all: commented out',
      '-->',
      '',
      '- any: one',
    );
    assert.equal(text, 'Choose: \n- one\n- two\n\n```sh\n# not a heading\n- all: not a label\n```');
  });

  it('takes a phrase in quotation marks or code as it is', () => {
    const { expectations } = first(
      '# Q?',
      '- all:',
      '  - "/usr/bin/"',
      '  - `tolerance: 1`',
      '  - „so“',
      '  - "a" or "b"',
    );
    assert.deepEqual(
      expectations[0]?.phrases.map((phrase) => phrase.kind === 'text' && phrase.text),
      ['/usr/bin/', 'tolerance: 1', 'so', 'a" or "b'],
    );
  });

  const wrong: readonly (readonly [what: string, lines: readonly string[], expected: readonly unknown[]])[] =
    [
      [
        'a property that there isn’t',
        ['---', '# comment', 'bots: A', '---', '# Q?', '- all: x'],
        [3, 'unknownProperty', 'bots'],
      ],
      ['a list as a property', ['---', 'bot:', '  - A', '---', '# Q?', '- all: x'], [2, 'noValue', 'bot']],
      ['properties that don’t end', ['---', 'bot: A', '', '# Q?', '- all: x'], [1, 'openFrontMatter']],
      ['no question', ['Only text.'], [1, 'noQuestions']],
      ['expectations without a question', ['- all: x', '- any: y'], [1, 'noHeading']],
      ['a question without a heading’s text', ['#', '- all: x'], [1, 'emptyHeading']],
      ['a question without expectations', ['# Q?', '', '- x'], [1, 'noExpectations']],
      ['a tolerance alone', ['# Q?', '- tolerance: 0'], [1, 'noExpectations']],
      ['a misspelled label after another', ['# Q?', '- all: x', '- non: y'], [3, 'unknownLabel', 'non']],
      ['a misspelled label before another', ['# Q?', '', '- al: x', '- none: y'], [3, 'unknownLabel', 'al']],
      ['an item without a label', ['# Q?', '- all: x', '- y'], [3, 'noLabel']],
      ['a label without phrases', ['# Q?', '- all:', '- none: x'], [2, 'noPhrases']],
      ['a phrase without anything to find', ['# Q?', '- all: ""', '- any: **'], [3, 'emptyPhrase']],
      ['an empty expression', ['# Q?', '- all: //'], [2, 'emptyPhrase']],
      ['a long phrase', ['# Q?', '- all:', `  - ${'x'.repeat(1001)}`], [3, 'longPhrase']],
      [
        'too many phrases',
        ['# Q?', '- all:', ...Array.from({ length: 51 }, () => '  - x')],
        [1, 'tooManyPhrases'],
      ],
      ['text below the expectations', ['# Q?', '- all: x', '', 'More.'], [4, 'textAfterList']],
      ['a regular expression that isn’t valid', ['# Q?', '- all: /(/'], [2, 'invalidExpression']],
      ['flags that there aren’t', ['# Q?', '- all: /a/gx'], [2, 'invalidFlags', 'gx']],
      ['a tolerance in other words', ['# Q?', '- all: x', '- tolerance: some'], [3, 'tolerance']],
      ['a tolerance of all replies', ['# Q?', '- all: x', '- tolerance: 3 of 3'], [3, 'tolerance']],
      ['too many replies', ['# Q?', '- all: x', '- tolerance: 1 of 11'], [3, 'tolerance']],
      ['a question that is too long', ['# Q?', 'x'.repeat(2001), '- all: x'], [1, 'tooLong']],
      ['an open comment', ['# Q?', '<!-- so', '- all: x'], [2, 'openComment']],
      ['an open code block', ['# Q?', '- all: x', '# P?', '```', '- all: x'], [4, 'openFence']],
    ];
  for (const [what, lines, expected] of wrong) {
    it(`with ${what} has a problem at its line, with a sentence, and isn’t asked`, () => {
      const file = parse(...lines);
      const [problem] = problems(...lines);
      assert.deepEqual(problem?.slice(0, expected.length), expected);
      const [found] = file.problems;
      assert.ok(found && describeProblem(found, toEnglish).length > 20);
      for (const question of listQuestions(file.items).filter(({ title }) => title !== 'P?'))
        if (!/^(?:openFence)$/.test(found.code)) assert.ok(file.problem ?? question.problem, question.title);
    });
  }

  it('has at most 500 questions, and says so at the next one [attack: bot tests]', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => [`# Question ${index}?`, '- all: x']).flat();
    const file = await inTime(async () => parse(...lines));
    assert.equal(listQuestions(file.items).length, 500);
    assert.deepEqual(problems(...lines), [[1001, 'tooManyQuestions']]);
  });

  it('isn’t read if it is larger than 256 KB [attack: bot tests]', () => {
    const { items, problems: found } = parseBotTest('# Q?\n- all: x\n'.repeat(30_000));
    assert.deepEqual([items, found], [[], [{ line: 0, code: 'tooLarge' }]]);
  });

  it('never throws, and isn’t slow, whatever is in it [attack: bot tests]', async () => {
    const piece = fc.constantFrom(
      ...[
        '---',
        '\n',
        '# ',
        '## Q?',
        '- ',
        '  - ',
        'all:',
        'any: ',
        'none',
        ':',
        '/',
        '(',
        '*',
        '_',
        '`',
        '```',
        '~~~',
      ],
      ...[
        '<!--',
        '-->',
        ' ',
        '\t',
        '#',
        '"',
        '“',
        'tolerance: 1 of 3',
        'x',
        '\u202e',
        '\ud800',
        '0.',
        'bot: ',
        '\r',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const { problems: found } = parseBotTest(pieces.join(''));
        for (const problem of found) assert.ok(problem.line >= 0 && problem.line <= pieces.length);
      }),
      cases(500),
    );
    for (const unit of [
      '#',
      ' ',
      '- all: ',
      '<!--',
      '*',
      '`',
      '/',
      '\t',
      '_:',
      '“”',
      '~',
      'a:',
      '\n',
      '<!---->',
    ]) {
      const many = unit.repeat(Math.floor(250_000 / unit.length));
      for (const begin of ['# Q?\n- all: ', '', '# ']) await inTime(async () => parseBotTest(begin + many));
    }
  });
});
