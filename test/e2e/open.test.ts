import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'Opening Parley and choosing a bot',
  { host: 'either', bot: 'Guide', workspaceFiles: { 'notes.txt': 'Some notes.\n' } },
  ({ workbench, service, person }) => {
    const secondarySideBar = () => workbench.page.locator(vscodeDom.sideBar.secondary);
    const waitForComposerFocus = async () => {
      const panel = await workbench.panel();
      await panel.waitForFunction(() => document.hasFocus() && document.activeElement?.id === 'message');
    };

    async function hidePanel(): Promise<void> {
      await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
      await secondarySideBar().waitFor({ state: 'hidden' });
      await workbench.editor.open('notes.txt');
    }

    it('opens the panel and focuses the composer with the key, from an editor', async () => {
      await hidePanel();
      await workbench.page.keyboard.press('Control+Alt+P');
      await secondarySideBar().waitFor();
      await waitForComposerFocus();
    });

    it('opens it with the icon in the title bar of an editor', async () => {
      await hidePanel();
      await workbench.page.getByRole('button', { name: 'Open Parley' }).press('Enter');
      await secondarySideBar().waitFor();
      await waitForComposerFocus();
    });

    it('has one menu of further actions, with those of the conversation', async () => {
      await person.say('to be renamed');
      await person.reply('Guide');
      const panel = await workbench.panel();
      assert.equal(await panel.locator('header').getByRole('button').count(), 0);
      await secondarySideBar()
        .getByRole('button', { name: /More Actions/ })
        .first()
        .press('Enter');
      const menu = workbench.page.locator(vscodeDom.menu.menu);
      for (const name of ['Rename Conversation…', 'Delete Conversation…', 'New Conversation With…'])
        await menu.getByRole('menuitem', { name }).waitFor();
      await menu.getByRole('menuitem', { name: 'Rename Conversation…' }).click();
      await workbench.quickInput.type('Renamed');
      await person.seesTitle('Renamed');
    });

    it('changes the bot from the composer with the keyboard, and answers with it', async () => {
      const { page, quickInput } = workbench;
      const panel = await workbench.panel();
      await panel.getByRole('button', { name: 'Bot: Guide' }).press('Enter');
      await quickInput.waitFor('Change Bot');
      await quickInput.pick('Echo');
      await panel.getByRole('button', { name: 'Bot: Echo' }).waitFor();
      await waitForComposerFocus();
      await page.keyboard.type('said to the other');
      await page.keyboard.press('Enter');
      assert.match(await person.reply('Echo'), /said to the other/);
      assert.equal(service.conversations.size, 1);
    });

    it('opens a new conversation with another bot from the same list', async () => {
      const { quickInput } = workbench;
      const panel = await workbench.panel();
      await panel.getByRole('button', { name: 'Bot: Echo' }).press('Enter');
      await quickInput.waitFor('Change Bot');
      await quickInput.pick('New Conversation With…');
      await quickInput.waitFor('New Conversation With…');
      await quickInput.pick('Guide');
      await person.seesNoTurns();
      await panel.getByRole('button', { name: 'Bot: Guide' }).waitFor();
      await waitForComposerFocus();
    });
  },
);
