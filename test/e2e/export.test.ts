import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector } from './support/vscodeDom';

describeInWorkbench(
  'Export in a real workbench',
  { host: 'either', bot: 'Echo', settings: { 'files.simpleDialog.enable': true } },
  ({ workbench, service, person }) => {
    before(async () => {
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

    it('imports an exported JSON file as a copy and opens it', async () => {
      await workbench.runCommand('Parley: Export Conversation…');
      await answerDialog('Export Conversation', '/workspace/Is moss a plant.md', 'moss.json');
      await workbench.notifications.waitFor('Exported to moss.json');
      assert.equal(JSON.parse(await readExport('moss.json')).parley, 1);
      const requestCount = service.requests.length;
      await workbench.runCommand('Parley: Import Conversation…');
      await answerDialog('Import Conversation', '/workspace/', 'moss.json');
      await workbench.notifications.waitFor('already exists, so it was imported as a copy.');
      await person.sees('Is moss a plant?');
      assert.equal(service.requests.length, requestCount);
    });

    it('opens the conversation as a document that follows the next reply', async () => {
      await workbench.runCommand('Notifications: Clear All Notifications');
      await workbench.runCommand('Parley: Open Conversation as Document');
      await workbench.page.locator(getActiveTabSelector('Is moss a plant.parley.md')).waitFor();
      const script = service.script();
      await person.say('And fern?');
      script.chunk('Fern is ');
      // The editor renders spaces as no-break spaces.
      const getText = async () => (await workbench.editor.visibleText()).replace(/[^\S\n]/g, ' ');
      const waitForText = async (text: string) => {
        while (!(await getText()).includes(text)) await workbench.page.waitForTimeout(50);
      };
      await waitForText('Fern is');
      script.chunk('too.');
      script.end();
      await waitForText('Fern is too.');
    });
  },
);
