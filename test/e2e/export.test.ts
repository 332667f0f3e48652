import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInWorkbench } from './support/describeInWorkbench';
import { activeTab } from './support/vscodeDom';

describeInWorkbench(
  'Export in the real workbench',
  { host: 'either', bot: 'Echo', settings: { 'files.simpleDialog.enable': true } },
  ({ workbench, service, person }) => {
    before(async () => {
      await person.say('Is *moss* a plant?');
      await person.reply('Echo');
    });

    /** Waits until the dialog suggests a path that ends so, which it does a little after it opens; then names a file instead. */
    const answerDialog = async (title: string, suggested: string, name: string) => {
      do await workbench.quickInput.waitFor(title);
      while (!(await workbench.quickInput.state()).value.endsWith(suggested));
      await workbench.quickInput.type(path.join(workbench.workspaceDir, name));
    };
    const written = (name: string) => readFile(path.join(workbench.workspaceDir, name), 'utf8');

    it('suggests the conversation’s name and writes Markdown', async () => {
      await workbench.runCommand('Parley: Export Conversation…');
      await answerDialog('Export Conversation', '/workspace/Is moss a plant.md', 'moss.md');
      await workbench.notifications.press('Exported to moss.md', 'Open');
      assert.match(
        await written('moss.md'),
        /^# Is \\\*moss\\\* a plant\?\n[\s\S]*```text\nIs \*moss\* a plant\?\n```/,
      );
      await workbench.page.locator(activeTab('moss.md')).waitFor();
    });

    it('brings a JSON file back as a copy, which opens', async () => {
      await workbench.runCommand('Parley: Export Conversation…');
      await answerDialog('Export Conversation', '/workspace/Is moss a plant.md', 'moss.json');
      await workbench.notifications.waitFor('Exported to moss.json');
      assert.equal(JSON.parse(await written('moss.json')).parley, 1);
      const asked = service.requests.length;
      await workbench.runCommand('Parley: Import Conversation…');
      await answerDialog('Import Conversation', '/workspace/', 'moss.json');
      await workbench.notifications.waitFor('already exists, so it was imported as a copy.');
      await person.sees('Is moss a plant?');
      assert.equal(service.requests.length, asked);
    });

    it('opens as a document that follows the next reply', async () => {
      await workbench.runCommand('Notifications: Clear All Notifications');
      await workbench.runCommand('Parley: Open Conversation as Document');
      await workbench.page.locator(activeTab('Is moss a plant.parley.md')).waitFor();
      const script = service.script();
      await person.say('And fern?');
      script.chunk('Fern is ');
      // The editor shows spaces as no-break ones.
      const shown = async () => (await workbench.editor.visibleText()).replace(/[^\S\n]/g, ' ');
      const sees = async (text: string) => {
        while (!(await shown()).includes(text)) await workbench.page.waitForTimeout(50);
      };
      await sees('Fern is');
      script.chunk('too.');
      script.end();
      await sees('Fern is too.');
    });
  },
);
