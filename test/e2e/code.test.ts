import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector, vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'A reply’s way into editors and files',
  {
    host: 'either',
    bot: 'Echo',
    settings: { 'files.simpleDialog.enable': true },
    workspaceFiles: { 'src/app.ts': 'export const answer = 41;\n\nexport const name = "a";\n' },
  },
  ({ workbench, service, person }) => {
    describe('Code and tables in a reply', () => {
      const replyWith = async (text: string) => {
        const script = service.script();
        await person.say('go on');
        script.chunk(text);
        script.end();
        await person.reply('Echo');
      };

      it('is applied to the file that it names after its diff is reviewed', async () => {
        await replyWith('```ts src/app.ts:1\nexport const answer = 42;\n```\n');
        await person.press('Apply');
        await workbench.notifications.keep('Apply the change to src/app.ts?');
        const { page } = workbench;
        await page.locator(vscodeDom.editor.diffLine).filter({ hasText: 'answer = 42' }).waitFor();
        assert.match((await workbench.editor.getTabLabels()).join(), /app\.ts \(proposed by the reply\)/);
        await workbench.notifications.press('Apply the change to src/app.ts?', 'Apply');
        await page.locator(getActiveTabSelector('app.ts', true)).waitFor();
        await page.locator(vscodeDom.editor.diff).waitFor({ state: 'detached' });
        await page.locator(vscodeDom.editor.anyLine).filter({ hasText: 'answer = 42' }).waitFor();
        assert.equal(
          (await workbench.editor.visibleText()).trimEnd(),
          'export const answer = 42;\n\nexport const name = "a";',
        );
        // The file on disk is unchanged, and the edit can be undone.
        await page.locator(vscodeDom.editor.line).first().click();
        await page.keyboard.press('ControlOrMeta+Z');
        await page.locator(vscodeDom.editor.anyLine).filter({ hasText: 'answer = 41' }).waitFor();
      });

      it('has its actions in the block’s context menu, and file references are links', async () => {
        await replyWith('See `src/app.ts:3`.\n\n```ts\nexport const more = 1;\n```\n');
        const panel = await workbench.panel();
        await panel.getByRole('link', { name: 'src/app.ts:3' }).click();
        await workbench.page.locator(getActiveTabSelector('app.ts')).waitFor();
        // The editor takes the focus once it shows the file; before that, the menu would be the editor's.
        await workbench.editor.waitForFocus();
        // Code is inserted without a review only where the user has placed the cursor.
        await workbench.page.keyboard.press('ArrowUp');
        await panel.locator('.code-block pre').last().press('Shift+F10');
        const labels = workbench.page.locator(vscodeDom.menu.label);
        await labels.filter({ hasText: 'Toggle Line Wrap' }).waitFor();
        const names = (await labels.allTextContents()).filter((label) => label !== '');
        assert.deepEqual(names, [
          'Copy',
          'Insert at Cursor',
          'Replace Selection',
          'New File',
          'Toggle Line Wrap',
        ]);
        await workbench.page.locator(vscodeDom.menu.item).filter({ hasText: 'Insert at Cursor' }).hover();
        await workbench.page.keyboard.press('Enter');
        await workbench.page
          .locator(vscodeDom.editor.line)
          .filter({ hasText: 'export const more = 1;' })
          .waitFor();
        await workbench.page.locator(getActiveTabSelector('app.ts')).waitFor();
        // VS Code focuses the panel a moment after the menu closes, and drops a key that is pressed as the focus leaves it.
        await workbench.page.locator(vscodeDom.editor.line).first().click();
        await workbench.editor.waitForFocus();
      });

      it('opens a table as a CSV file, by keyboard', async () => {
        await person.newConversation();
        await replyWith('| sum | name |\n|---|---|\n| =1+1 | two |\n');
        const panel = await workbench.panel();
        await panel.getByRole('button', { name: 'Open Table as CSV File' }).press('Enter');
        const lines = workbench.page.locator(vscodeDom.editor.anyLine);
        await lines.filter({ hasText: "'=1+1,two" }).waitFor();
        await workbench.editor.waitForFocus();
      });
    });

    describe('Export', () => {
      before(async () => {
        await person.newConversation();
        await person.say('Is *moss* a plant?');
        await person.reply('Echo');
      });

      const answerDialog = (title: string, suggested: string, name: string) =>
        workbench.quickInput.enterPath(title, suggested, path.join(workbench.workspaceDir, name));
      const readExport = (name: string) => readFile(path.join(workbench.workspaceDir, name), 'utf8');

      it('suggests the conversation’s name and writes Markdown', async () => {
        await workbench.runCommand('Parley: Export Conversation…');
        await answerDialog('Export Conversation', '/workspace/Is moss a plant.md', 'moss.md');
        await workbench.notifications.press('Exported to moss.md', 'Open');
        assert.match(
          await readExport('moss.md'),
          /^# Is \\\*moss\\\* a plant\?\n[\s\S]*```text\nIs \*moss\* a plant\?\n```/,
        );
        await workbench.page.locator(getActiveTabSelector('moss.md')).waitFor();
      });
    });
  },
);
