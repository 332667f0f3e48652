import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench(
  'Faults in a real workbench',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person }) => {
    const posts = () => service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;

    it('a message that may have been sent is sent again only on confirmation [fault 7]', async () => {
      await person.newConversation();
      // Stays until it is cleared: Chromium itself repeats a request when a kept-alive connection closes
      // before any response.
      service.inject({
        name: 'fin-before-headers',
        on: 'POST /messages/stream',
        times: Number.POSITIVE_INFINITY,
      });
      await person.say('Did you hear?');
      assert.match(await person.alert(), /The message may have been sent\./);
      service.clearFaults();
      const before = posts();
      await person.press('Retry');
      assert.match(await workbench.dialog.text(), /Send the message again\?/);
      await workbench.dialog.press('Cancel');
      assert.equal(posts(), before);
      await person.press('Retry');
      await workbench.dialog.press('Send Again');
      const panel = await workbench.panel();
      await panel.getByRole('alert').waitFor({ state: 'detached' });
      assert.match(await person.reply('Echo'), /Did you hear\?/);
      assert.equal(posts(), before + 1);
    });

    it('a stopped reply keeps its partial text, marked, and its socket closes [fault 39]', async () => {
      await person.newConversation();
      const script = service.script();
      await person.say('Tell me.');
      script.chunk('Begun');
      await person.sees('Begun');
      await person.press('Stop');
      await script.closed;
      assert.match(await person.reply('Echo'), /Begun\s+Stopped/);
    });

    it('a cleared key is asked for again, and the conversation stays [fault 46]', async () => {
      const before = await person.turns();
      await workbench.runCommand('Parley: Clear API Key');
      const panel = await workbench.panel();
      await panel.getByText('Set the API key to continue.').waitFor();
      assert.deepEqual(await person.turns(), before);
      await person.press('Set API Key');
      await workbench.quickInput.waitFor('API key');
      await workbench.quickInput.type(service.key);
      await panel.getByText('Set the API key to continue.').waitFor({ state: 'detached' });
      await person.say('And now?');
      assert.match(await person.reply('Echo', 2), /And now\?/);
    });
  },
);
