import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState, streaming } from '../support/states';
import { countStyledElements } from '../support/styledElements';

/** The elements of each long block below. */
const LONG_BLOCK_ELEMENTS = 400;
const LIST = '- *one* and **two** and `three`\n'.repeat(100);
const TABLE = `| a | b | c |\n|---|---|---|\n${'| 1 | 2 | 3 |\n'.repeat(100)}`;

describePanel('styles while a reply streams', {}, (panel) => {
  const open = () => panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
  const append = (text: string) => panel.change({ type: 'chunk', turnId: '2', text });

  it('are not computed again for a long list when the next block begins', async () => {
    await open();
    await append(LIST);
    const styled = await countStyledElements(panel, () => append('\n# A title\n\nA paragraph\n\n'));
    assert.ok(styled > 0 && styled < LONG_BLOCK_ELEMENTS / 4, `${styled} elements`);
  });

  it('are not computed again for a long table when it gets its toolbar', async () => {
    await open();
    await append(TABLE);
    const styled = await countStyledElements(panel, async () => {
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      await panel.page.locator('.table-bar').waitFor({ state: 'attached' });
      await panel.drawn();
    });
    assert.ok(styled > 0 && styled < LONG_BLOCK_ELEMENTS / 4, `${styled} elements`);
  });
});
