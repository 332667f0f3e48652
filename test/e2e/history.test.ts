import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { Person } from './support/person';
import { waitUntilSaved } from './support/savedConversations';
import { reloadShowing } from './support/windowState';
import type { VSCodeWindow } from './support/workbench';

describeInWorkbench(
  'Earlier conversations',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    const deletions = () => service.requests.filter(({ method }) => method === 'DELETE').length;
    const names = () => [...service.conversations.values()].map(({ name }) => name);

    before(async () => {
      await person.say('first of the one');
      await person.reply('Echo');
      await person.newConversation();
      for (const [index, message] of ['first', 'second', 'third'].entries()) {
        await person.say(`${message} of the other`);
        await person.reply('Echo', index + 1);
      }
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
      await reloadShowing(workbench, 'first of the other');
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
      assert.deepEqual(await person.readListedNames(), ['first of the other', 'first of the one']);
      await person.pressInList('first of the one', 'Pin');
      await (await person.list()).getByRole('rowgroup', { name: 'Pinned' }).waitFor();
      assert.deepEqual(await person.readListedNames(), ['first of the one', 'first of the other']);
      await waitUntilSaved(workbench, '"pinned":true');
      await reloadShowing(workbench, 'first of the other');
      await person.seesTitle('first of the other');
      assert.deepEqual(await person.readListedNames(), ['first of the one', 'first of the other']);
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
      assert.deepEqual((await second.readListedNames()).sort(), ['The one', 'first of the other']);
      assert.ok(names().includes('The one'));
    }

    it('deletes after confirmation, and Undo restores the conversation before the service is called', async () => {
      await person.open('The one');
      const before = await person.turns();
      await person.pressInList('The one', 'Delete');
      assert.match(await workbench.dialog.text(), /Delete “The one”\?/);
      await workbench.dialog.press('Cancel');
      assert.ok((await person.readListedNames()).includes('The one'));
      await person.pressInList('The one', 'Delete');
      await workbench.dialog.press('Delete');
      await person.seesNoTurns();
      await workbench.notifications.press('Deleted “The one”', 'Undo');
      await person.open('The one');
      assert.deepEqual(await person.turns(), before);
      assert.equal(deletions(), 0);
      assert.ok(names().includes('The one'));
    });
  },
);
