import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseRecording } from '../service/replay/recording';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector, vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'Record Service Answers',
  { host: 'either', bot: 'Echo', settings: { 'files.simpleDialog.enable': true } },
  ({ workbench, service, person }) => {
    it('records a reply that streams as usual, and shows the recording, which can be saved', async () => {
      const { quickInput, notifications, page } = workbench;
      await workbench.runCommand('Parley: Record Service Answers…');
      await quickInput.waitFor('Record Service Answers');
      await quickInput.pickMany([]);
      const item = page.locator('[id="parley.parley.parley.recording"]');
      await item.waitFor();
      await person.say('What is moss?');
      assert.match(await person.reply('Echo'), /moss/);
      await item.getByRole('button', { name: /so far/ }).click();
      await item.waitFor({ state: 'detached' });
      await page.locator(vscodeDom.editor.anyLine).filter({ hasText: '"parleyRecording": 1' }).waitFor();
      await notifications.waitFor('Nothing has been saved or sent yet.');
      await workbench.editor.waitForFocus();
      await page.keyboard.press('ControlOrMeta+S');
      await quickInput.enterPath('Save As', '.json', path.join(workbench.workspaceDir, 'saved.json'));
      await page.locator(getActiveTabSelector('saved.json')).waitFor();

      const text = await readFile(path.join(workbench.workspaceDir, 'saved.json'), 'utf8');
      const stream = parseRecording(text).exchanges.find(({ origin }) => origin === 'stream');
      assert.match(
        stream?.response?.events?.map((event) => event.text).join('') ?? '',
        /"chunk":"x+".*\[END\]/s,
      );
      for (const secret of [service.key, '127.0.0.1', 'moss']) assert.ok(!text.includes(secret), secret);
    });
  },
);
