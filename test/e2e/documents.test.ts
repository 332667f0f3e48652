import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector, getExplorerRowSelector, vscodeDom } from './support/vscodeDom';

const animals = '# Animals\n\nThe zebra sleeps standing up.\n';

describeInWorkbench(
  'Documents in a real workbench',
  {
    host: 'either',
    bot: 'Guide',
    workspaceFiles: { 'animals.md': animals },
  },
  ({ workbench, service, person }) => {
    before(async () => {
      // The page loads its file handling when it is idle. Until then, it ignores what is dragged over it again and again.
      const panel = await workbench.panel();
      await panel.waitForFunction(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([], 'dragged.txt'));
        document.body.dispatchEvent(
          new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }),
        );
        return document.querySelector('.drop-zone');
      });
      await panel.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
      await panel.locator('.drop-zone').waitFor({ state: 'detached' });
    });

    const findStored = (name: string) => {
      const document = [...service.documents.values()].find((candidate) => candidate.name === name);
      return document && service.objects.get(document.key);
    };

    it('are uploaded, after confirmation, when dragged from the Explorer with Shift', async () => {
      const { page } = workbench;
      const row = page.locator(getExplorerRowSelector('animals.md'));
      const view = page.locator(vscodeDom.sideBar.secondary);
      const [from, to] = [await row.boundingBox(), await view.boundingBox()];
      assert.ok(from && to);
      await page.mouse.move(from.x + 40, from.y + 8);
      await page.mouse.down();
      await page.keyboard.down('Shift');
      const [x, y] = [to.x + to.width / 2, to.y + to.height / 2];
      for (const share of [0.2, 0.5, 0.9, 1, 1]) {
        await page.mouse.move(from.x + 40 + (x - from.x - 40) * share, from.y + 8 + (y - from.y - 8) * share);
      }
      const dropZone = (await workbench.panel()).getByText('Drop to upload to the conversation');
      // The page only gets the drag once VS Code has made it a target, which needs another move.
      await waitUntil('the drop zone is shown', async () => {
        await page.mouse.move(x + 4, y + 4);
        await page.mouse.move(x, y);
        return dropZone.isVisible();
      });
      // The drop zone now covers the page and must accept the drag itself.
      await page.mouse.move(x + 4, y + 4);
      await page.mouse.move(x, y);
      await page.mouse.up();
      await page.keyboard.up('Shift');
      assert.match(await workbench.dialog.text(), /animals\.md/);
      await workbench.dialog.press('Upload');
      await service.waitForRequest(() => findStored('animals.md') !== undefined);
      assert.equal(findStored('animals.md')?.toString(), animals);
    });

    it('are listed as sources below a reply, which open the uploaded file', async () => {
      await person.say('How does the zebra sleep?');
      await person.reply('Guide');
      const panel = await workbench.panel();
      const source = panel.getByRole('list', { name: 'Sources' }).getByRole('button', { name: 'animals.md' });
      await source.waitFor();
      await source.press('Enter');
      await workbench.page.locator(getActiveTabSelector('animals.md')).waitFor();
    });

    it('are quoted in a reply, whose selected part is copied as Markdown from its context menu', async () => {
      const panel = await workbench.panel();
      const quote = panel.locator('.markdown blockquote').last();
      await quote.evaluate((element) => document.getSelection()?.selectAllChildren(element));
      // The editor takes the focus once it shows the file; before that, the menu would be the editor's.
      await workbench.editor.waitForFocus();
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
