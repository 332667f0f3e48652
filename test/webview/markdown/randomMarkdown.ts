import fc from 'fast-check';
import { commonMarkExamples, gfmExamples } from './examples';

/** The texts of all examples. */
export const exampleTexts = [...commonMarkExamples, ...gfmExamples].map(({ markdown: text }) => text);

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
const example = fc.constantFrom(...exampleTexts);
/** Any text. */
const anyMarkdown = fc.oneof(
  example,
  fc.tuple(example, fc.constantFrom('', '\n'), example).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom(...mathBits, ...bits.slice(0, 20)), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...tags, ...bits), { minLength: 1, maxLength: 20 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...bits, ...math), { minLength: 1, maxLength: 30 }).map((parts) => parts.join('')),
);
/** A text and the offsets at which it is cut. */
export const cutMarkdown = anyMarkdown.chain((text) =>
  fc.record({ text: fc.constant(text), offsets: fc.subarray(everyOffset(text)) }),
);

export function everyOffset(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => index);
}
