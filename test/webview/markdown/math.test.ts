import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/** Texts and their formulas, display formulas in brackets. */
const formulas: readonly (readonly [text: string, ...tex: string[]])[] = [
  ['the area $x^2$.', 'x^2'],
  ['$n$', 'n'],
  ['the $n$th, all $x$s, $k$-fold', 'n', 'x', 'k'],
  ['**bold $a*b$** and *$c$*', 'a*b', 'c'],
  ['$a_1 + b_1$, $\\{x\\}$ and $\\$5$', 'a_1 + b_1', '\\{x\\}', '\\$5'],
  ['$a\nb$', 'a\nb'],
  ['設$x$為', 'x'],
  ['a \\(x\\) and \\(\\frac{a}{b}\\)', 'x', '\\frac{a}{b}'],
  ['$$x = 1$$', '[x = 1]'],
  ['$$ x = 1 $$', '[x = 1]'],
  ['\\[ x = 1 \\]', '[x = 1]'],
  ['so $$x$$ holds', '[x]'],
  ['$$\nx\n$$', '[x]'],
  ['so:\n$$\na\n\n- b\n# c\n> d\n$$\nthen $e$', '[a\n\n- b\n# c\n> d]', 'e'],
  ['$$\nx = y$$\nthen', '[x = y]'],
  ['$$\nx\n$$, where $y$ is', '[x]', 'y'],
  ['\\[\nx\n\\]', '[x]'],
  ['$$x\n= y\n- z\n1. w$$', '[x\n= y\n- z\n1. w]'],
  ['$$\\begin{aligned}\n=\n\\end{aligned}\n$$', '[\\begin{aligned}\n=\n\\end{aligned}]'],
  ['- one\n\n  $$\n  x\n  $$\n\n- two $y$', '[x]', 'y'],
  ['- one\n  $$\n  x\n$$\n- two', '[x]'],
  ['> $$\n> x\n> $$', '[x]'],
  ['> $$ x\n> + y $$', '[x\n+ y]'],
  ['```math\nx\n```', '[x]'],
  ['| a | b |\n|--|--|\n| $x$ | $\\|y\\|$ |', 'x', '|y|'],
  ['# The $x$', 'x'],
  ['[$x$](https://x.y)', 'x'],
  ['```math\nx', '[x]'],
];

const notFormulas: readonly string[] = [
  '$5 and $10',
  'costs $5–$10, or $5-$10',
  'US$5 and US$6',
  'between $5 and 10$',
  '$HOME/$USER, $HOME:$PATH and $' + '{HOME}/$' + '{USER}',
  '$HOME/foo_bar is the folder of a user$',
  '$(a)$(b)',
  '"$HOME"/"$USER"',
  'x\\$y\\$ and \\$x\\$',
  '$ x $',
  '$x $ and $ x$',
  '`$x$` and ``$$x$$``',
  'use `$` or `$x`',
  '```\n$x$\n$$\ny\n$$\n```',
  '    $x$',
  '$$ is the process, $$ is it too',
  '$$$',
  '$$$x$$$',
  '$$',
  '$$$$',
  'an amount in $',
  '$x',
  '$a`b$`c',
  'file\\(s\\), \\(see below\\), \\[1\\], \\[sic\\] and \\[x\\]',
  '\\(\\) \\[\\]',
  '20$ and 30$',
];

describe('Math in Markdown', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  for (const [text, ...tex] of formulas) {
    it(`finds formulas in ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await page.evaluate((all) => markdown.findFormulas(all), text), tex);
    });
  }

  for (const text of notFormulas) {
    it(`finds no formula in ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await page.evaluate((all) => markdown.findFormulas(all), text), []);
    });
  }

  it('leaves the text around a formula as Markdown, and other text as written', async () => {
    const html = (text: string) =>
      page.evaluate((all) => markdown.toCanonical(markdown.renderPlain(all)), text);
    assert.equal(
      await html('*a* $x_1$ *b* $5 and *c*'),
      '<p><em>a</em> <span class="md-math">$x_1$</span> <em>b</em> $5 and <em>c</em></p>',
    );
    assert.equal(
      await html('a\n$$\nx\n$$\n*b*'),
      '<p>a</p><div class="md-math md-display">$$ x $$</div><p><em>b</em></p>',
    );
  });

  it('passes each formula to the hook once, as soon as it is complete, and keeps its element', async () => {
    const calls = await page.evaluate(() => {
      const container = document.createElement('div');
      const seen: string[] = [];
      const elements: HTMLElement[] = [];
      const stream = new markdown.MarkdownStream(container, {
        formula(element, tex) {
          seen.push(`${tex} after ${written.length}`);
          elements.push(element);
        },
      });
      let written = '';
      for (const character of 'a $x^2$ b $y_1$, **c** [d].\n\n$$\nz\n$$\n\n[d]: /e\n') {
        written += character;
        stream.appendMarkdown(character);
      }
      stream.end();
      return [...seen, elements.every((element) => container.contains(element))];
    });
    assert.deepEqual(calls, ['x^2 after 8', 'y_1 after 16', 'z after 37', true]);
  });
});
