import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/** The expected content for an unfinished text. */
const cases: readonly (readonly [what: string, text: string, html: string])[] = [
  ['bold text', 'Some **bold te', '<p>Some <strong>bold te</strong></p>'],
  ['bold text whose end has half come', 'Some **bold*', '<p>Some <strong>bold</strong></p>'],
  ['bold and italic text', '***both', '<p><em><strong>both</strong></em></p>'],
  ['nested emphasis', '**bold *and ital', '<p><strong>bold <em>and ital</em></strong></p>'],
  ['struck text', '~~gone', '<p><del>gone</del></p>'],
  ['marks with nothing after them', 'word **', '<p>word</p>'],
  ['a star between two numbers', '5*3 = 15 so', '<p>5*3 = 15 so</p>'],
  ['a single tilde', 'about ~100 of', '<p>about ~100 of</p>'],
  ['inline code', 'call `run(', '<p>call <code>run(</code></p>'],
  ['a link: its text', 'see [the do', '<p>see the do</p>'],
  ['a link: its address', 'see [the docs](https://exam', '<p>see the docs</p>'],
  ['a link: its title', 'see [docs](https://example.com "The ti', '<p>see docs</p>'],
  ['a link at the start', '[the do', '<p>the do</p>'],
  ['a link in bold text', '**see [the docs](htt', '<p><strong>see the docs</strong></p>'],
  ['an image', 'see ![a pic', '<p>see a pic</p>'],
  ['an address', 'see <https://exam', '<p>see https://exam</p>'],
  ['a character reference', 'fish &am', '<p>fish</p>'],
  ['an escape', 'a \\', '<p>a</p>'],
  ['raw HTML', 'a <b class="x', '<p>a &lt;b class="x</p>'],
  ['a tag', 'H<sub>2', '<p>H<sub>2</sub></p>'],
  ['a tag with bold text', 'a <mark>b **c', '<p>a <mark>b <strong>c</strong></mark></p>'],
  ['the start of a tag', 'H<su', '<p>H</p>'],
  ['the start of an end tag', 'H<sub>2</s', '<p>H<sub>2</sub></p>'],
  ['a tag in a link', 'see [the <kbd>do', '<p>see the <kbd>do</kbd></p>'],
  ['a comment', 'a <!-- hid', '<p>a</p>'],
  ['a comment in lines of its own', 'a\n\n<!-- hid\n\nden', '<p>a</p><p></p>'],
  [
    'details',
    '<details>\n<summary>T</summary>\n\n- a',
    '<details><summary>T</summary><ul><li>a</li></ul></details>',
  ],
  ['a summary whose end has not come', '<details>\n<summary>T', '<details></details>'],
  ['the end of details', '<details>\n\na\n</det', '<details><p>a</p></details>'],
  ['an open fence', '```ts\nlet x', '<pre><code class="language-ts">let x</code></pre>'],
  ['a fence whose end has half come', '```\nx\n``', '<pre><code>x\n</code></pre>'],
  ['the start of a fence', 'a\n\n```t', '<p>a</p>'],
  ['a heading', '## He', '<h2>He</h2>'],
  ['a heading with closing marks', '## He ##', '<h2>He</h2>'],
  ['a marker alone', 'a\n\n#', '<p>a</p>'],
  ['a bullet alone', 'a\n\n-', '<p>a</p>'],
  ['a number alone', 'a\n\n1.', '<p>a</p>'],
  ['an item', '- on', '<ul><li>on</li></ul>'],
  ['an item with bold text', '- **on', '<ul><li><strong>on</strong></li></ul>'],
  ['the mark of a task', '- [x', '<ul><li></li></ul>'],
  ['a task with text', '- [x] do', '<ul><li><input checked="" disabled="" type="checkbox"> do</li></ul>'],
  ['a thematic break', 'a\n\n--', '<p>a</p>'],
  ['the underline of a heading', 'a\n=', '<p>a</p>'],
  ['the header of a table', '| a | b', '<table><thead><tr><th>a</th><th>b</th></tr></thead></table>'],
  [
    'the line below a header',
    '| a | b |\n|--',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead></table>',
  ],
  ['what only looked like a table', '| a | b\nc', '<p>| a | b c</p>'],
  [
    'a row of a table',
    '| a | b |\n|--|--|\n| 1',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>',
  ],
  ['a link reference definition', 'a\n\n[b]: htt', '<p>a</p>'],
  ['a quote', '> a', '<blockquote><p>a</p></blockquote>'],
  ['a formula', 'so $x_1 + y', '<p>so <span class="md-math">$x_1 + y</span></p>'],
  ['a formula whose end has come', 'so $x_1$', '<p>so <span class="md-math">$x_1</span></p>'],
  ['a formula in parentheses', 'so \\(x_1', '<p>so <span class="md-math">\\(x_1</span></p>'],
  ['a formula for display', 'so $$x = ', '<p>so <span class="md-math md-display">$$x =</span></p>'],
  ['a formula in lines of its own', '$$\nx\n\n-', '<div class="md-math md-display">$$ x -</div>'],
  ['the end of a formula in lines of its own', '$$\nx\n$', '<div class="md-math md-display">$$ x</div>'],
  ['the start of a formula in lines of its own', 'a\n$$', '<p>a</p>'],
  ['what may be a price', 'costs $5 and *mo', '<p>costs $5 and <em>mo</em></p>'],
];

describe('unfinished Markdown', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  for (const [what, text, html] of cases) {
    it(`shows ${what} as complete`, async () => {
      const shown = await page.evaluate(
        (all) => [markdown.renderUnfinished(all, false), markdown.renderUnfinished(all, true)],
        text,
      );
      assert.deepEqual(shown, [html, html], 'at once, and a character at a time');
    });
  }

  it('never shows the marks of bold text, code, links and tables', async () => {
    const text =
      'Some **bold** and *soft* text, `code`, a [link](https://example.com "x") and ~~old~~.\n\n' +
      '| Name | Value |\n|:--|--:|\n| **a** | `b` |\n| c | d |\n\n- **one:** two\n- [x](https://example.com)\n';
    const shown = await page.evaluate((all) => markdown.getStates(all), text);
    const marks = shown.filter((state) => /[*`[\]|~]|\(http/.test(state));
    assert.deepEqual(marks, []);
  });
});
