import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { repeat } from '../support/repetition';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { killInReply } from './support/killed';
import { readSavedTexts, waitUntilSaved } from './support/savedConversations';

/** How often `npm run test:all` kills the host. */
const KILL_ROUNDS = 20;

describeInWorkbench(
  'An extension host that is killed while a reply streams',
  { bot: 'Echo' },
  ({ workbench, service, person }) => {
    it('keeps the message when it is killed as the message reaches the service', async () => {
      const before = await workbench.panel();
      const { message, messageSaved } = await killInReply(workbench, service, person);
      assert.ok(messageSaved, 'the message is on the disk');
      await waitUntilRestarted(before);
      await person.seesTitle(message);
      assert.equal((await person.turns())[0], message);
      await waitUntilLeaseExpired();
    });

    for (let round = 1; round <= repeat(1, KILL_ROUNDS); round++) {
      it(`keeps the message and the saved part of the reply, round ${round}`, async () => {
        let saved = '';
        const killed = await killInReply(workbench, service, person, async (message) => {
          // Waits for a little more of the reply each round.
          saved = await waitUntilReplySaved(message, 20 * round);
        });
        assert.ok(killed.messageSaved, 'the message is on the disk');
        assert.ok(killed.replySaved.startsWith(saved), 'the reply is on the disk as far as it was before');
        assert.ok(killed.replySent.startsWith(killed.replySaved), 'the reply is on the disk as it was sent');
        await workbench.reload();
        await waitUntilLeaseExpired();
        const turns = await person.turns();
        assert.deepEqual(turns.slice(-2), [killed.message, killed.replySaved.trim()]);
        const reply = await person.lastTurn('Echo');
        await reply.getByText('The reply was interrupted').waitFor();
        const question = `still there after round ${round}?`;
        await person.say(question);
        const answered = (await workbench.panel()).locator('[aria-busy=false]').filter({ hasText: question });
        await answered.last().waitFor();
      });
    }

    /** Waits until more than this many characters of the reply are on disk; resolves to the saved text. */
    async function waitUntilReplySaved(message: string, length: number): Promise<string> {
      return await waitUntil('some of the reply is on the disk', async () => {
        const turns = (await readSavedTexts(workbench, message)) ?? [];
        const reply = turns[turns.findIndex(({ text }) => text === message) + 1]?.text ?? '';
        return reply.length > length && reply;
      });
    }

    /** Waits until VS Code has started another host, which replaces Parley's page. */
    async function waitUntilRestarted(before: Frame): Promise<void> {
      while (!before.isDetached()) await workbench.page.waitForTimeout(20);
    }

    /** The killed host's lease is valid for some seconds. */
    async function waitUntilLeaseExpired(): Promise<void> {
      const panel = await workbench.panel();
      await panel.getByRole('article').first().waitFor();
      await panel.getByText('Another window is writing').waitFor({ state: 'detached' });
    }

    it('is restarted by VS Code, and the conversation returns without a reload [fault 40]', async () => {
      const before = await workbench.panel();
      const killed = await killInReply(workbench, service, person, (message) =>
        waitUntilReplySaved(message, 0),
      );
      assert.ok(killed.messageSaved);
      await waitUntilRestarted(before);
      const reply = await person.lastTurn('Echo');
      await reply.getByText('The reply was interrupted').waitFor();
      assert.deepEqual((await person.turns()).slice(-2), [killed.message, killed.replySaved.trim()]);
    });

    it('restores queued messages on reload with the text in the editor, and sends them once each on Resume, not before', async () => {
      await person.newConversation();
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
