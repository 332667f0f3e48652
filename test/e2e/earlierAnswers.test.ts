import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench(
  'A question that was asked before',
  { host: 'either', bot: 'Echo', isolated: true },
  ({ workbench, service, person }) => {
    const question = 'How do I reset my password for the VPN?';
    const draft = 'How can I reset the VPN password?';
    const getSent = () =>
      service.requests.flatMap(({ path, body }) =>
        path.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );

    it('shows its answer above the composer by keyboard, is closed with Escape, and can be asked anyway', async () => {
      const { keyboard } = workbench.page;
      await person.say(question);
      await person.reply('Echo');
      await person.newConversation();
      await person.type(draft);
      const panel = await workbench.panel();
      const line = panel.getByRole('button', { name: /^You asked before: How do I reset my password/ });
      await line.waitFor();
      await keyboard.press('Escape');
      await line.waitFor({ state: 'detached' });
      assert.equal(await (await person.composer()).inputValue(), draft);
      await (await person.composer()).fill('');
      await person.type(draft);
      await line.waitFor();
      await keyboard.press('Shift+Tab');
      await keyboard.press('Shift+Tab');
      await keyboard.press('Enter');
      const answer = panel.getByRole('region', { name: 'Answer', exact: true });
      await answer.getByText('reset my password for the VPN').first().waitFor();
      assert.deepEqual(getSent(), [question]);
      await person.press('Ask Anyway');
      await person.reply('Echo');
      assert.deepEqual(getSent(), [question, draft]);
      assert.equal(await line.count(), 0);
    });

    it('isn’t offered any more once its conversations are deleted', async () => {
      await person.newConversation();
      await person.type(draft);
      const panel = await workbench.panel();
      const line = panel.getByRole('button', { name: /^You asked before: / });
      await line.waitFor();
      for (const name of [draft, question]) {
        await person.pressInList(name, 'Delete');
        await workbench.dialog.press('Delete');
        await workbench.notifications.close(`Deleted “${name}”`);
      }
      await line.waitFor({ state: 'detached' });
    });
  },
);
