import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { Person } from './support/person';
import {
  readSavedConversations,
  waitForConversationId,
  waitUntilEndingsSaved,
  waitUntilSaved,
} from './support/savedConversations';
import { waitUntilStateStored } from './support/windowState';
import { STEP_TIMEOUT_MS, type VSCodeWindow } from './support/workbench';

describeInWorkbench(
  'Stored conversations',
  { host: 'both', bot: 'Echo' },
  ({ workbench, service, person }) => {
    const deletions = () => service.requests.filter(({ method }) => method === 'DELETE').length;
    const names = () => [...service.conversations.values()].map(({ name }) => name);

    /** Reloads the window once VS Code has stored that it shows the conversation with this message. */
    async function reloadShowing(message: string): Promise<void> {
      await waitUntilStateStored(
        workbench.page,
        'parley.parley',
        await waitForConversationId(workbench, message),
      );
      await workbench.reload();
    }

    async function readListed(owner = person): Promise<string[]> {
      const list = await owner.list();
      const found = await list.locator('.list-name').allTextContents();
      await list.getByRole('combobox', { name: 'Search conversations' }).press('Escape');
      await list.waitFor({ state: 'detached' });
      return found;
    }

    it('shows the conversation with all its turns and lists the others when the window reloads', async () => {
      await person.say('first of the one');
      await person.reply('Echo');
      await person.newConversation();
      await person.say('first of the other');
      await person.reply('Echo');
      await person.say('second of the other');
      await person.reply('Echo', 2);
      const before = await person.turns();
      assert.equal(before.length, 4);
      await waitUntilEndingsSaved(workbench, 'first of the one');
      await waitUntilEndingsSaved(workbench, 'first of the other');
      await reloadShowing('first of the other');
      await person.seesTitle('first of the other');
      assert.deepEqual(await person.turns(), before);
      assert.deepEqual(await readListed(), ['first of the other', 'first of the one']);
    });

    it('keeps the partial reply when the window reloads while it streams', async () => {
      const script = service.script();
      await person.say('third of the other');
      script.chunk('so far and ');
      await person.sees('so far and');
      await waitUntilSaved(workbench, 'so far and ');
      await reloadShowing('first of the other');
      await script.closed;
      assert.match(await person.reply('Echo', 3), /so far and[\s\S]*interrupted/);
    });

    it('keeps a draft for each conversation across a switch and a reload', async () => {
      await person.type('a draft for the other');
      await person.open('first of the one');
      assert.equal(await (await person.composer()).inputValue(), '');
      await person.type('a draft for the one');
      await person.open('first of the other');
      assert.equal(await (await person.composer()).inputValue(), 'a draft for the other');
      await waitUntilSaved(workbench, 'a draft for the other');
      await waitUntilSaved(workbench, 'a draft for the one');
      await reloadShowing('first of the other');
      await person.seesTitle('first of the other');
      assert.equal(await (await person.composer()).inputValue(), 'a draft for the other');
      await (await person.composer()).fill('');
      await person.open('first of the one');
      assert.equal(await (await person.composer()).inputValue(), 'a draft for the one');
      await (await person.composer()).fill('');
    });

    it('recalls earlier messages with Arrow-up, including those from before the reload', async () => {
      await person.open('first of the other');
      const composer = await person.composer();
      for (const past of ['third of the other', 'second of the other', 'first of the other']) {
        await composer.press('ArrowUp');
        assert.equal(await composer.inputValue(), past);
      }
      await composer.press('Escape');
      assert.equal(await composer.inputValue(), '');
    });

    it('finds a word in a message and reveals the turn', async () => {
      await person.open('first of the one');
      const list = await person.list();
      await list.getByRole('combobox', { name: 'Search conversations' }).fill('second');
      const hit = list.locator('.hit').filter({ hasText: 'second of the other' }).first();
      await hit.click();
      await person.seesTitle('first of the other');
      const panel = await workbench.panel();
      const turn = panel.getByRole('article').filter({ hasText: 'second of the other' }).first();
      await turn.waitFor();
      await panel.waitForFunction(() => document.body.innerText.includes('second of the other'));
    });

    it('lists a pinned conversation first, also after a reload', async () => {
      assert.deepEqual(await readListed(), ['first of the other', 'first of the one']);
      await person.pressInList('first of the one', 'Pin');
      await (await person.list()).getByRole('rowgroup', { name: 'Pinned' }).waitFor();
      assert.deepEqual(await readListed(), ['first of the one', 'first of the other']);
      await waitUntilSaved(workbench, '"pinned":true');
      await reloadShowing('first of the other');
      await person.seesTitle('first of the other');
      assert.deepEqual(await readListed(), ['first of the one', 'first of the other']);
      await person.pressInList('first of the one', 'Unpin');
      await (await person.list()).getByRole('rowgroup', { name: 'Pinned' }).waitFor({ state: 'detached' });
    });

    it('shows a new name in another window', async () => {
      const other = await workbench.openWindow('beside');
      try {
        await assertRenameSeenIn(other);
      } finally {
        await other.page.close();
      }
    });

    async function assertRenameSeenIn(other: VSCodeWindow): Promise<void> {
      const second = new Person(other);
      await other.runCommand('Parley: New Conversation');
      await second.open('first of the one');
      await person.open('first of the one');
      await workbench.runCommand('Parley: Rename Conversation…');
      await workbench.quickInput.type('The one');
      await person.seesTitle('The one');
      await second.seesTitle('The one');
      assert.deepEqual((await readListed(second)).sort(), ['The one', 'first of the other']);
      assert.ok(names().includes('The one'));
    }

    it('deletes after confirmation, and Undo restores the conversation before the service is called', async () => {
      await person.open('The one');
      const before = await person.turns();
      await person.pressInList('The one', 'Delete');
      assert.match(await workbench.dialog.text(), /Delete “The one”\?/);
      await workbench.dialog.press('Cancel');
      assert.ok((await readListed()).includes('The one'));
      await person.pressInList('The one', 'Delete');
      await workbench.dialog.press('Delete');
      await person.seesNoTurns();
      await workbench.notifications.press('Deleted “The one”', 'Undo');
      await person.open('The one');
      assert.deepEqual(await person.turns(), before);
      assert.equal(deletions(), 0);
      assert.ok(names().includes('The one'));
    });

    it('deletes on the service and on disk when Undo is not used', async () => {
      await person.pressInList('The one', 'Delete');
      await workbench.dialog.press('Delete');
      // Ends the time for Undo.
      await workbench.notifications.close('Deleted “The one”');
      await service.waitForRequest(() => !names().includes('The one'), STEP_TIMEOUT_MS);
      assert.equal(deletions(), 1);
      await waitUntil(
        'its file is deleted',
        async () => (await readSavedConversations(workbench)).length === 1,
      );
      await workbench.reload();
      await workbench.runCommand('Parley: New Conversation');
      assert.deepEqual(await readListed(), ['first of the other']);
    });
  },
);
