import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector, vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'A reply with sources in a real workbench',
  {
    host: 'either',
    bot: 'Guide',
    workspaceFiles: { 'animals.md': '# Animals\n\nThe zebra sleeps standing up.\n' },
  },
  ({ workbench, person }) => {
    before(async () => {
      await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
      await person.sees('Added');
    });

    it('lists its source below, which opens the uploaded file', async () => {
      await person.say('How does the zebra sleep?');
      await person.reply('Guide');
      const panel = await workbench.panel();
      const source = panel.getByRole('list', { name: 'Sources' }).getByRole('button', { name: 'animals.md' });
      await source.waitFor();
      if (process.env.PARLEY_PICTURE) await workbench.screenshot(process.env.PARLEY_PICTURE);
      await source.press('Enter');
      await workbench.page.locator(getActiveTabSelector('animals.md')).waitFor();
    });

    it('copies the selected part as Markdown from its context menu', async () => {
      const panel = await workbench.panel();
      const quote = panel.locator('.markdown blockquote').last();
      await quote.evaluate((element) => document.getSelection()?.selectAllChildren(element));
      // The editor takes the focus once it shows the file; before that, the menu would be the editor's.
      await workbench.page.locator(vscodeDom.editor.focused).waitFor();
      await quote.click({ button: 'right' });
      const item = workbench.page.locator(vscodeDom.menu.item);
      await item.filter({ hasText: 'Copy Selection as Markdown' }).hover();
      await workbench.page.keyboard.press('Enter');
      await panel.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
      // The host writes the clipboard shortly after the page announces it.
      await workbench.page.waitForFunction(async () =>
        /^> .*zebra.*sleeps standing up/.test(await navigator.clipboard.readText()),
      );
    });
  },
);
