import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench(
  'Queued messages',
  {
    host: 'either',
    bot: 'Guide',
    service: { profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
    workspaceFiles: () => ({ 'animals.md': '# Animals\n\nThe zebra sleeps standing up.\n' }),
  },
  ({ workbench, service, person }) => {
    const sent = () =>
      service.requests.flatMap(({ path, body }) =>
        path.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );
    const queued = async () => {
      const rows = (await workbench.panel()).getByRole('list', { name: 'Queue' }).getByRole('listitem');
      return (await rows.locator('.queued-text').allTextContents()).join(', ');
    };
    const waitUntilQueued = (texts: string) =>
      waitUntil(`the queue is “${texts}”`, async () => (await queued()) === texts);
    const waitUntilSent = (...texts: string[]) =>
      waitUntil(`“${texts}” were sent`, async () => `${sent().slice(-texts.length)}` === `${texts}`);

    it('are sent one after another as replies end, and are paused when the user stops a reply', async () => {
      await person.newConversation();
      const replies = [service.script(), service.script()];
      for (const text of ['first', 'second', 'third']) await person.say(text);
      await waitUntilQueued('second, third');
      await replies[0]?.opened;
      replies[0]?.end();
      await waitUntilSent('first', 'second');
      await replies[1]?.opened;
      await waitUntilQueued('third');
      await person.press('Stop');
      await replies[1]?.closed;
      const panel = await workbench.panel();
      await panel.locator('.queue').getByText('Paused because you stopped the reply.').waitFor();
      const before = sent().length;
      await person.press('Resume');
      await waitUntilSent('first', 'second', 'third');
      assert.equal(sent().length, before + 1);
      await panel.getByRole('list', { name: 'Queue' }).waitFor({ state: 'detached' });
      await person.reply('Guide', 3);
    });

    it('wait for a document that is being converted, and are sent exactly once when it is ready', async () => {
      await person.newConversation();
      await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
      await person.sees('Converting…');
      const before = sent().length;
      await person.type('How does the zebra sleep?');
      await person.press('Send When Ready');
      await waitUntilQueued('How does the zebra sleep?');
      assert.equal(sent().length, before);
      service.conversions.finish('animals.md');
      assert.match(await person.reply('Guide'), /zebra sleeps standing up/);
      assert.deepEqual(sent().slice(before), ['How does the zebra sleep?']);
    });
  },
);
