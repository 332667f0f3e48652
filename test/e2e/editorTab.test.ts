import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { panelFrame } from './support/panelFrame';
import { Person } from './support/person';
import { findConversationId } from './support/savedConversations';
import { waitUntilStateStored } from './support/windowState';
import { patience } from './support/workbench';

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

    it('shows the stream that the panel shows', async () => {
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
      assert.ok((await workbench.editor.tabs()).includes('for both'));
    });

    it('is there again after the window was reloaded, each with its own conversation', async () => {
      await inView.open('said before');
      await inTab.say('said in the tab');
      await inTab.reply('Echo', 2);
      const turns = await inTab.turns();
      const { page } = workbench;
      await waitUntilStateStored(page, 'parley.parley', await findConversationId(workbench, 'said before'));
      const inTabId = await findConversationId(workbench, 'said in the tab');
      await waitUntilStateStored(page, 'memento/workbench.parts.editor', inTabId);
      await workbench.reload();
      await inTab.seesTitle('for both');
      await inView.seesTitle('said before');
      assert.deepEqual(await inTab.turns(), turns);
      assert.ok((await workbench.editor.tabs()).includes('for both'));
      await inTab.say('and after the restart');
      assert.match(await inTab.reply('Echo', 3), /and after the restart/);
    });

    it('goes on in a window of its own', async () => {
      const opened = workbench.context.waitForEvent('page');
      await workbench.runCommand('View: Move Editor into New Window');
      const floating = await opened;
      const frame = await panelFrame(floating, 'editor', patience);
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
