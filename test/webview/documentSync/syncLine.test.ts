import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

describePanel('the line about the workspace’s documents', {}, (panel) => {
  const line = () => panel.page.getByRole('region', { name: 'Documents of This Workspace' });
  const show = async (documentSync = { changed: 3, total: 40, branch: 'main' }) =>
    panel.showLoaded(panelState({ turns: [message('m', 'Hi'), reply('r', 'So')] }, { documentSync }));

  it('says how many have changed and on which branch, is announced, and goes away with the change', async () => {
    await show();
    await line().waitFor();
    const [text = ''] = (await line().innerText()).split('Sync');
    assert.equal(text.replace(/\s+/g, ' ').trim(), '3 of 40 documents have changed main');
    await panel.page
      .locator('#announcements')
      .getByText('3 of 40 documents have changed')
      .waitFor({ state: 'attached' });
    await panel.change({ type: 'documentSync', documentSync: { changed: 1, total: 40 } });
    await line().getByText('1 of 40 documents has changed').waitFor();
    await panel.change({ type: 'documentSync', documentSync: { changed: 2, total: 2, isNew: true } });
    await line()
      .getByText('2 documents of this workspace haven’t been synced from this machine yet')
      .waitFor();
    await panel.change({ type: 'documentSync' });
    await line().waitFor({ state: 'detached' });
  });

  it('asks the host to sync or to wait, by keyboard', async () => {
    const conversationId = await show();
    await line().getByRole('button', { name: 'Sync Documents…' }).press('Enter');
    assert.deepEqual(await panel.intent('syncDocuments'), { type: 'syncDocuments', conversationId });
    await line().getByRole('button', { name: 'Not Now' }).press('Enter');
    assert.deepEqual(await panel.intent('postponeSync'), { type: 'postponeSync', conversationId });
    const focused = panel.page.getByRole('textbox', { name: 'Message' });
    assert.ok(await focused.evaluate((element) => element === element.ownerDocument.activeElement));
  });

  it('shows a hostile name of a branch as text', async () => {
    await show({ changed: 1, total: 2, branch: '<img src=x onerror=alert(1)>\u202e' });
    await line().getByText('<img src=x onerror=alert(1)>').waitFor();
    assert.equal(await line().locator('img').count(), 0);
  });

  it('fits a panel of 300 px', async () => {
    await panel.page.setViewportSize({ width: 300, height: 600 });
    await show({ changed: 3, total: 40, branch: 'feature/'.repeat(10) });
    await line().waitFor();
    const overflow = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.ok(overflow <= 0, `${overflow} px`);
  });
});
