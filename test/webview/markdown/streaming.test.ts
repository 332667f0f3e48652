import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { cases } from '../../support/fuzz';
import { openMarkdownPage } from './browser';
import { commonMarkExamples, gfmExamples } from './examples';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

const texts = [...commonMarkExamples, ...gfmExamples].map(({ markdown: text }) => text);

/** Pieces of markup that combine in unlikely ways. */
const bits = [
  ...[
    'a',
    'b c',
    'x',
    '\n',
    '\n\n',
    ' ',
    '  ',
    '    ',
    '\t',
    '*',
    '**',
    '_',
    '~',
    '~~',
    '`',
    '```',
    '\\',
    '&amp;',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '![',
    '[a]',
    '[a]: /u',
    '"',
    "'",
    '<',
    '>',
    '&',
    ':',
    '!',
    '<div>',
    '<a b="',
    '</a>',
  ],
  ...[
    '<!--',
    '-->',
    'https://x.y',
    'www.a.b',
    'a@b.co',
    '<http://a.b>',
    '> ',
    '- ',
    '+ ',
    '1. ',
    '2) ',
    '# ',
    '#',
  ],
  ...[
    '===',
    '---',
    '-',
    '=',
    '| ',
    '|',
    '|--|',
    '|-|-|',
    '| a | b |',
    '- [ ] ',
    '- [x] ',
    '\r\n',
    '\r',
    '\0',
    'é',
    '😀',
  ],
];
/** Formulas and text that resembles them. */
const math = [
  '$',
  '$$',
  '$$\n',
  '\n$$\n',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\[\n',
  '\n\\]',
  '\\$',
  '$x$',
  '$a_b$',
  '$$x^2$$',
];
const mathBits = [
  ...math,
  '$5',
  '$5 and $10',
  '$n$th',
  'x^2',
  '= y',
  '\\frac',
  '```math\n',
  '\n```\n',
  '\n> $$',
  '- $$\n',
];
/** Tags that become elements, and text that resembles them. */
const tags = [
  ...'<br> <sub> </sub> <sup> </sup> <KBD> </kbd> <mark> </mark> <u> </u> <ins> </ins> <del> </del>'.split(
    ' ',
  ),
  ...['<br />', '<u class="a">', '<details>', '</details>', '<details>\n', '\n</details>', '\n</details>\n'],
  ...[
    '<summary>',
    '</summary>',
    '<summary>a</summary>\n',
    '<!-- a -->',
    '<!-->',
    '<details open>',
    '</',
    '<s',
  ],
];
const example = fc.constantFrom(...texts);
const document = fc.oneof(
  example,
  fc.tuple(example, fc.constantFrom('', '\n'), example).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom(...mathBits, ...bits.slice(0, 20)), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...tags, ...bits), { minLength: 1, maxLength: 20 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...bits, ...math), { minLength: 1, maxLength: 30 }).map((parts) => parts.join('')),
);
/** A text and the offsets at which it is cut. */
const cut = document.chain((text) =>
  fc.record({ text: fc.constant(text), offsets: fc.subarray(everyOffset(text)) }),
);

function everyOffset(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => index);
}

describe('Markdown streaming', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage({ anyLink: true });
  });
  after(() => page.close());

  it('renders every example the same when streamed by character', async () => {
    const everyCharacter = texts.map((text) => ({
      text,
      offsets: Array.from({ length: text.length }, (_, i) => i),
    }));
    assert.deepEqual(
      await page.evaluate((all) => markdown.findStreamingDifferences(all), everyCharacter),
      [],
    );
  });

  it('renders what depends on the line before the same, whether that is shown already or not', async () => {
    const cuts = [
      '- [ ] \n  ===\na',
      '- [x] \n  ---\n',
      '- [ ] | a |\n  |-|-|\n',
      '- [x] a\n  | b |\n  |-|\n',
      '- a\n\n- [x] b\n  | c |\n  |-|\n',
      '<details>\na\n<summary>b</summary>\n',
      '<details>\n[a]: b\n<summary>c</summary>\n',
      '<details>\n[a]: b\n\n<summary>c</summary>\n',
      '<details>\n[a]: b\n"c\n<summary>d</summary>\n"\n<summary>e</summary>\n\n[a]',
      '[a]: https://x.y\n"t\n<x"\n\n[a]',
    ].map((text) => ({ text, offsets: everyOffset(text) }));
    assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
  });

  it('renders a table after a line that was shown as a header the same, if its lines come at once', async () => {
    const cuts = [{ text: '|a\n|b|\n|-|\n', offsets: [2] }];
    assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
  });

  it('renders any text the same however it is cut', async () => {
    const property = fc.asyncProperty(fc.array(cut, { minLength: 200, maxLength: 200 }), async (cuts) => {
      assert.deepEqual(await page.evaluate((all) => markdown.findStreamingDifferences(all), cuts), []);
    });
    await fc.assert(property, cases(20));
  });
});
