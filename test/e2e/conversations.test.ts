import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import type { Conversation } from '../../src/chat/model/conversation';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { listPanelFrames } from './support/panelFrame';
import { Person } from './support/person';
import { readSavedConversations, waitUntilSaved } from './support/savedConversations';
import { vscodeDom } from './support/vscodeDom';
import { waitUntilStateStored } from './support/windowState';

describeInWorkbench(
  'Several conversations in a real workbench',
  {
    host: 'either',
    bot: 'Echo',
    service: { profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
    settings: { 'files.simpleDialog.enable': true },
  },
  ({ workbench, service, person }) => {
    const getSent = () =>
      service.requests.flatMap(({ path: requested, body }) =>
        requested.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );

    it('fork at a reply: the question waits until the transcript is ready, and both are linked', async () => {
      const { keyboard } = workbench.page;
      await person.say('What is moss?');
      await person.reply('Echo');
      await person.say('What is fern?');
      await person.reply('Echo', 2);
      const panel = await workbench.panel();
      const first = panel.getByRole('article', { name: 'Echo', exact: true }).first();
      await first.getByRole('button', { name: 'Fork from Here' }).press('Enter');
      const original = panel.getByRole('link', { name: 'Forked from What is moss?' });
      await original.waitFor();
      await person.sees('Converting…');
      await panel.locator('#message:focus').waitFor();
      await keyboard.type('Which plants?');
      await keyboard.press('Enter');
      await panel.getByRole('list', { name: 'Queue' }).getByText('Which plants?').waitFor();
      assert.deepEqual(getSent(), ['What is moss?', 'What is fern?']);
      const [document] = service.conversions.pending;
      const transcript = service.objects.get(document?.key ?? '')?.toString() ?? '';
      assert.match(transcript, /What is moss\?/);
      assert.doesNotMatch(transcript, /What is fern\?/);
      service.conversions.finish(document?.name ?? '');
      await person.reply('Echo');
      assert.deepEqual(getSent().slice(2), ['Which plants?']);
      await original.press('Enter');
      await person.seesTitle('What is moss?');
      const fork = panel.getByRole('link', { name: 'Forked to Which plants?' });
      await fork.waitFor();
      await fork.press('Enter');
      await person.seesTitle('Which plants?');
    });

    it('ask two bots side by side, once each, also after a reload, and continue with one of them', async () => {
      const question = 'Is moss a plant?';
      const { keyboard } = workbench.page;
      await person.newConversation();
      await person.type(question);
      await waitUntilSaved(workbench, question);
      await workbench.runCommand('Parley: Ask Two Bots…');
      await workbench.quickInput.waitFor('Ask Two Bots');
      await workbench.quickInput.pick('Echo');
      await workbench.page.getByPlaceholder('Select the second bot').waitFor();
      await workbench.quickInput.pick('Guide');
      assert.match(await workbench.dialog.text(), /Ask Echo and Guide\?[\s\S]*Both count toward your limit/);
      await workbench.dialog.enter();
      /** Waits until there is a tab for each of these bots, in which its reply is complete. */
      const findTabs = (...bots: readonly string[]): Promise<Frame[]> =>
        waitUntil(`the tabs show the replies of ${bots.join(' and ')}`, async () => {
          const tabs = await listPanelFrames(workbench.page, 'editor');
          // A tab that is about to be closed could go away while it is searched.
          if (tabs.length !== bots.length) return false;
          const found: Frame[] = [];
          for (const bot of bots) {
            for (const tab of tabs) {
              const replies = tab.getByRole('article', { name: bot, exact: true });
              const complete = replies.and(tab.locator(':not([aria-busy=true])'));
              // A tab’s frame may be replaced in the meantime.
              if ((await complete.count().catch(() => 0)) > 0) found.push(tab);
            }
          }
          return found.length === bots.length && found;
        });
      await findTabs('Echo', 'Guide');
      assert.deepEqual(getSent(), [question, question]);
      const conversations = [...service.conversations.values()].filter(({ name }) => name === question);
      assert.equal(conversations.length, 2);
      const composer = await person.composer();
      await waitUntil('the question left the composer', async () => (await composer.inputValue()) === '');

      const asked = await waitUntil('both conversations are on the disk', async () => {
        const saved = await readSavedConversations(workbench);
        const isSaved = ({ turns }: Conversation) =>
          turns.some((turn) => turn.kind === 'reply' && turn.ending === 'complete');
        const ids = saved.filter((found) => found.name === question && isSaved(found)).map(({ id }) => id);
        return ids.length === 2 && ids;
      });
      for (const id of asked) {
        await waitUntilStateStored(workbench.page, 'memento/workbench.parts.editor', id);
        await waitUntilStateStored(workbench.page, 'parley.parley', id);
      }
      await workbench.reload();
      const [echo] = await findTabs('Echo', 'Guide');
      const button = echo?.getByRole('button', { name: 'Continue with This Bot' });
      await button?.press('Enter');
      const [left] = await findTabs('Echo');
      await left?.locator('#message:focus').waitFor();
      await left?.getByText('You also asked Guide').waitFor({ state: 'detached' });
      const inTab = new Person(workbench, 'editor');
      await inTab.waitForFocus();
      await keyboard.type('And algae?');
      await keyboard.press('Enter');
      await inTab.reply('Echo', 2);
      assert.deepEqual(getSent(), [question, question, 'And algae?']);
    });

    it('archive one, select two to export as HTML and to delete, and undo that', async () => {
      const { keyboard } = workbench.page;
      await workbench.runCommand('View: Close All Editors');
      // Until the tab is gone, a key is for its page.
      await workbench.page.locator(vscodeDom.editor.tabName).first().waitFor({ state: 'detached' });
      await person.newConversation();
      const list = await person.list();
      const rows = list.getByRole('row');
      const waitForNames = (...names: string[]) => {
        let found: string[] = [];
        return waitUntil(
          () => `the list is ${names.join(', ')}, not ${found.join(', ')}`,
          async () => {
            found = await list.locator('.list-name').allTextContents();
            return found.sort().join() === names.join();
          },
        );
      };
      const all = ['Is moss a plant?', 'Is moss a plant?', 'What is moss?', 'Which plants?'];
      await waitForNames(...all);
      await keyboard.type('which');
      await rows.filter({ hasText: 'Which plants?' }).and(list.locator('.active')).waitFor();
      await list.getByRole('button', { name: 'Archive' }).press('Enter');
      await list.getByRole('rowgroup', { name: 'Archived' }).waitFor();
      await list.locator('input:focus').waitFor();
      await keyboard.press('ControlOrMeta+A');
      await keyboard.press('Delete');
      await waitForNames(...all.slice(0, 3));

      await keyboard.press('Shift+ArrowDown');
      await list.getByRole('status').getByText('2 selected').waitFor();
      const folder = workbench.workspaceDir;
      await list.getByRole('button', { name: 'Export…' }).press('Enter');
      await workbench.quickInput.waitFor('Export 2 Conversations');
      await workbench.quickInput.pick('HTML');
      await workbench.quickInput.enterPath('Export 2 Conversations', '/workspace/', `${folder}/`);
      await workbench.notifications.waitFor('Exported 2 conversations to workspace.');
      const files = (await readdir(folder)).filter((name) => name.endsWith('.html'));
      assert.deepEqual(files.sort(), ['Is moss a plant (2).html', 'Is moss a plant.html']);
      const html = await readFile(path.join(folder, 'Is moss a plant.html'), 'utf8');
      assert.match(html, /^<!DOCTYPE html>[\s\S]*<h1[^>]*>Is moss a plant\?<[\s\S]*<\/html>\s*$/);

      const deleteButton = list.getByRole('button', { name: 'Delete' });
      await deleteButton.focus();
      // VS Code may still be moving the focus, after the dialog.
      await (await workbench.panel()).waitForFunction(() => document.hasFocus());
      await deleteButton.press('Enter');
      assert.match(await workbench.dialog.text(), /Delete 2 conversations\?/);
      await workbench.dialog.enter();
      await workbench.notifications.keep('Deleted 2 conversations.');
      await waitForNames('What is moss?');
      await workbench.notifications.press('Deleted 2 conversations.', 'Undo');
      await waitForNames(...all.slice(0, 3));
      assert.ok(!service.requests.some(({ method }) => method === 'DELETE'));
    });
  },
);
