import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'Chat in a real workbench',
  {
    host: 'either',
    workspaceFiles: { 'notes.txt': 'Nothing to see.\n', 'src/app.ts': 'export const answer = 42;\n' },
  },
  ({ workbench, service, person, host }) => {
    const posts = () =>
      service.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages/stream'))
        .length;

    /** Presses Retry, which sends nothing until the confirmation is accepted. */
    async function retryAfterConfirmation(): Promise<void> {
      const before = posts();
      const progress = workbench.page
        .locator(vscodeDom.statusBar.item)
        .filter({ hasText: 'Looking for the reply' });
      await person.press('Retry');
      assert.match(await workbench.dialog.text(), /Send the message again\?/);
      await progress.waitFor();
      await workbench.dialog.press('Cancel');
      // The dialog's answer arrives some time after it has closed, and Retry does nothing before.
      await progress.waitFor({ state: 'detached' });
      assert.equal(posts(), before);
      await person.press('Retry');
      await workbench.dialog.press('Send Again');
    }

    it('asks for a key and a bot on first use, rejects a wrong key, and then chats', async () => {
      await workbench.runCommand('Parley: New Conversation');
      await person.waitForFocus();
      await person.press('Set API Key');
      await workbench.quickInput.waitFor('API key');
      assert.equal((await workbench.quickInput.getState()).password, true);
      await workbench.quickInput.type('not-the-key');
      await workbench.notifications.waitFor('rejected the API key');
      await workbench.notifications.press('rejected the API key', 'Try Again');
      await workbench.quickInput.waitFor('API key');
      await person.untilFocusMoved(() => workbench.quickInput.type(service.key));
      await person.press('Choose Bot');
      await person.untilFocusMoved(() => workbench.quickInput.pick('Echo'));
      // The caret is in the composer already: no click is needed.
      const panel = await workbench.panel();
      await panel.waitForFunction(() => document.activeElement?.localName === 'textarea');
      await workbench.page.keyboard.type('Hello **world**');
      await workbench.page.keyboard.press('Enter');
      assert.match(await person.reply('Echo'), /Hello world/);
      assert.equal(await panel.getByRole('article', { name: 'Echo' }).locator('strong').innerText(), 'world');
      // A browser sends an Origin header with every request; Node sends none.
      const fromBrowser = service.requests.filter(({ headers }) => headers.origin !== undefined);
      assert.equal(fromBrowser.length, host === 'Node' ? 0 : service.requests.length);
    });

    it('shows a reply while it streams, and Escape stops it, keeps the partial text, marked, and closes the socket [fault 39]', async () => {
      await person.newConversation();
      const script = service.script();
      await person.say('tell me');
      script.chunk('The first part');
      await person.sees('The first part');
      const turn = await person.lastTurn('Echo');
      assert.equal(await turn.getAttribute('aria-busy'), 'true');
      await (await person.composer()).press('Escape');
      await script.closed;
      const text = await person.reply('Echo');
      assert.match(text, /The first part/);
      assert.match(text, /Stopped/);
    });

    it('sends a message that may have been sent again only on confirmation [fault 7]', async () => {
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
      await retryAfterConfirmation();
      const panel = await workbench.panel();
      await panel.getByRole('alert').waitFor({ state: 'detached' });
      assert.match(await person.reply('Echo'), /Did you hear\?/);
      assert.equal(posts(), before + 1);
    });
  },
);
