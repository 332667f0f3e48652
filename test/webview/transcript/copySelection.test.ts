import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

const text = `Setext title
===

Some __bold *and soft*__ text with [a link](https://example.com) and \`code\`.

* one
* two
  1. deep

> quoted

\`\`\`\`ts
let a = 1;
let b = 2;
\`\`\`\`

| left | right |
|:---|---:|
| 1 | 2 |
| 3 | 4 |
`;

describePanel('selection in the transcript', { width: 600 }, (panel) => {
  beforeEach(() => panel.snapshot(panelState({ turns: [message('1', 'What *is* it?'), reply('2', text)] })));
  /** Selects from the first text to the end of the second, and copies the selection as Markdown. */
  const copy = async (from: string, to: string): Promise<string> => {
    await panel.page.evaluate(
      ([first, last]) => {
        const log = document.querySelector('[role=log]');
        const walker = document.createTreeWalker(log ?? document, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        let begun = false;
        for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
          const start: number = begun ? -1 : node.data.indexOf(first ?? '');
          if (start >= 0) range.setStart(node, start);
          begun ||= start >= 0;
          const end = begun ? node.data.indexOf(last ?? '') : -1;
          if (end < 0) continue;
          range.setEnd(node, end + (last ?? '').length);
          break;
        }
        document.getSelection()?.removeAllRanges();
        document.getSelection()?.addRange(range);
      },
      [from, to],
    );
    await panel.post({ type: 'copySelection' });
    return (await panel.intent('copy')).text;
  };

  it("is copied as the reply's own Markdown if all of it is selected", async () => {
    assert.equal(await copy('Setext title', '4'), text);
    assert.equal(await panel.page.getByRole('status').innerText(), 'Copied');
  });

  it('is cut at its ends, and keeps its markup', async () => {
    assert.equal(
      await copy('soft', 'two'),
      '***soft*** text with [a link](https://example.com) and `code`.\n\n- one\n- two',
    );
    assert.equal(await copy('deep', 'quoted'), '- 1. deep\n\n> quoted');
    assert.equal(await copy('b = 2', '2;'), '```ts\nb = 2;\n```');
    assert.equal(await copy('3', '4'), '| left | right |\n| :--- | ---: |\n| 3 | 4 |');
  });

  it('contains formulas as their source', async () => {
    await panel.snapshot(
      panelState({ turns: [reply('1', 'So $x^2 + y$ and:\n\n$$\n\\frac{1}{2}\n$$\n\nEnd. More.')] }),
    );
    await panel.page.locator('.md-drawn math mfrac').waitFor();
    assert.equal(await copy('o ', 'End.'), 'o $x^2 + y$ and:\n\n$$\n\\frac{1}{2}\n$$\n\nEnd.');
  });

  it('spans turns, and contains no buttons and names', async () => {
    assert.equal(await copy('is', 'Setext'), '*is* it?\n\n# Setext');
    assert.equal(await copy('What', 'Setext'), 'What *is* it?\n\n# Setext');
  });

  it('is offered in the menu only if there is one', async () => {
    const context = () =>
      panel.page.getByRole('log').evaluate((log) => {
        log.firstElementChild?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));
        return JSON.parse((log as HTMLElement).dataset.vscodeContext ?? '{}');
      });
    await panel.page.evaluate(() => document.getSelection()?.removeAllRanges());
    assert.deepEqual(await context(), { selectsText: false });
    await panel.post({ type: 'copySelection' });
    await copy('Setext', 'title');
    assert.deepEqual(await context(), { selectsText: true });
    assert.deepEqual(await panel.intents(), []);
  });
});
