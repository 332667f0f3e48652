import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { waitUntilSaved } from './support/savedConversations';
import { reloadShowing } from './support/windowState';

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

    it('lists a pinned conversation first', async () => {
      assert.deepEqual(await person.readListedNames(), ['first of the other', 'first of the one']);
      await person.pressInList('first of the one', 'Pin');
      await (await person.list()).getByRole('rowgroup', { name: 'Pinned' }).waitFor();
      assert.deepEqual(await person.readListedNames(), ['first of the one', 'first of the other']);
    });

    it('keeps the pin, and a draft for each conversation and for a new one, across a switch and a reload', async () => {
      await person.type('a draft for the other');
      await person.open('first of the one');
      assert.equal(await (await person.composer()).inputValue(), '');
      await person.type('a draft for the one');
      await person.newConversation();
      await person.type('a draft for a new one');
      await person.open('first of the other');
      const getDraft = async () => (await person.composer()).inputValue();
      assert.equal(await getDraft(), 'a draft for the other');
      for (const name of ['the other', 'the one', 'a new one']) {
        await waitUntilSaved(workbench, `a draft for ${name}`);
      }
      await waitUntilSaved(workbench, '"pinned":true');
      await reloadShowing(workbench, 'first of the other');
      await person.seesTitle('first of the other');
      assert.equal(await getDraft(), 'a draft for the other');
      assert.deepEqual(await person.readListedNames(), ['first of the one', 'first of the other']);
      await (await person.composer()).fill('');
      await person.newConversation();
      assert.equal(await getDraft(), 'a draft for a new one');
      await (await person.composer()).fill('');
      await person.open('first of the one');
      assert.equal(await getDraft(), 'a draft for the one');
      await (await person.composer()).fill('');
      await person.pressInList('first of the one', 'Unpin');
      await (await person.list()).getByRole('rowgroup', { name: 'Pinned' }).waitFor({ state: 'detached' });
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

    it('deletes after confirmation, and Undo restores the conversation before the service is called', async () => {
      await person.open('first of the one');
      const before = await person.turns();
      await person.pressInList('first of the one', 'Delete');
      assert.match(await workbench.dialog.text(), /Delete “first of the one”\?/);
      await workbench.dialog.press('Cancel');
      assert.ok((await person.readListedNames()).includes('first of the one'));
      await person.pressInList('first of the one', 'Delete');
      await workbench.dialog.press('Delete');
      await person.seesNoTurns();
      await workbench.notifications.press('Deleted “first of the one”', 'Undo');
      await person.open('first of the one');
      assert.deepEqual(await person.turns(), before);
      assert.equal(deletions(), 0);
      assert.ok(names().includes('first of the one'));
    });
  },
);
