import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { explorerRow, vscodeDom } from './support/vscodeDom';
import { patience } from './support/workbench';

/** An event with a file, as a desktop or a clipboard gives it. */
const give = (type: 'drop' | 'paste', name: string, mime: string, bytes: readonly number[]) => `{
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], '${name}', { type: '${mime}' }));
  const init = { bubbles: true, cancelable: true };
  document.querySelector('textarea').dispatchEvent(
    '${type}' === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: transfer })
      : new DragEvent('drop', { ...init, dataTransfer: transfer }),
  );
}`;

describeInWorkbench(
  'Files brought to the panel in the real workbench',
  {
    host: 'either',
    bot: 'Guide',
    workspaceFiles: { 'animals.md': 'The zebra sleeps standing up.' },
  },
  ({ workbench, service, person }) => {
    before(async () => {
      // What takes files is loaded when the page has nothing else to do.
      const panel = await workbench.panel();
      await panel.getByRole('button', { name: 'Add Context…' }).waitFor();
    });

    const stored = (name: string) => {
      const document = [...service.documents.values()].find((each) => each.name === name);
      return document && service.objects.get(document.key);
    };

    it('are uploaded byte for byte when they are dropped from the desktop', async () => {
      const bytes = Array.from({ length: 3000 }, (_, index) => (index * 7) % 256);
      await (await workbench.panel()).evaluate(give('drop', 'report.pdf', 'application/pdf', bytes));
      await person.sees('report.pdf');
      await service.waitForRequest(() => stored('report.pdf') !== undefined, patience);
      assert.ok(stored('report.pdf')?.equals(Buffer.from(bytes)));
    });

    it('are uploaded when they are pasted', async () => {
      const text = [...Buffer.from('Copied as a file.')];
      await (await workbench.panel()).evaluate(give('paste', 'copied.txt', 'text/plain', text));
      await person.sees('copied.txt');
      await service.waitForRequest(() => stored('copied.txt') !== undefined, patience);
      assert.equal(stored('copied.txt')?.toString(), 'Copied as a file.');
    });

    it('are uploaded when they are dragged from the explorer with Shift, after a question', async () => {
      const { page } = workbench;
      const row = page.locator(explorerRow('animals.md'));
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
      await (await workbench.panel()).getByText('Drop to upload to the conversation').waitFor();
      // The zone that covers the page now has to say that it takes them.
      await page.mouse.move(x + 4, y + 4);
      await page.mouse.move(x, y);
      await page.mouse.up();
      await page.keyboard.up('Shift');
      assert.match(await workbench.dialog.text(), /animals\.md/);
      await workbench.dialog.press('Upload');
      await service.waitForRequest(() => stored('animals.md') !== undefined, patience);
      assert.equal(stored('animals.md')?.toString(), 'The zebra sleeps standing up.');
    });
  },
);
