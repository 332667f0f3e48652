import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/** The expected content of a paragraph. */
const inline: readonly (readonly [what: string, text: string, html: string])[] = [
  [
    'each tag by its name',
    '<sub>a</sub><sup>b</sup><kbd>c</kbd><mark>d</mark><u>e</u><ins>f</ins><del>g</del>',
    '',
  ],
  ['a line break in each spelling', 'a<br>b<br/>c<br />d', 'a<br>b<br>c<br>d'],
  ['tags in mixed case', '<SUB>a</Sub> <Br>', '<sub>a</sub> <br>'],
  [
    'markup in tags, and tags in markup',
    '<u>*a* `<u>`</u> **<kbd>b</kbd>**',
    '<u><em>a</em> <code>&lt;u&gt;</code></u> <strong><kbd>b</kbd></strong>',
  ],
  [
    'links in tags, and tags in links',
    '<u>[a](https://b.c)</u> [<sub>a</sub>](https://b.c)',
    '<u><a href="https://b.c">a</a></u> <a href="https://b.c"><sub>a</sub></a>',
  ],
  ['tags in tags', 'x<sup>a<sup>b</sup></sup>', 'x<sup>a<sup>b</sup></sup>'],
  [
    'details in a line',
    'a <details><summary>b</summary>c</details>',
    'a<details><summary>b</summary>c</details>',
  ],
  ['a tag that is never closed, to the end of its block', 'a <u>b *c*', 'a <u>b <em>c</em></u>'],
  [
    'a tag inside that is never closed, to the end of the outer one',
    '<u>a <sub>b</u> c',
    '<u>a <sub>b</sub></u> c',
  ],
  ['an end tag without a start as text', 'a</u> b', 'a&lt;/u&gt; b'],
  ['a tag across emphasis as the inner one', '*a <u>b* c</u>', '*a <u>b* c</u>'],
  [
    'a tag across a link as the inner one',
    '[a <u>b](https://c.d) e</u>',
    '<a href="https://c.d">a <u>b</u></a> e&lt;/u&gt;',
  ],
  ['a bracket across a tag as text', '<u>[a</u>](/b)', '<u>[a</u>](/b)'],
  ['escaped tags and tags in code as text', '\\<u>a `<kbd>`', '&lt;u&gt;a <code>&lt;kbd&gt;</code>'],
  ['a comment as a comment', 'a<!-- b -->c', 'a<!-- b -->c'],
  [
    'a tag with an attribute as text',
    '<u class="a">b</u> <br id=c>',
    '&lt;u class="a"&gt;b&lt;/u&gt; &lt;br id=c&gt;',
  ],
  [
    'a tag with an event handler as text',
    '<mark onclick="x">b</mark> <kbd\tonfocus=y>',
    '&lt;mark onclick="x"&gt;b&lt;/mark&gt; &lt;kbd onfocus=y&gt;',
  ],
  [
    'other tags as text',
    '<b>a</b> <span>b</span> <s>c</s> <subs>d',
    '&lt;b&gt;a&lt;/b&gt; &lt;span&gt;b&lt;/span&gt; &lt;s&gt;c&lt;/s&gt; &lt;subs&gt;d',
  ],
  [
    'a comment that HTML would end elsewhere as text',
    'a <!--> <u>b</u> --> <!-- c --!> -->',
    'a &lt;!--&gt; <u>b</u> --&gt; &lt;!-- c --!&gt; --&gt;',
  ],
];

/** The expected content of several blocks. */
const blocks: readonly (readonly [what: string, text: string, html: string])[] = [
  ['tags on lines of their own', '<kbd>\na\n</kbd>', '<p><kbd> a </kbd></p>'],
  [
    'a line break in a cell',
    '| a |\n|--|\n| b<br>c |',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b<br>c</td></tr></tbody></table>',
  ],
  [
    'a tag that is never closed, to the end of its cell',
    '| <u>a | b |\n|--|--|',
    '<table><thead><tr><th><u>a</u></th><th>b</th></tr></thead></table>',
  ],
  [
    'blocks in details',
    '<details>\n<summary>A *b*</summary>\n\n# c\n\n- d\n</details>\n\ne',
    '<details><summary>A <em>b</em></summary><h1>c</h1><ul><li>d</li></ul></details><p>e</p>',
  ],
  [
    'a summary on the line of the details',
    'a\n<Details><Summary>b</summary>\nc\n</DETAILS>\nd',
    '<p>a</p><details><summary>b</summary><p>c</p></details><p>d</p>',
  ],
  [
    'details in details',
    '<details>\n\na\n<details>\n\nb\n</details>\nc\n</details>\nd',
    '<details><p>a</p><details><p>b</p></details><p>c</p></details><p>d</p>',
  ],
  [
    'details in a list and a quote',
    '- <details>\n  a\n  </details>\n\n> <details>\n> b\n\nc',
    '<ul><li><details><p>a</p></details></li></ul><blockquote><details><p>b</p></details></blockquote><p>c</p>',
  ],
  [
    'an end tag in a code block as code',
    '<details>\n\n```\n</details>\n```\n</details>\na',
    '<details><pre><code>&lt;/details&gt;\n</code></pre></details><p>a</p>',
  ],
  [
    'details in one line',
    '<details><summary>a</summary>b</details>',
    '<p><details><summary>a</summary>b</details></p>',
  ],
  ['details that are never closed, to the end', '<details>\n\na\n\nb', '<details><p>a</p><p>b</p></details>'],
  [
    'details with an attribute as text',
    '<details open ontoggle=x>\na\n</details>',
    '<p>&lt;details open ontoggle=x&gt; a &lt;/details&gt;</p>',
  ],
  [
    'a comment in lines of its own, and the text after it',
    '<!-- a\n\nb --> *c*\n*d*',
    '<p><!-- a b --> *c*</p><p><em>d</em></p>',
  ],
  [
    'a title in lines that start with tags as the title of its link',
    '[a]: https://b.c\n"d\n<e\n<summary>f</summary>"\n\n[a]',
    '<p><a href="https://b.c" title="d\n<e\n<summary>f</summary>">a</a></p>',
  ],
  [
    'a summary after definitions and a blank line, but none right after them',
    '<details>\n[a]: b\n\n<summary>c</summary>\n</details>\n<details>\n[d]: e\n<summary>f</summary>\n</details>',
    '<details><summary>c</summary></details><details><p><summary>f</summary></p></details>',
  ],
  ['a comment that never ends as text', '<!-- a\n\n*b*', '<p>&lt;!-- a *b*</p>'],
  [
    'tags in other HTML as text',
    '<div>\n<br><u>a</u>\n</div>',
    '<p>&lt;div&gt; &lt;br&gt;&lt;u&gt;a&lt;/u&gt; &lt;/div&gt;</p>',
  ],
];

describe('Markdown with tags', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  const render = (text: string) => page.evaluate((all) => markdown.toCanonical(markdown.render(all)), text);

  for (const [what, text, html] of inline) {
    it(`shows ${what}`, async () => {
      assert.equal(await render(text), `<p>${html || text}</p>`);
    });
  }

  for (const [what, text, html] of blocks) {
    it(`shows ${what}`, async () => {
      assert.equal(await render(text), html);
    });
  }

  it('keeps the nodes of tags while their content streams', async () => {
    const text =
      'H<sub>2</sub>O and <mark>more *words*\n\n<details>\n<summary>A</summary>\n\nb\n\nc\n\n- d\n- e\n\n</details>\n\nf\n\n<!-- g -->\n\nh';
    assert.deepEqual(await page.evaluate((all) => markdown.findLostNodes(all), text), []);
  });

  it('keeps open details open while they stream', async () => {
    const stayed = await page.evaluate(() => {
      const container = document.createElement('div');
      const stream = new markdown.MarkdownStream(container);
      stream.appendMarkdown('<details>\n<summary>a</summary>\n\nb <details><summary>c</summary>');
      for (const details of container.querySelectorAll('details')) details.open = true;
      stream.appendMarkdown(' *d*</details>\n\ne\n\n</details>\n\nf');
      stream.end();
      return [...container.querySelectorAll('details')].map(({ open }) => open);
    });
    assert.deepEqual(stayed, [true, true]);
  });

  it('shows a comment of more than 10,000 characters as text, while it streams too', async () => {
    for (const start of ['<!-- ', 'a <!-- ']) {
      const text = start + 'b'.repeat(10_000);
      const length = await page.evaluate((all) => markdown.renderUnfinished(all, false).length, text);
      assert.ok(length > 10_000, start);
      assert.match(await render(`${text} -->`), /b --&gt;<\/p>$/);
    }
  });
});
