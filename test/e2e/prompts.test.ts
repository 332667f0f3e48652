// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench(
  'Prompts in a real workbench',
  {
    host: 'either',
    bot: 'Echo',
    workspaceFiles: {
      '.github/prompts/rate.prompt.md':
        '---\ndescription: Rates a text\n---\nRate ${file} for **${input:audience:Who reads it?}**.\n',
      '.github/prompts/shorten.prompt.md': 'Shorten this: ${selection}\n',
      'notes.txt': 'A note.\n',
    },
  },
  ({ workbench, person }) => {
    const openPrompts = async () => {
      await person.type('/');
      const list = (await workbench.panel()).getByRole('listbox', { name: 'Prompts' });
      await list.waitFor();
      return list;
    };

    it('are listed after /, ask for their inputs, and are sent with their values, by keyboard only', async () => {
      const { keyboard } = workbench.page;
      await workbench.editor.open('notes.txt');
      const list = await openPrompts();
      await keyboard.type('rate');
      await list.getByRole('option', { name: 'rate', selected: true }).getByText('Rates a text').waitFor();
      await keyboard.press('Enter');
      const panel = await workbench.panel();
      await panel.getByPlaceholder('Who reads it?').waitFor();
      await keyboard.type('my team');
      await keyboard.press('Enter');
      const composer = await person.composer();
      await panel.waitForFunction(
        (box) => (box as HTMLTextAreaElement).value === 'Rate notes.txt for **my team**.',
        await composer.elementHandle(),
      );
      await keyboard.press('Enter');
      assert.match(await person.reply('Echo'), /Rate notes\.txt for/);
      // A message is Markdown as well.
      await (await person.lastTurn('You')).locator('strong').getByText('my team').waitFor();
    });

    it('are saved from a message, and listed from then on', async () => {
      await workbench.runCommand('Parley: Save as Prompt…');
      await workbench.quickInput.waitFor('Save as Prompt');
      await workbench.quickInput.type('Rate for my team');
      const saved = 'Saved the prompt “Rate for my team”.';
      await workbench.notifications.waitFor(saved);
      await workbench.notifications.close(saved);
      const list = await openPrompts();
      await workbench.page.keyboard.type('team');
      await list.getByRole('option', { name: 'Rate for my team', selected: true }).waitFor();
      await workbench.page.keyboard.press('Enter');
      const panel = await workbench.panel();
      await panel.waitForFunction(
        (box) => (box as HTMLTextAreaElement).value === 'Rate notes.txt for **my team**.',
        await (await person.composer()).elementHandle(),
      );
      await (await person.composer()).fill('');
    });

    it('are in the menu of the lightbulb for a selection, by keyboard only', async () => {
      const { keyboard } = workbench.page;
      await workbench.editor.open('notes.txt');
      await keyboard.press('Control+Home');
      await keyboard.press('Shift+End');
      await workbench.page.locator('.lightBulbWidget').waitFor();
      await keyboard.press('Control+.');
      await workbench.page
        .locator('.action-widget .monaco-list-row.focused', { hasText: 'Ask Parley: shorten' })
        .waitFor();
      await keyboard.press('Enter');
      const panel = await workbench.panel();
      await panel.waitForFunction(
        (box) => (box as HTMLTextAreaElement).value === 'Shorten this: A note.',
        await (await person.composer()).elementHandle(),
      );
      await (await person.composer()).fill('');
    });
  },
);
