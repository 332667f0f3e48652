import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { waitUntilSaved } from './support/savedConversations';

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

describeInWorkbench(
  'Queued messages after the extension host is killed',
  { bot: 'Echo', isolated: true },
  ({ workbench, service, person }) => {
    it('are restored on reload with the text in the editor, and are sent once each on Resume, not before', async () => {
      const reply = service.script();
      for (const text of ['first', 'second', 'third']) await person.say(text);
      await reply.opened;
      const rows = async () =>
        (await workbench.panel())
          .getByRole('list', { name: 'Queue' })
          .locator('.queued-text')
          .allTextContents();
      await waitUntil('two messages are queued', async () => (await rows()).length === 2);
      const editor = async () => (await workbench.panel()).getByRole('textbox', { name: 'Queued Message' });
      const queue = (await workbench.panel()).getByRole('list', { name: 'Queue' });
      await queue.getByRole('listitem').last().getByRole('button', { name: 'Edit' }).click();
      await (await editor()).fill('third, changed');
      await waitUntilSaved(workbench, 'third, changed');
      await workbench.killExtensionHost();
      await reply.closed;
      await workbench.reload();
      const panel = await workbench.panel();
      await panel.getByText('Paused because the window was closed or reloaded.').waitFor();
      assert.deepEqual(await rows(), ['second']);
      assert.equal(await (await editor()).inputValue(), 'third, changed');
      await panel.getByText('The message may have been sent.').waitFor();
      await panel.getByText('Another window is writing').waitFor({ state: 'detached' });
      const sent = () =>
        service.requests.flatMap(({ path, body }) =>
          path.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
        );
      assert.deepEqual(sent(), ['first']);
      await person.press('Save');
      await panel.locator('.queued-text').getByText('third, changed').waitFor();
      assert.deepEqual(await rows(), ['second', 'third, changed']);
      await person.press('Resume');
      await person.reply('Echo', 3);
      assert.deepEqual(sent(), ['first', 'second', 'third, changed']);
    });
  },
);
