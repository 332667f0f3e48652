import assert from 'node:assert/strict';
import type { Source } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

describePanel('the sources of a reply that have changed since', {}, (panel) => {
  const note = () => panel.page.getByRole('note');
  const show = (...sources: Source[]) =>
    panel.showLoaded(panelState({ turns: [message('m', 'What?'), { ...reply('r', 'So'), sources }] }));

  it('are told in one line, with what can be done, by keyboard', async () => {
    const id = await show(
      { name: 'as-it-was.md', opens: 'file' },
      { name: 'pricing.md', opens: 'file', since: 'changed', hasChanges: true },
      { name: 'gone.md', since: 'gone' },
    );
    await note().getByText('pricing.md has changed since this answer. (and 1 more)').waitFor();
    await note().getByRole('button', { name: 'Show Changes' }).press('Enter');
    assert.deepEqual(await panel.intent('showSourceChanges'), {
      ...{ type: 'showSourceChanges', conversationId: id, turnId: 'r', index: 1 },
    });
    await note().getByRole('button', { name: 'Update' }).press('Enter');
    assert.deepEqual(await panel.intent('updateSource'), {
      ...{ type: 'updateSource', conversationId: id, turnId: 'r', index: 1 },
    });
    await note().getByRole('button', { name: 'Ask Again' }).press('Enter');
    assert.deepEqual(await panel.intent('send'), { type: 'send', conversationId: id, text: 'What?' });
  });

  it('are marked after an update, without another one', async () => {
    await show({ name: 'pricing.md', since: 'updated' });
    await note().getByText('This answer was made from an older version of pricing.md.').waitFor();
    assert.equal(await note().getByRole('button', { name: 'Update' }).count(), 0);
    assert.equal(await note().getByRole('button', { name: 'Show Changes' }).count(), 0);
  });

  it('are not mentioned if there are none, and fit a panel of 300 px', async () => {
    await show({ name: 'pricing.md', opens: 'file' });
    await panel.page.getByRole('button', { name: 'pricing.md' }).waitFor();
    assert.equal(await note().count(), 0);
    await panel.page.setViewportSize({ width: 300, height: 600 });
    await show({ name: `${'long-'.repeat(30)}.md`, since: 'changed', hasChanges: true });
    await note().waitFor();
    const overflow = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.ok(overflow <= 0, `${overflow} px`);
  });
});
