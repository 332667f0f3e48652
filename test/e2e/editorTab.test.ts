import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { panelFrame } from './support/panelFrame';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

for (const host of ['Node', 'web worker'] as const) {
  describe(`A conversation in an editor tab, extension host: ${host}`, function () {
    this.timeout(4 * patience);
    let service: LocalService;
    let workbench: Workbench;
    let inView: Person;
    let inTab: Person;

    before(async () => {
      service = await startLocalService();
      workbench = await startWorkbench({
        settings: { 'parley.baseUrl': service.baseUrl },
        webWorkerHost: host === 'web worker',
      });
      inView = new Person(workbench);
      inTab = new Person(workbench, 'editor');
      await inView.setUp(service, 'Echo');
      await inView.say('said before');
      await inView.reply('Echo');
      await inView.newConversation();
    });
    after(async () => {
      await workbench?.stop();
      await service?.close();
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
      // In a browser VS Code keeps which tabs are open, and what they show, every five seconds that are idle.
      await workbench.page.waitForTimeout(7000);
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
  });
}
