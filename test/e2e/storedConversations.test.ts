import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { readSavedConversations, waitUntilEndingsSaved, waitUntilSaved } from './support/savedConversations';
import { reloadShowing } from './support/windowState';

describeInWorkbench(
  'Stored conversations',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    const names = () => [...service.conversations.values()].map(({ name }) => name);

    it('shows the conversation with all its turns, marks the reply that streamed and lists the others when the window reloads [fault 40]', async () => {
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
      const script = service.script();
      await person.say('third of the other');
      script.chunk('so far and ');
      await person.sees('so far and');
      await waitUntilSaved(workbench, 'so far and ');
      await reloadShowing(workbench, 'first of the other');
      await script.closed;
      assert.match(
        await person.reply('Echo', 3),
        /so far and\s*The reply was interrupted\. The part that arrived is kept\./,
      );
      await person.seesTitle('first of the other');
      assert.deepEqual(await person.turns(), [...before, 'third of the other', 'so far and']);
      assert.deepEqual(await person.readListedNames(2), ['first of the other', 'first of the one']);
    });

    it('deletes on the service and on disk when Undo is not used', async () => {
      await person.pressInList('first of the one', 'Delete');
      await workbench.dialog.press('Delete');
      // Ends the time for Undo.
      await workbench.notifications.close('Deleted “first of the one”');
      await service.waitForRequest(() => !names().includes('first of the one'));
      assert.equal(service.requests.filter(({ method }) => method === 'DELETE').length, 1);
      await waitUntil(
        'its file is deleted',
        async () => (await readSavedConversations(workbench)).length === 1,
      );
      assert.deepEqual(await person.readListedNames(1), ['first of the other']);
    });
  },
);
