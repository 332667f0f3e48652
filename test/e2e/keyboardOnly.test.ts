import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';
import { patience } from './support/workbench';

describeInWorkbench(
  'From first start to an answer from a file, by keyboard alone',
  {
    host: 'either',
    isolated: true,
    noBaseUrl: true,
    workspaceFiles: { 'animals.md': 'The zebra sleeps standing up.\n', 'zoo.txt': 'Closed.\n' },
  },
  ({ workbench, service, person }) => {
    const keys = () => workbench.page.keyboard;
    const box = () => workbench.page.locator(vscodeDom.quickInput.widget);

    const chosen = (label: string) =>
      box().locator(vscodeDom.quickInput.focusedLabel).getByText(label, { exact: true });

    /** Types into the box that asks this, once it has the keyboard, and confirms. */
    async function answer(question: string, text: string): Promise<void> {
      await box().filter({ hasText: question }).locator('input:focus').waitFor();
      await keys().type(text);
      await keys().press('Enter');
      await box().waitFor({ state: 'hidden' });
    }

    /** Runs a command from the palette, which lists what there was when it opened: of Parley there may be nothing yet. */
    async function run(command: string): Promise<void> {
      for (const deadline = performance.now() + patience; ; await keys().press('Escape')) {
        await keys().press('F1');
        try {
          await box().locator('input:focus').waitFor({ timeout: 3000 });
          await keys().type(command);
          await chosen(command).waitFor({ timeout: 3000 });
          return await keys().press('Enter');
        } catch (error) {
          if (performance.now() > deadline) throw error;
        }
      }
    }

    async function ask(question: string): Promise<void> {
      const panel = await workbench.panel();
      await panel.waitForFunction(() => document.hasFocus() && document.activeElement?.id === 'message');
      await keys().type(question);
      await keys().press('Enter');
    }

    it('takes the URL, the key, a bot, a first message, a file from the Explorer and a question', async () => {
      await run('Parley: Set Service URL');
      await answer('Set Service URL', service.baseUrl);
      await run('Parley: Set API Key');
      await answer('API key', service.key);
      await run('Parley: New Conversation');
      await chosen('Guide').or(chosen('Echo')).waitFor();
      await keys().type('Guide');
      await chosen('Guide').waitFor();
      await keys().press('Enter');
      await ask('Hello');
      assert.notEqual(await person.reply('Guide', 1), '');

      await keys().press('Control+Shift+E');
      const row = workbench.page.locator(vscodeDom.explorer.focusedRow);
      await workbench.page.locator(vscodeDom.explorer.focusedTree).waitFor();
      await keys().press('Home');
      await row.filter({ hasText: 'animals.md' }).waitFor();
      await keys().press('Shift+F10');
      const item = workbench.page.locator(vscodeDom.menu.focusedItem);
      await workbench.page.locator(vscodeDom.menu.menu).waitFor();
      for (const wanted = item.filter({ hasText: 'Upload to Conversation' }); !(await wanted.count()); ) {
        await keys().press('ArrowDown');
      }
      await keys().press('Enter');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'), patience);

      await run('Parley: Focus Message');
      await ask('How does the zebra sleep?');
      assert.match(await person.reply('Guide', 2), /The zebra sleeps standing up/);
    });
  },
);
