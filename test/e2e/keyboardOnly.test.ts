import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { retryOnTimeout } from './support/retryOnTimeout';
import { vscodeDom } from './support/vscodeDom';

/** How long the palette may take to open and to list a command before another try, in ms. */
const RETRY_AFTER_MS = 3000;

describeInWorkbench(
  'From first start to an answer from a document, with the keyboard only',
  {
    host: 'either',
    isolated: true,
    noBaseUrl: true,
    workspaceFiles: { 'animals.md': 'The zebra sleeps standing up.\n', 'zoo.txt': 'Closed.\n' },
  },
  ({ workbench, service, person }) => {
    const keys = () => workbench.page.keyboard;
    const box = () => workbench.page.locator(vscodeDom.quickInput.widget);

    const findFocusedItem = (label: string) =>
      box().locator(vscodeDom.quickInput.focusedLabel).getByText(label, { exact: true });

    /** Types into the box with this question once it has the focus, and confirms. */
    async function answer(question: string, text: string): Promise<void> {
      await box().filter({ hasText: question }).locator('input:focus').waitFor();
      await keys().type(text);
      await keys().press('Enter');
      await box().waitFor({ state: 'hidden' });
    }

    /**
     * Runs a command from the palette; reopens the palette until it lists the command, which Parley may
     * register late.
     */
    async function run(command: string): Promise<void> {
      await retryOnTimeout(async (patience) => {
        const timeout = patience * RETRY_AFTER_MS;
        if (patience > 1) await keys().press('Escape');
        await keys().press('F1');
        await box().locator('input:focus').waitFor({ timeout });
        await keys().type(command);
        await findFocusedItem(command).waitFor({ timeout });
        await keys().press('Enter');
      });
    }

    async function ask(question: string): Promise<void> {
      const panel = await workbench.panel();
      await panel.waitForFunction(() => document.hasFocus() && document.activeElement?.id === 'message');
      await keys().type(question);
      await keys().press('Enter');
    }

    it('sets the URL and the key, picks a bot, sends a message, uploads a file and gets an answer from it', async () => {
      await run('Parley: Set Service URL');
      await box().filter({ hasText: 'Set Service URL' }).locator('input:focus').waitFor();
      await keys().type('Other');
      await keys().press('Enter');
      await answer('The base URL', service.baseUrl);
      await run('Parley: Set API Key');
      await answer('API key', service.key);
      // The key is checked and stored first.
      const status = workbench.page.locator(vscodeDom.statusBar.parley);
      await status.getByRole('button', { name: 'No bot is chosen.' }).waitFor();
      await run('Parley: New Conversation');
      await findFocusedItem('Guide').or(findFocusedItem('Echo')).waitFor();
      await keys().type('Guide');
      await findFocusedItem('Guide').waitFor();
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
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));

      await run('Parley: Focus Message');
      await ask('How does the zebra sleep?');
      assert.match(await person.reply('Guide', 2), /The zebra sleeps standing up/);
    });
  },
);
