import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'Opening Parley and choosing a bot',
  { host: 'either', bot: 'Guide', workspaceFiles: { 'notes.txt': 'Some notes.\n' } },
  ({ workbench, service, person }) => {
    const waitForComposerFocus = async () => {
      const panel = await workbench.panel();
      await panel.waitForFunction(() => document.hasFocus() && document.activeElement?.id === 'message');
    };

    it('has one menu of further actions, with those of the conversation', async () => {
      await person.say('to be renamed');
      await person.reply('Guide');
      await person.seesTitle('to be renamed');
      const panel = await workbench.panel();
      assert.equal(await panel.locator('header').getByRole('button').count(), 0);
      await workbench.openBoxFromTitleBar(
        vscodeDom.sideBar.secondary,
        'Rename Conversation…',
        'Rename Conversation',
      );
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

    describe('when the panel is hidden', () => {
      beforeEach(async () => {
        await workbench.runCommand('View: Hide Secondary Side Bar');
        await workbench.page.locator(vscodeDom.sideBar.secondary).waitFor({ state: 'hidden' });
        await workbench.editor.open('notes.txt');
      });

      it('the key opens it from an editor and focuses the composer', async () => {
        await workbench.page.keyboard.press('Control+Alt+P');
        await person.waitForFocusInAnyFrame();
      });

      it('the icon in the title bar of an editor opens it', async () => {
        await workbench.page.getByRole('button', { name: 'Open Parley' }).press('Enter');
        await person.waitForFocusInAnyFrame();
      });
    });
  },
);
