import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listQuestions } from '../../../src/chat/botTests/botTest';
import { describeMismatch, toEnglish } from '../../../src/chat/botTests/botTestTexts';
import { includesPhrase, toComparableText } from '../../../src/chat/botTests/comparableText';
import { ExpressionMatcher } from '../../../src/chat/botTests/expressionMatcher';
import { type JudgedReply, judgeReply } from '../../../src/chat/botTests/judgeReply';
import { parseBotTest } from '../../../src/chat/botTests/parseBotTest';
import { startExpressionThread } from '../../../src/host/platform/nodeExpressionThread';
import { cases, inTime } from '../../support/fuzz';

describe('A reply', () => {
  const matcher = new ExpressionMatcher(startExpressionThread);
  after(() => matcher.dispose());

  const judge = async (expectations: readonly string[], reply: string | JudgedReply) => {
    const file = parseBotTest(['# Q?', ...expectations].join('\n'));
    assert.deepEqual(file.problems, []);
    const [question] = listQuestions(file.items);
    assert.ok(question);
    const mismatches = await judgeReply(
      question,
      typeof reply === 'string' ? { text: reply } : reply,
      matcher,
    );
    return mismatches.map((mismatch) => `${mismatch.line + 1}: ${describeMismatch(mismatch, toEnglish)}`);
  };

  it('must have all phrases, any of some, and none of others; each mismatch has its line', async () => {
    const expectations = [
      '- all:',
      '  - one',
      '  - /two|zwei/i',
      '- any:',
      '  - three',
      '  - four',
      '- none: five',
    ];
    assert.deepEqual(await judge(expectations, 'One, ZWEI and four.'), []);
    assert.deepEqual(await judge(expectations, 'Five.'), [
      '3: The reply doesn’t contain “one”.',
      '4: The reply doesn’t contain /two|zwei/i.',
      '5: The reply contains none of these: “three”, “four”.',
      '8: The reply contains “five”, which it must not.',
    ]);
  });

  it('may differ from a phrase in case, accents, spaces, quotation marks, dashes and emphasis', async () => {
    const reply = 'It’s **30\u00a0days** – “Café `MAX_TOKENS`”\nper\n\nseat.';
    assert.deepEqual(
      await judge(['- all:', '  - it\'s 30 DAYS - "cafe', '  - max_tokens', '  - per seat'], reply),
      [],
    );
  });

  it('doesn’t have a number that is part of another', async () => {
    for (const [reply, has] of [
      ['within 5 days', true],
      ['within 15 days', false],
      ['within 1.5 days', false],
      ['1, 5 days', true],
      ['15 days or 5 days', true],
    ] as const)
      assert.equal((await judge(['- all: 5 days'], reply)).length === 0, has, reply);
    for (const [reply, has] of [
      ['costs 12', true],
      ['costs 12.', true],
      ['costs 12,50', false],
      ['costs 120', false],
      ['costs 12€', true],
    ] as const)
      assert.equal((await judge(['- all: costs 12'], reply)).length === 0, has, reply);
  });

  it('must have the sources, by the name of the document in any folder, with or without its extension', async () => {
    const expected = ['- sources:', '  - Pricing.md', '  - https://example.com/a'];
    const sources = (...names: string[]) => ({
      text: '',
      sources: names.map((documentName) => ({ documentName })),
    });
    assert.deepEqual(
      await judge(expected, {
        text: '',
        sources: [{ documentName: 'docs/pricing.md.txt' }, { documentUrl: 'https://example.com/a' }],
      }),
      [],
    );
    assert.deepEqual(await judge(['- sources: pricing.md'], sources('pricing')), []);
    assert.deepEqual(await judge(['- sources: pricing.md'], sources('pricing2.md', 'old pricing.md')), [
      '2: The reply isn’t based on “pricing.md”. Its sources: pricing2.md, old pricing.md.',
    ]);
    assert.deepEqual(await judge(['- sources: a.md'], sources()), [
      '2: The reply isn’t based on “a.md”: it has no sources.',
    ]);
    assert.deepEqual(await judge(['- sources: a.md'], ''), [
      '2: The service doesn’t say what the reply is based on.',
    ]);
  });

  it('that an expression takes hours for is given up; the next expression is matched [attack: bot tests]', async () => {
    const expectations = ['- all: /^(a+)+$/', '- none: /(x+x+)+y/', '- all: /b$/', '- any: /(a|a)*c/'];
    const result = await judge(expectations, `${'a'.repeat(50_000)}${'x'.repeat(50_000)}b`);
    assert.ok(result.includes('2: /^(a+)+$/ took too long and was stopped.'), result.join('\n'));
    assert.ok(result.includes('3: /(x+x+)+y/ took too long and was stopped.'));
    assert.ok(!result.some((each) => each.startsWith('4:')));
  });

  it('is judged alike whatever its length and characters, in linear time [attack: bot tests]', async () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (a, b, c) => {
          const phrase = toComparableText(b);
          // Digits next to others, and characters that combine, are part of something else.
          if (phrase !== '' && !/^\p{Nd}|\p{Nd}$/u.test(phrase))
            assert.ok(includesPhrase(toComparableText(`${a} ${b} ${c}`), phrase));
        },
      ),
      cases(300),
    );
    for (const unit of ['1', '*', '1.', ' ', '\u0301', '\u200b', '“', '\ud800'])
      await inTime(() => judge(['- all: 11', '- none: 1.1'], `x${unit.repeat(1_000_000)}x`));
  });

  it('that is quoted in a sentence can’t act on a terminal or reorder text [attack: bot tests]', async () => {
    const name = '\u001b]0;x\u0007\u202eevil';
    const result = await judge(['- sources: a.md'], { text: '', sources: [{ documentName: name }] });
    assert.deepEqual(result, [
      '2: The reply isn’t based on “a.md”. Its sources: \\u{1b}]0;x\\u{7}\\u{202e}evil.',
    ]);
  });
});
