import assert from 'node:assert/strict';
import axe from 'axe-core';
import { repeat } from '../../support/repetition';
import { describePanel } from '../support/panel';
import { panelState, reply, streaming } from '../support/states';
import { type Theme, themes } from '../support/themes';

const text = '| Name | *Value* |\n| :--- | ---: |\n| `a`<br>b | =1+1 |\n| $x^2$, c | -2 |';
const wide = `${'| A wide header '.repeat(12)}|\n${'|--'.repeat(12)}|\n${`${'| cell '.repeat(12)}|\n`.repeat(60)}`;

describePanel('toolbar of a table', { width: 600 }, (panel) => {
  const show = async (markdown: string) => {
    await panel.snapshot(panelState({ turns: [reply('1', markdown)] }));
    await panel.button('Copy Table as CSV').waitFor();
    await panel.intents();
  };
  const csv = 'Name,Value\r\n"a\nb",\'=1+1\r\n"$x^2$, c",-2';

  it('copies the table as Markdown and CSV, and announces it', async () => {
    await show(text);
    await panel.button('Copy Table as Markdown').click();
    assert.deepEqual(await panel.intents(), [{ type: 'copy', text }]);
    assert.equal(await panel.page.getByRole('status').innerText(), 'Copied');
    await panel.button('Copy Table as CSV').click();
    assert.deepEqual(await panel.intents(), [{ type: 'copy', text: csv }]);
  });

  it('opens the table as a file by keyboard', async () => {
    await show(text);
    await panel.button('Open Table as Markdown File').press('Enter');
    await panel.button('Open Table as CSV File').press('Enter');
    assert.deepEqual(await panel.intents(), [
      { type: 'newFile', text: `${text}\n`, language: 'markdown' },
      { type: 'newFile', text: `${csv}\n`, language: 'csv' },
    ]);
  });

  it('is shown on hover and focus only', async () => {
    await show(text);
    const opacity = () =>
      panel.page.locator('.table-bar').evaluate((it) => Number.parseFloat(getComputedStyle(it).opacity));
    await panel.page.mouse.move(0, 0);
    assert.equal(await opacity(), 0);
    await panel.page.locator('table').hover();
    assert.equal(await opacity(), 1);
    await panel.page.mouse.move(0, 0);
    assert.equal(await opacity(), 0);
    await panel.button('Copy Table as Markdown').focus();
    assert.equal(await opacity(), 1);
  });

  it('appears when the reply ends, in the same place and without another table', async () => {
    await panel.snapshot(panelState({ turns: [streaming('2')] }));
    await panel.stream('2', text);
    const table = await panel.page.locator('table').elementHandle();
    const box = await table?.boundingBox();
    assert.equal(await panel.button('Copy Table as CSV').count(), 0);
    await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
    await panel.button('Copy Table as CSV').waitFor();
    assert.deepEqual(await table?.boundingBox(), box);
  });

  it('leaves a table that fits as it is, and lets a wide one scroll under its header by keyboard', async () => {
    await show(text);
    assert.equal(await panel.page.locator('table.wide').count(), 0);
    await show(wide);
    const table = panel.page.locator('table.wide');
    await table.focus();
    const top = () =>
      table
        .locator('th')
        .first()
        .evaluate((it) => it.getBoundingClientRect().top);
    const before = await top();
    await panel.page.keyboard.press('PageDown');
    await panel.page.waitForFunction(() => (document.querySelector('table')?.scrollTop ?? 0) > 100);
    assert.ok(Math.abs((await top()) - before) < 2);
  });

  it('has no accessibility problems in dark and light themes', async () => {
    const turns = [
      reply('1', text),
      reply('2', wide),
      reply(
        '3',
        '<details>\n<summary>a <kbd>b</kbd></summary>\n\nc\n</details>\n\n<mark>d</mark><sub>e</sub> <u>f</u>',
      ),
    ];
    await panel.snapshot(panelState({ turns }));
    await panel.page.locator('table.wide').waitFor();
    await panel.page.evaluate(axe.source);
    for (const theme of repeat<readonly Theme[]>(['dark', 'hcLight'], themes)) {
      await panel.setTheme(theme);
      await panel.button('Copy Table as CSV').first().focus();
      const problems = await panel.page.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.turns');
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      assert.deepEqual(problems, [], theme);
    }
  });
});
