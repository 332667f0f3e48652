import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

const rich = `# Title

A paragraph with **bold**, \`code\` and a [link](https://example.com).
It has two lines.

- one **item**
- another
  - with one inside
  - and one more
- the last

1. loose

2. items

   with two paragraphs

\`\`\`ts
const one = 1;

const two = 2;
\`\`\`

> A quote
> of two lines
>
> and a list
> - in it
> - goes on

| Name | Value |
|---|---|
| a | 1 |
| b | 2 |
| c | 3 |

    indented code

    goes on

<div>
raw HTML
</div>

- [ ] open
- [x] done

A formula $x^2$ and \\(y_1\\), for $5.

$$
z = 1

= 2
$$

- $$a = b$$ in an item
- \\[ c = d \\]

The end.
`;

describe('Markdown nodes', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  it('stay the same once their block, item, row or line is complete', async () => {
    assert.deepEqual(await page.evaluate((text) => markdown.findLostNodes(text), rich), []);
  });

  it('stay the same in a long code block, table, list and reply', async () => {
    const texts = [
      `\`\`\`\n${'a line of code\n'.repeat(60)}`,
      `| a | b |\n|--|--|\n${'| c | **d** |\n'.repeat(120)}`,
      '- an *item* of a list\n'.repeat(60),
      'A paragraph.\n\n'.repeat(60),
    ];
    for (const text of texts) {
      assert.deepEqual(await page.evaluate((all) => markdown.findLostNodes(all), text), []);
    }
  });

  it('change for a late definition only where its label is used', async () => {
    const start =
      'See [one] and **more**.\n\nNothing here.\n\n- an item with [two][b]\n- another\n\nThe [one] again.\n\n';
    const changed = (end: string) =>
      page.evaluate((texts) => markdown.findChangedBlocks(texts.start, texts.end), { start, end });
    assert.deepEqual(await changed('[one]: https://example.com/1\n'), [0, 4]);
    assert.deepEqual(await changed('[b]: https://example.com/2\n'), [2]);
    assert.deepEqual(await changed('[c]: https://example.com/3\n'), []);
  });

  it('are in sections, all closed but the last', async () => {
    const sections = await page.evaluate(() => {
      const container = markdown.renderStreamed('A paragraph.\n\n'.repeat(60), [100, 300]);
      return [...container.children].map((section) => [section.className, section.childElementCount]);
    });
    assert.deepEqual(sections, [
      ['md-section md-closed', 24],
      ['md-section md-closed', 24],
      ['md-section', 12],
    ]);
  });

  it('keep a selection, a focused element and the scroll position of a code block', async () => {
    const kept = await page.evaluate(() => {
      const container = document.createElement('div');
      document.body.replaceChildren(container);
      const stream = new markdown.MarkdownStream(container, {
        codeBlock(pre) {
          pre.style.cssText = 'width: 100px; overflow-x: auto';
          pre.tabIndex = 0;
          return pre;
        },
      });
      stream.appendMarkdown(`Select this.\n\n\`\`\`\n${'long '.repeat(100)}\nsecond\n`);
      const pre = container.querySelector('pre');
      pre?.focus();
      if (pre) pre.scrollLeft = 50;
      const paragraph = container.querySelector('p');
      if (paragraph) getSelection()?.selectAllChildren(paragraph);
      for (let count = 0; count < 200; count++) stream.appendMarkdown('more `text` **and** code\n');
      stream.appendMarkdown(`\`\`\`\n\n${'A paragraph.\n\n'.repeat(30)}`);
      stream.end();
      return [`${getSelection()}`.trim(), document.activeElement === pre, pre?.scrollLeft];
    });
    assert.deepEqual(kept, ['Select this.', true, 50]);
  });

  it("are passed to the page's hook once for each code block, with its growing text", async () => {
    const calls = await page.evaluate(() => {
      const seen: string[] = [];
      let read: (() => string) | undefined;
      const container = document.createElement('div');
      const stream = new markdown.MarkdownStream(container, {
        codeBlock(pre, language, text) {
          seen.push(`${pre.localName} ${language}`);
          read = text;
          const wrapper = document.createElement('figure');
          wrapper.append(pre);
          return wrapper;
        },
      });
      stream.appendMarkdown('```ts title="x"\nconst a');
      seen.push(`${read?.()}`);
      stream.appendMarkdown(' = 1;\n```\n');
      stream.end();
      return [
        ...seen,
        `${read?.()}`,
        `${container.querySelector('figure > pre > code.language-ts') !== null}`,
      ];
    });
    assert.deepEqual(calls, ['pre ts', 'const a', 'const a = 1;\n', 'true']);
  });
});
