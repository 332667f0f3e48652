import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { cases } from '../../support/fuzz';
import { repeat } from '../../support/repetition';
import { assertShort, watchMainThread } from '../support/mainThread';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/**
 * How many pieces of known work the page may be busy for without a break, with a text rendered at once or with a piece of a
 * streamed one: about a second on a quick machine.
 */
const MAX_KNOWN_WORK = 20;

const word = fc.constantFrom(
  'a',
  'moss',
  'two words',
  'é',
  '😀',
  '5',
  'x_y',
  '&amp;',
  'https://x.y',
  '<b>',
  '\\',
);

/** Length of a pathological case in characters: about thirty times the longest message. */
const CASE_LENGTH = 60_000;

/** Generates Markdown by its grammar: nested blocks and spans, some of them left open. */
const { document } = fc.letrec<{ document: string; block: string; span: string }>((tie) => {
  const many = (each: fc.Arbitrary<string>, between: string, max = 4) =>
    fc.array(each, { minLength: 1, maxLength: max }).map((all) => all.join(between));
  const spans = many(tie('span'), ' ');
  const prefixed = (first: string, rest: string) =>
    tie('block').map((text) => first + text.replaceAll('\n', `\n${rest}`));
  const around = (before: string, after: string) =>
    fc.tuple(spans, fc.boolean()).map(([text, open]) => `${before}${text}${open ? '' : after}`);
  return {
    document: many(tie('block'), '\n\n', 5),
    block: fc.oneof(
      { maxDepth: 6 },
      spans,
      prefixed('> ', '> '),
      prefixed('- ', '  '),
      prefixed('- [ ] ', '  '),
      prefixed('12. ', '    '),
      prefixed('[^1]: ', '    '),
      fc.tuple(fc.constantFrom('# ', '### ', '####### '), spans).map((parts) => parts.join('')),
      spans.map((text) => `${text}\n---`),
      fc
        .tuple(
          fc.constantFrom('```ts', '~~~', '$$', '    '),
          tie('block'),
          fc.constantFrom('```', '~~~', '$$', ''),
        )
        .map((parts) => parts.join('\n')),
      many(spans, ' | ').map((row) => `| ${row} |\n|:-:|--|\n| ${row}\n| ${row} |`),
      spans.map((text) => `<div onclick="x">\n${text}\n</div>`),
      spans.map((text) => `[a]: https://x.y "${text}"`),
      fc
        .tuple(
          fc.constantFrom('<details>\n', '<details>', '<details open>\n'),
          fc.constantFrom('<summary>a *b*</summary>\n', '<summary>\n', '\n', ''),
          tie('block'),
          fc.constantFrom('\n</details>', '\n\n</details>\n', '</details>', ''),
        )
        .map((parts) => parts.join('')),
      fc.tuple(spans, spans).map((parts) => `<!-- ${parts.join(' -->\n\n')} -->`),
    ),
    span: fc.oneof(
      { maxDepth: 6 },
      word,
      around('*', '*'),
      around('**', '**'),
      around('~~', '~~'),
      around('`` ', ' ``'),
      around('[', '](https://x.y "t")'),
      around('![', '](data:image/png;base64,AA==)'),
      around('[', '][a]'),
      around('<a href="', '">'),
      ...[...'sub sup kbd mark u ins del details summary'.split(' ')].map((name) =>
        around(`<${name}>`, `</${name}>`),
      ),
      around('<MARK>', '</Mark>'),
      around('<u class="', '"></u>'),
      around('<!-- ', ' -->'),
      fc.constantFrom('<br>', '<br/>', '<BR />', '</sup>'),
      around('$', '$'),
    ),
  };
});

/** cmark-gfm's pathological cases (test/pathological_tests.py), and a few of our own. */
const pathological: Readonly<Record<string, string>> = {
  'nested strong emphasis': `${'*a **a '.repeat(65_000)}b${' a** a*'.repeat(65_000)}`,
  'many emphasis closers with no openers': 'a_ '.repeat(65_000),
  'many emphasis openers with no closers': '_a '.repeat(65_000),
  'many link closers with no openers': 'a]'.repeat(65_000),
  'many link openers with no closers': '[a'.repeat(65_000),
  'mismatched openers and closers': '*a_ '.repeat(50_000),
  'openers and closers multiple of 3': `a**b${'c* '.repeat(50_000)}`,
  'link openers and emphasis closers': '[ a_'.repeat(50_000),
  'pattern [ (]( repeated': '[ (]('.repeat(80_000),
  'pattern ![[]() repeated': '![[]()'.repeat(160_000),
  'hard link/emphasis case': '**x [a*b**c*](d)',
  'nested brackets': `${'['.repeat(50_000)}a${']'.repeat(50_000)}`,
  'nested block quotes': `${'> '.repeat(50_000)}a`,
  'deeply nested lists': Array.from({ length: 1000 }, (_, depth) => `${'  '.repeat(depth)}* a\n`).join(''),
  'U+0000 in input': 'abc\u0000xyz\u0000\n'.repeat(10_000),
  backticks: Array.from({ length: 5000 }, (_, length) => `e${'`'.repeat(length)}`).join(''),
  'unclosed links A': '[a](<b'.repeat(30_000),
  'unclosed links B': '[a](b'.repeat(30_000),
  'unclosed <!--': `</${'<!--'.repeat(300_000)}`,
  'unclosed <?': '<?'.repeat(100_000),
  'unclosed <![CDATA[': '<![CDATA['.repeat(50_000),
  'unclosed <!': '<!A '.repeat(100_000),
  '10,000 levels of tags': `${'<u>'.repeat(10_000)}a${'</u>'.repeat(10_000)}`,
  '10,000 levels of several tags': `${'<sub><SUP>'.repeat(5_000)}a${'</sub></sup>'.repeat(5_000)}`,
  '10,000 levels of details': `${'<details>\n'.repeat(6_000)}a`,
  'details that close': `${'<details>\n'.repeat(2_500)}a\n${'</details>\n'.repeat(2_500)}`,
  'tags that never close': '<u>a '.repeat(20_000),
  'end tags without a start': 'a</kbd> '.repeat(20_000),
  'end tags of other tags': `${'<u>a'.repeat(5_000)}${'</sup>'.repeat(5_000)}`,
  'tags and emphasis that cross': '*a <u>b* </u>'.repeat(10_000),
  'tags and links that cross': '[a <u>b](c) </u>'.repeat(10_000),
  'tags with open brackets': `<u>${'[a'.repeat(20_000)}</u>`,
  'tags with an attribute': '<mark a="b">c</mark>'.repeat(10_000),
  'comments that never end': 'a <!-- b '.repeat(10_000),
  comments: 'a <!-- b --> '.repeat(10_000),
  'a comment of many lines': `<!--\n${'a\n'.repeat(30_000)}-->`,
  'tables with many columns': `|${'x|'.repeat(50_000)}\n|${'-|'.repeat(50_000)}`,
  'a table of many short rows': `|${'x|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|x\n'.repeat(1000)}`,
  references: `${Array.from({ length: 20_000 }, (_, index) => `[${index}]: u\n`).join('')}\n${'[0] '.repeat(20_000)}`,
  'references that grow': `[a]: ${'u'.repeat(50_000)}\n\n${'[a] '.repeat(50_000)}`,
  autolinks: 'https://'.repeat(50_000),
  'autolinks of mail': 'a@a.'.repeat(50_000),
  'an autolink with closing marks': `www.a.b${'&a;'.repeat(30_000)}`,
  'struck text': '~~a'.repeat(50_000),
  footnotes: '[^a]'.repeat(50_000),
  '10,000 levels of quotes': `${'>'.repeat(10_000)}a\n`.repeat(3),
  '10,000 levels of lists': `${'- '.repeat(10_000)}a`,
  '10,000 levels of emphasis': `${'*a '.repeat(10_000)}${'b* '.repeat(10_000)}`,
  '10,000 levels of links': `${'['.repeat(10_000)}a${'](b)'.repeat(10_000)}`,
  '10,000 levels of images': `${'!['.repeat(10_000)}a${'](b)'.repeat(10_000)}`,
};

/** Length of a streamed text in characters. A quarter of it may block the page for a quarter of the time. */
const STREAM_LENGTH = repeat(2_500_000, 10_000_000);
const MAX_STREAM_KNOWN_WORK = repeat(MAX_KNOWN_WORK / 4, MAX_KNOWN_WORK);
/** Length measured at a time for streamed texts, in characters. */
const MEASURED_LENGTH = 250_000;

const PARAGRAPHS = 'Moss has *no* roots, but `rhizoids`; see [more](https://example.com).\n\n';
const CODE = `\`\`\`ts\n${'one += 2; // and so on\n'.repeat(500_000)}`.slice(0, STREAM_LENGTH);

describe('Fuzz: Markdown', () => {
  let page: Page;
  let worked: () => Promise<number>;
  before(async () => {
    page = await openMarkdownPage();
    worked = await watchMainThread(page);
  });
  after(() => page.close());

  /**
   * Fails if the page was busy for too long without a break: `longest` by the clock, of which at most `work` was its own.
   * Other processes took the rest.
   */
  const assertResponsive = (longest: number, work: number, limit = MAX_KNOWN_WORK) =>
    assertShort(page, worked, { ms: Math.min(longest, work), limit, what: 'The page was busy' });

  const random = fc.oneof(
    document,
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'*_`~[]()<>!|#-+=>:.\\"\'&;$@/ \t\n\r0a'), maxLength: 300 }),
  );

  it('shows only known elements and attributes for any text, and the same however it is streamed', async () => {
    const property = fc.asyncProperty(fc.array(random, { minLength: 30, maxLength: 30 }), async (texts) => {
      assert.deepEqual(await page.evaluate((all) => markdown.findViolations(all), texts), []);
      const cuts = texts.map((text) => ({
        text,
        offsets: Array.from({ length: Math.floor(text.length / 7) }, (_, index) => index * 7),
      }));
      assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
    });
    await fc.assert(property, cases(2));
  });

  for (const [name, long] of Object.entries(pathological)) {
    // Quadratic time shows at this length, and other cases don't take long.
    const text = long.slice(0, CASE_LENGTH);
    it(`keeps the page responsive: ${name}`, async () => {
      await worked();
      const { whole, longest, depth } = await page.evaluate((each) => markdown.measureText(each), text);
      await assertResponsive(Math.max(whole, longest), await worked());
      assert.ok(depth <= 320, `${depth} levels`);
    });
  }

  it('renders a line of 10 MB at once, of letters, an address or dashes', async () => {
    const lines = ['x', ' x', 'https://', 'a@b.', '|-', 'w', '&', '"', '(', '.'].map(
      (start, index) => start + ['x', '- ', 'a.', 'a|'][index % 4]?.repeat(2_500_000),
    );
    for (const line of lines) {
      assert.ok((await page.evaluate((text) => markdown.render(text).textContent.length, line)) > 0);
    }
  });

  for (const [name, text] of [
    ['paragraphs', PARAGRAPHS.repeat(STREAM_LENGTH / PARAGRAPHS.length)],
    ['code', CODE],
    ['one line', 'moss '.repeat(200_000)],
    ['one word', 'x'.repeat(1_000_000)],
  ] as const) {
    it(`keeps the page responsive while ${name} of ${(text.length / 1e6).toFixed(1)} MB stream`, async () => {
      const stream = await page.evaluateHandle(() => markdown.openStream());
      for (let from = 0; from < text.length; from += MEASURED_LENGTH) {
        const part = text.slice(from, from + MEASURED_LENGTH);
        await worked();
        const longest = await stream.evaluate((it, each) => markdown.appendPieces(it, each, 10_000), part);
        await assertResponsive(longest, await worked(), MAX_STREAM_KNOWN_WORK);
      }
      await worked();
      await stream.evaluate((it) => it.end());
      await assertResponsive(Number.POSITIVE_INFINITY, await worked(), MAX_STREAM_KNOWN_WORK);
      await stream.dispose();
    });
  }
});
