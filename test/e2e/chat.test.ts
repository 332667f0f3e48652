import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';

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
      await person.press('Retry');
      assert.match(await workbench.dialog.text(), /Send the message again\?/);
      await workbench.dialog.press('Cancel');
      assert.equal(posts(), before);
      await person.press('Retry');
      await workbench.dialog.press('Send Again');
    }

    it('asks for a key and a bot on first use, rejects a wrong key, and then chats', async () => {
      await workbench.runCommand('Parley: New Conversation');
      await person.press('Set API Key');
      await workbench.quickInput.waitFor('API key');
      assert.equal((await workbench.quickInput.getState()).password, true);
      await workbench.quickInput.type('not-the-key');
      await workbench.notifications.waitFor('rejected the API key');
      await workbench.notifications.press('rejected the API key', 'Try Again');
      await workbench.quickInput.waitFor('API key');
      await workbench.quickInput.type(service.key);
      await person.press('Choose Bot');
      await workbench.quickInput.pick('Echo');
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

    it('inserts a line break on Shift+Enter and sends on Enter', async () => {
      await person.newConversation();
      await person.say('one\ntwo');
      await person.reply('Echo');
      assert.equal([...service.messages.values()].findLast(({ machine }) => !machine)?.content, 'one\ntwo');
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

    it('keeps a partial reply, marked, when its connection drops, and asks before sending again', async () => {
      await person.newConversation();
      const script = service.script();
      await person.say('hello?');
      script.chunk('Half a rep');
      await person.sees('Half a rep');
      script.reset();
      assert.match(await person.reply('Echo'), /Half a rep[\s\S]*(ended|interrupted)/);
      await retryAfterConfirmation();
      assert.match(await person.reply('Echo', 2), /hello\?/);
      const panel = await workbench.panel();
      await panel.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' });
    });

    it('says that the key was rejected (401) and sends again on Retry once the service accepts it', async () => {
      await person.newConversation();
      service.inject({
        name: 'status',
        on: 'POST /messages/stream',
        status: 401,
        body: { message: 'Bad key' },
      });
      await person.say('let me in');
      const alert = await person.alert();
      assert.match(alert, /rejected the API key/);
      const failed = await person.lastTurn('Echo');
      await failed.getByRole('button', { name: 'Set API Key' }).waitFor();
      await person.press('Retry');
      await (await person.lastTurn('Echo')).filter({ hasText: 'let me in' }).waitFor();
    });

    it('keeps the text in the composer when the quota is reached (402)', async () => {
      await person.newConversation();
      service.inject({
        name: 'status',
        on: 'POST /messages/stream',
        status: 402,
        body: { message: 'Wait or upgrade <b>now</b>' },
      });
      await person.say('one too many');
      assert.match(await person.alert(), /Wait or upgrade <b>now<\/b>/);
      assert.equal(await (await person.composer()).inputValue(), 'one too many');
    });

    it('shows the field errors of a 422', async () => {
      await person.newConversation();
      service.inject({
        name: 'status',
        on: 'POST /conversations',
        status: 422,
        body: { message: 'Invalid', errors: { bot_id: ['There is no such bot.'] } },
      });
      await person.say('hello');
      assert.match(await person.alert(), /There is no such bot\./);
    });

    it('shows the whole reply when the webview reloads while it streams', async () => {
      await person.newConversation();
      const script = service.script();
      await person.say('count');
      script.chunk('one **two** ');
      await person.sees('one');
      await workbench.reloadWebviews();
      script.chunk('three ');
      await person.sees('three');
      script.chunk('four');
      script.end();
      assert.match(await person.reply('Echo'), /one two three four/);
    });

    it('keeps streaming in a conversation while another is shown, and marks it unread', async () => {
      await person.newConversation();
      const script = service.script();
      await person.say('slow one');
      script.chunk('begun ');
      await person.sees('begun');
      await person.newConversation();
      await person.say('quick one');
      assert.match(await person.reply('Echo'), /quick one/);
      script.chunk('and done');
      script.end();
      await script.closed;
      await workbench.runCommand('Parley: Open Conversation…');
      await workbench.quickInput.pick('slow one');
      await person.sees('begun and done');
    });

    it('rejects a message over 2000 characters and keeps its text', async () => {
      await person.newConversation();
      const long = '👋'.repeat(2001);
      const composer = await person.composer();
      await composer.fill(long);
      const before = posts();
      await composer.press('Enter');
      const panel = await workbench.panel();
      await panel
        .getByText(/2,?001/)
        .first()
        .waitFor();
      assert.equal(await composer.inputValue(), long);
      assert.equal(posts(), before);
      await composer.fill('');
    });

    it('renames the conversation on the service and deletes it after confirmation', async () => {
      await person.newConversation();
      await person.say('to be renamed');
      await person.reply('Echo');
      await workbench.runCommand('Parley: Rename Conversation…');
      await workbench.quickInput.type('A better name');
      const panel = await workbench.panel();
      await panel.getByText('A better name').waitFor();
      const named = () => [...service.conversations.values()].some(({ name }) => name === 'A better name');
      assert.ok(named());
      await workbench.runCommand('Parley: Delete Conversation…');
      assert.match(await workbench.dialog.text(), /A better name/);
      await workbench.dialog.press('Delete');
      await person.seesNoTurns();
      // Ends the time for Undo.
      await workbench.notifications.close('Deleted “A better name”');
      await service.waitForRequest(() => !named());
    });

    it('sends a selection with the message as a fenced block with its path and lines', async () => {
      await person.newConversation();
      await workbench.editor.open('src/app.ts');
      await workbench.editor.selectLines(1, 1);
      await workbench.runCommand('Parley: Ask About Selection');
      const panel = await workbench.panel();
      await panel.getByRole('list', { name: 'Context' }).getByText('app.ts:1').waitFor();
      await person.say('What is it?');
      const content = 'What is it?\n\nsrc/app.ts:1\n```typescript\nexport const answer = 42;\n```';
      await service.waitForRequest(({ body }) => (body as { content?: string })?.content === content);
      assert.match(await person.reply('Echo'), /export const answer/);
      await panel.getByRole('list', { name: 'Context' }).waitFor({ state: 'detached' });
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

    it('asks for a cleared key again, and keeps the conversation [fault 46]', async () => {
      await person.newConversation();
      await person.say('And then?');
      await person.reply('Echo');
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
