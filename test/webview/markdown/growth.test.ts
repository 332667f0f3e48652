import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { repeat } from '../../support/repetition';
import { measureKnownWork, watchMainThread } from '../support/mainThread';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/** The start, the repeated part and the end of a text. */
type Shape = readonly [start: string, repeated: string, end: string];

/** Texts in which a search could start from each character. */
const SHAPES: readonly Shape[] = [
  ['a|b\n|-', ' ', 'x\n'],
  ['a|b\n|-|-', '\t', '|x\n'],
  ['a\n-', ' ', 'x\n'],
  ['a\n', ' -', 'x\n'],
  ['|a|\n|-|\n|', ' ', 'x|'],
  ['# a', ' ', 'x'],
  ['# a', '#', 'x'],
  ['# a ', '# ', 'x'],
  ['a', ' ', 'x'],
  ['*a', ' ', 'x*'],
  ['**a', '\\*', '**'],
  ['` a', ' ', 'x`'],
  ['`` `', ' a', '``'],
  ['a\n', '\\-\n', 'x'],
  ['a\n', '\\=\n', 'x'],
  ['a', '\\#', 'x'],
  ['<a', ' ', 'x'],
  ['<a b', ' ', 'x'],
  ['<a', ' b=c', '<'],
  ['<a b="', '\\"', 'x'],
  ['[a](', ' ', 'x'],
  ['[a](b "', '\\"', 'x'],
  ['[a]: b "', '\\"', 'x'],
  ['[', 'a', 'x'],
  ['[a](<', '\\<', 'x'],
  ['$', ' a', 'x'],
  ['$$\na', ' ', 'x\n$$'],
  ['$$', '$$ ', 'x'],
  ['https://a.b/', '(', 'x'],
  ['https://a.b/', '&a', 'x'],
  ['a@a', '.a', '-'],
  ['- [ ]', ' ', 'x'],
  ['a/', 'b', '/'],
  ['', 'a/b', ':1'],
  ['```\n', '\n', 'x'],
  ['a', '\n\n\n', 'x'],
  ['', '<sub>', 'x'],
  ['', '<sub>*a ', 'x'],
  ['', '<u>**a *b</u>', 'x'],
  ['', '<u>', '</u>'],
  ['<u>', 'a </del>', 'x'],
  ['', '<u>[', 'x'],
  ['', '<u>](', 'x'],
  ['', '<details>\n', 'x'],
  ['', '<details>\nx\n</details>\n', 'x'],
  ['', '<details><summary>', '</summary>'],
  ['', '</details>\n', 'x'],
  ['<details>\n\n', '- <details>\n', 'x'],
  ['', '<!--', '-->'],
  ['', '<!-- a -->', 'x'],
];
/** Lines after others, which might be searched again for each of them, and a length that is slow then. */
const LINES: readonly (readonly [start: string, before: string, after: string, length: number])[] = [
  ['', '[a]: b\n', '<1\n', 40_000],
  ['', 'a\n', '<1 x\n', 300_000],
  ['<details>\n', '[a]: b\n', '<1\n', 40_000],
  ['<details>\n', '[a]: b\n', '<summary>x</summary>\n', 60_000],
  ['<details>\n', 'a\n', '<summary>x</summary>\n', 600_000],
  ['<details>\n[a]: b\n"', 'a\n', '<summary>x</summary>\n', 120_000],
  ['<details>\n<summary>a\n', '[a]: b\n', '<summary\n', 400_000],
  ['', '[a]: b\n', '===\n', 400_000],
];
/** Uses of a reference, and what it stands for: each use must not take as long as all of that. */
const REFERENCES: readonly (readonly [use: string, start: string, end: string])[] = [
  ['[a][0] ', 'https://a.b/', ''],
  ['[a][0] ', 'https://a.b "', '"'],
  ['![a][0] ', 'https://a.b/', ''],
  ['![][0] ', 'https://a.b/', ''],
  ['![][0] ', 'data:,', ''],
];
const REFERENCES_LENGTH = 200_000;
/** Parts of random shapes. */
const PARTS = [
  ...'*_`~[]()<>!|#-+=:.\\"\'&;$@/ \t\na10',
  ...[
    '**',
    '~~',
    '``',
    '](',
    '![',
    '<!--',
    '&#',
    '&amp;',
    'https://',
    'www.',
    'a@',
    '$$',
    '\\(',
    '\\[',
    '|-',
  ],
  ...['- ', '> ', '1. ', '    ', '\n\n', '```', '<a b="', '[a]: ', '\\-', '\u00a0'],
  ...['<u>', '</u>', '<br>', '<details>\n', '</details>\n', '<summary>', '-->'],
];
const SEED = 7;
const RANDOM_SHAPES = repeat(20, 60);
const TEXT_LENGTH = 64_000;
/** A text that takes less known work says nothing about growth, and harms nobody. */
const MIN_KNOWN_WORK = 10;
/** How many times as long the long text is as the short one. */
const GROWTH = 16;
/** How many times as long it may take: four times as long as linear work, a quarter of quadratic work. */
const MAX_COST_RATIO = 64;
/** How often both are measured before they differ too much. */
const ROUNDS = 3;

describe('the work for Markdown', () => {
  let page: Page;
  let worked: () => Promise<number>;
  let knownWorkMs: number;
  before(async () => {
    page = await openMarkdownPage();
    worked = await watchMainThread(page);
    // Once it is compiled.
    await measureKnownWork(page, worked);
    knownWorkMs = await measureKnownWork(page, worked);
  });
  after(() => page.close());

  const measure = async (text: string, whole: boolean) => {
    await worked();
    await page.evaluate(
      ([each, plain]) => void (plain ? markdown.renderPlain(each) : markdown.processText(each)),
      [text, whole] as const,
    );
    return await worked();
  };
  /**
   * Returns how many times as long a text takes as a 16th of it, each the least of several rounds in turns; 1 if it takes
   * no time. `whole`: only rendered at once.
   */
  const measureGrowth = async (make: (length: number) => string, length: number, whole: boolean) => {
    const [short, long] = [make(length / GROWTH), make(length)];
    let shortMs = Number.POSITIVE_INFINITY;
    let longMs = await measure(long, whole);
    if (longMs < MIN_KNOWN_WORK * knownWorkMs) return 1;
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) longMs = Math.min(longMs, await measure(long, whole));
      shortMs = Math.min(shortMs, await measure(short, whole));
      if (longMs < MAX_COST_RATIO * shortMs) break;
    }
    return longMs / shortMs;
  };

  it('grows linearly with the length of the text [attack: slow text]', async () => {
    const random = randomNumbers(SEED);
    const pick = () => PARTS[random(PARTS.length)] ?? '';
    const made = Array.from({ length: RANDOM_SHAPES }, (): Shape => {
      const repeated = Array.from({ length: 1 + random(4) }, pick).join('');
      return [pick() + pick(), repeated, pick()];
    });
    const slow: string[] = [];
    for (const shape of [...SHAPES, ...made]) {
      const [start, repeated, end] = shape;
      const make = (length: number) => start + repeated.repeat(length / repeated.length) + end;
      const growth = await measureGrowth(make, TEXT_LENGTH, false);
      if (growth > MAX_COST_RATIO) slow.push(`${JSON.stringify(shape)}: ${growth.toFixed(1)} times`);
    }
    assert.deepEqual(slow, []);
  });

  it('grows linearly for lines after many lines of a paragraph, rendered at once [attack: slow text]', async () => {
    const slow: string[] = [];
    for (const [start, before, after, total] of LINES) {
      const half = (line: string, length: number) => line.repeat(length / 2 / line.length);
      const make = (length: number) => start + half(before, length) + half(after, length);
      const growth = await measureGrowth(make, total, true);
      if (growth > MAX_COST_RATIO)
        slow.push(`${JSON.stringify([start, before, after])}: ${growth.toFixed(1)} times`);
    }
    assert.deepEqual(slow, []);
  });

  it('grows linearly for many references to something long [attack: slow text]', async () => {
    const slow: string[] = [];
    for (const [use, start, end] of REFERENCES) {
      const make = (length: number) =>
        `${use.repeat(length / 2 / use.length)}\n\n[0]: ${start}${'x'.repeat(length / 2)}${end}\n`;
      const growth = await measureGrowth(make, REFERENCES_LENGTH, false);
      if (growth > MAX_COST_RATIO) slow.push(`${use}${start}: ${growth.toFixed(1)} times`);
    }
    assert.deepEqual(slow, []);
  });
});

/** Returns random numbers below a bound, the same ones for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
