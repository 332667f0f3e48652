import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Wait } from '../service/hang';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { Person } from './support/person';
import { readSavedTexts } from './support/savedConversations';
import type { VSCodeWindow } from './support/workbench';

describeInWorkbench(
  'Two windows with the same storage',
  { host: 'both', bot: 'Echo' },
  ({ workbench, service, person: one }) => {
    let beside: VSCodeWindow;
    let other: Person;

    before(async () => {
      beside = await workbench.openWindow('beside');
      other = new Person(beside);
      await other.setUp(service, 'Echo');
    });
    after(() => beside?.page.close());

    const notice = async (window: VSCodeWindow) =>
      (await window.panel()).getByText('Another window is writing to this conversation.');

    /**
     * Logs how long another window took to show a change. It should be within a second, which slow machines
     * don't always achieve.
     */
    async function logDuration(what: string, seen: Promise<unknown>): Promise<void> {
      const from = performance.now();
      await seen;
      console.log(`      ${what} after ${Math.round(performance.now() - from)} ms`);
    }

    /**
     * Waits until a reply that the other window receives has ended, with this text. On a slow machine that window may seem to
     * be gone for a while, and the reply to be interrupted.
     */
    async function waitForReply(window: Pick<VSCodeWindow, 'panel'>, count: number, text: string) {
      const panel = await window.panel();
      const reply = panel.getByRole('article', { name: 'Echo', exact: true }).nth(count - 1);
      const ended = reply.and(panel.locator('[aria-busy="false"]'));
      await ended.filter({ has: panel.locator('.markdown').filter({ hasText: text }) }).waitFor();
    }

    /**
     * Waits until the conversation on disk equals `expected`: an ending is written shortly after it is shown.
     */
    async function waitUntilSaved(
      message: string,
      expected: Awaited<ReturnType<typeof readSavedTexts>>,
    ): Promise<void> {
      for (const wait = new Wait(); ; ) {
        const texts = await readSavedTexts(workbench, message);
        if (isDeepStrictEqual(texts, expected)) return;
        if (wait.isInVain) assert.deepEqual(texts, expected);
        await workbench.page.waitForTimeout(100);
      }
    }

    it('both list a conversation started in either one', async () => {
      const [here, there] = [await one.list(), await other.list()];
      const [inOne, inOther] = [service.script(), service.script()];
      await here.getByRole('combobox', { name: 'Search conversations' }).press('Escape');
      await one.say('said in the one');
      await logDuration('listed', there.getByRole('row').filter({ hasText: 'said in the one' }).waitFor());
      await there.getByRole('combobox', { name: 'Search conversations' }).press('Escape');
      // Scripts are used in the order of the requests.
      await inOne.opened;
      await other.say('said in the other');
      await logDuration(
        'listed',
        (await one.list()).getByRole('row').filter({ hasText: 'said in the other' }).waitFor(),
      );
      await (await one.list()).getByRole('combobox', { name: 'Search conversations' }).press('Escape');
      inOne.chunk('answer to the one');
      inOther.chunk('answer to the other');
      inOne.end();
      inOther.end();
      assert.match(await one.reply('Echo'), /answer to the one/);
      assert.match(await other.reply('Echo'), /answer to the other/);
    });

    it('windows show that a reply is streaming in the other window, and queue messages sent in the meantime', async () => {
      await other.open('said in the one');
      const script = service.script();
      await one.say('count for both');
      for (const word of ['alpha ', 'beta ', 'gamma ']) {
        script.chunk(word);
        await one.sees(word.trim());
        await logDuration('followed', other.sees(word.trim()));
      }
      await (await notice(beside)).waitFor();
      await other.say('typed too early');
      // The message is queued until the other window is done.
      const queue = (await beside.panel()).getByRole('list', { name: 'Queue' });
      await queue.getByText('typed too early').waitFor();
      script.end();
      await waitForReply(beside, 2, 'alpha beta gamma');
      for (const each of [workbench, beside]) await waitForReply(each, 3, 'typed too early');
      assert.deepEqual(await one.turns(), await other.turns());
    });

    it('can stop a reply that streams in the other one', async () => {
      const script = service.script();
      await one.say('to be stopped');
      script.chunk('begun');
      await other.sees('begun');
      await other.press('Stop');
      await script.closed;
      assert.match(await one.reply('Echo', 4), /begun/);
      assert.match(await other.reply('Echo', 4), /begun/);
    });

    it('can take over a conversation from the other one', async () => {
      const script = service.script();
      await one.say('to be taken over');
      script.chunk('half');
      await other.sees('half');
      await other.press('Take Over');
      await script.closed;
      assert.match(await one.reply('Echo', 5), /half/);
      await (await notice(beside)).waitFor({ state: 'detached' });
      // While the reply still streams there, the message would be queued behind it.
      assert.match(await other.reply('Echo', 5), /half/);
      await other.say('mine now');
      await waitForReply(workbench, 6, 'mine now');
    });

    it('both show a new name', async () => {
      await workbench.runCommand('Parley: Rename Conversation…');
      await workbench.quickInput.type('The one');
      await one.seesTitle('The one');
      await other.seesTitle('The one');
      assert.deepEqual((await other.readListedNames(2)).sort(), ['The one', 'said in the other']);
      const names = () => [...service.conversations.values()].map(({ name }) => name);
      await waitUntil('the service has the name', () => names().includes('The one'));
    });

    it('lose and duplicate nothing', async () => {
      await waitUntilSaved('said in the other', [
        { text: 'said in the other' },
        { text: 'answer to the other', ending: 'complete' },
      ]);
      const expectedTurns = [
        ['said in the one', 'answer to the one', 'complete'],
        ['count for both', 'alpha beta gamma ', 'complete'],
        ['typed too early', 'typed too early', 'complete'],
        ['to be stopped', 'begun', 'interrupted'],
        ['to be taken over', 'half', 'interrupted'],
        ['mine now', 'mine now', 'complete'],
      ] as const;
      await waitUntilSaved(
        'said in the one',
        expectedTurns.flatMap(([message, text, ending]) => [{ text: message }, { text, ending }]),
      );
      assert.deepEqual(await one.turns(), await other.turns());
    });
  },
);
