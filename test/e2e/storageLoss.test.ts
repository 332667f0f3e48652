import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getStorageFolder, waitForConversationId } from './support/savedConversations';
import { waitUntilStateStored } from './support/windowState';

describeInWorkbench(
  'A storage folder that is lost, as with a rebuilt container',
  { host: 'both', bot: 'Echo' },
  ({ workbench, service, person }) => {
    const loseFolder = () => rm(getStorageFolder(workbench), { recursive: true, force: true, maxRetries: 5 });
    const stored = (text: string) => waitUntilStateStored(workbench.page, 'parley.parley', text);
    const sent = () =>
      service.requests.flatMap(({ path, body }) =>
        path.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );
    const closeList = async () => {
      const list = await person.list();
      await list.getByRole('combobox', { name: 'Search conversations' }).press('Escape');
      await list.waitFor({ state: 'detached' });
    };
    /** Waits until the list has these conversations; archived ones are found by searching. */
    const waitForList = async (pinned: string, archived: string) => {
      const list = await person.list();
      const read = async (group: string) =>
        (await list.getByRole('rowgroup', { name: group }).locator('.list-name').allTextContents()).join();
      await waitUntil('the pinned conversation is listed', async () => (await read('Pinned')) === pinned);
      await list.getByRole('combobox', { name: 'Search conversations' }).fill(archived);
      await waitUntil('the archived one is found', async () => (await read('Archived')) === archived);
      await person.open(archived);
    };
    const seesPrompt = async (name: string) => {
      await person.newConversation();
      // A `/` in the text box would be a draft, which returns as well.
      await (await workbench.panel()).getByRole('button', { name, exact: true }).waitFor();
    };

    it('under a stopped VS Code: pins, archive states, prompts, draft and queue return, and conversations come from the service', async () => {
      for (const text of ['the pinned one', 'the archived one']) {
        await person.say(text);
        await person.reply('Echo');
        const id = await waitForConversationId(workbench, text);
        await person.pressInList(text, text === 'the pinned one' ? 'Pin' : 'Archive');
        await stored(id);
        await closeList();
        await person.newConversation();
      }
      await person.type('a prompt of my own');
      await workbench.runCommand('Parley: Save as Prompt…');
      await workbench.quickInput.type('Mine');
      await workbench.notifications.close('Saved the prompt “Mine”');
      await (await person.composer()).fill('');
      await stored('a prompt of my own');
      const script = service.script();
      await person.say('the one with a queue');
      script.chunk('so far');
      await person.sees('so far');
      await person.say('waits in the queue');
      await (await workbench.panel()).locator('.queued-text').getByText('waits in the queue').waitFor();
      await person.type('an unsent draft');
      const id = await waitForConversationId(workbench, 'the one with a queue');
      for (const text of ['waits in the queue', 'an unsent draft', `"parley.shownConversation":"${id}"`])
        await stored(text);
      const before = sent();

      await workbench.restart(loseFolder);
      await script.closed;
      await person.seesTitle('the one with a queue');
      const panel = await workbench.panel();
      await panel.locator('.queued-text').getByText('waits in the queue').waitFor();
      await panel.getByText('Paused because the window was closed or reloaded.').waitFor();
      assert.equal(await (await person.composer()).inputValue(), 'an unsent draft');
      await (await person.lastTurn('You')).getByText('the one with a queue').waitFor();
      await waitForList('the pinned one', 'the archived one');
      await (await person.lastTurn('Echo')).getByText('the archived one').waitFor();
      await person.open('the pinned one');
      await (await person.lastTurn('Echo')).getByText('the pinned one').waitFor();
      assert.deepEqual(await person.turns(), ['the pinned one', 'the pinned one']);
      await seesPrompt('Mine');
      assert.deepEqual(sent(), before);
    });

    it('under a running VS Code: they return when the window is reloaded', async () => {
      await loseFolder();
      await workbench.reload();
      await person.composer();
      await waitForList('the pinned one', 'the archived one');
      await seesPrompt('Mine');
      await person.open('the one with a queue');
      const panel = await workbench.panel();
      await panel.locator('.queued-text').getByText('waits in the queue').waitFor();
      await panel.getByText('Paused because the window was closed or reloaded.').waitFor();
      assert.equal(await (await person.composer()).inputValue(), 'an unsent draft');
      await person.open('the pinned one');
      await (await person.lastTurn('Echo')).getByText('the pinned one').waitFor();
      // What is deleted stays deleted.
      await person.pressInList('the pinned one', 'Delete');
      await workbench.dialog.press('Delete');
      await workbench.notifications.close('Deleted “the pinned one”');
      await service.waitForRequest(() => service.requests.some(({ method }) => method === 'DELETE'));
      await stored('"deleted ');
      await workbench.restart(loseFolder);
      await person.composer();
      await waitForList('', 'the archived one');
      assert.deepEqual(sent(), []);
    });
  },
);
