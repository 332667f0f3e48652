import assert from 'node:assert/strict';
import { WAIT_LIMIT_MS } from '../service/hang';
import { describeInWorkbench } from './support/describeInWorkbench';
import { findPanelFrame } from './support/panelFrame';
import { Person } from './support/person';
import { waitForConversationId, waitUntilEndingsSaved } from './support/savedConversations';
import { vscodeDom } from './support/vscodeDom';
import { waitUntilStateStored } from './support/windowState';

describeInWorkbench(
  'A conversation in an editor tab',
  { host: 'either', bot: 'Echo' },
  ({ workbench, service, person: inView }) => {
    let inTab: Person;

    before(async () => {
      inTab = new Person(workbench, 'editor');
      await inView.say('said before');
      await inView.reply('Echo');
      await inView.newConversation();
    });

    it('shows the same stream as the panel', async () => {
      const script = service.script();
      await inView.say('for both');
      script.chunk('begun ');
      await inView.sees('begun');
      await workbench.runCommand('Parley: Open in Editor');
      await inTab.sees('begun');
      script.chunk('in both');
      await inView.sees('in both');
      await inTab.sees('in both');
      await inTab.press('Stop');
      await script.closed;
      assert.match(await inView.reply('Echo'), /begun in both[\s\S]*Stopped/);
      assert.match(await inTab.reply('Echo'), /begun in both[\s\S]*Stopped/);
      assert.ok((await workbench.editor.getTabLabels()).includes('for both'));
    });

    it('restores its conversation when the window reloads, independently of the panel’s', async () => {
      await inView.open('said before');
      await inTab.say('said in the tab');
      await inTab.reply('Echo', 2);
      const turns = await inTab.turns();
      const { page } = workbench;
      await waitUntilStateStored(
        page,
        'parley.parley',
        await waitForConversationId(workbench, 'said before'),
      );
      const inTabId = await waitUntilEndingsSaved(workbench, 'said in the tab');
      await waitUntilStateStored(page, 'memento/workbench.parts.editor', inTabId);
      await workbench.reload();
      await inTab.seesTitle('for both');
      await inView.seesTitle('said before');
      assert.deepEqual(await inTab.turns(), turns);
      assert.ok((await workbench.editor.getTabLabels()).includes('for both'));
      await inTab.say('and after the restart');
      assert.match(await inTab.reply('Echo', 3), /and after the restart/);
    });

    it('runs a command of a title bar for the conversation below it, whichever has the focus', async () => {
      /** Returns the name that the title bar's command would change. */
      const getNameToChange = async (part: string) => {
        await workbench.openBoxFromTitleBar(part, 'Rename Conversation…', 'Rename Conversation');
        const { value } = await workbench.quickInput.getState();
        await workbench.quickInput.cancel();
        return value;
      };
      await inView.focusComposer();
      assert.equal(await getNameToChange(vscodeDom.editor.part), 'for both');
      await inTab.focusComposer();
      assert.equal(await getNameToChange(vscodeDom.sideBar.secondary), 'said before');
    });

    it('keeps streaming after it moves into a new window', async () => {
      const opened = workbench.context.waitForEvent('page', { timeout: WAIT_LIMIT_MS });
      await workbench.runCommand('View: Move Editor into New Window');
      const floating = await opened;
      const frame = await findPanelFrame(floating, 'editor');
      await frame.getByRole('article').filter({ hasText: 'said in the tab' }).first().waitFor();
      await inView.open('for both');
      const script = service.script();
      await inView.say('for all windows');
      script.chunk('seen everywhere');
      await frame.getByText('seen everywhere').waitFor();
      script.end();
      await floating.close();
    });
  },
);
