import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'How things stand, outside the panel',
  { host: 'either', settings: { 'parley.notifyWhenDone': true } },
  ({ workbench, service, person }) => {
    const item = () => workbench.page.locator('[id="parley.parley.parley.status"]');
    /** Waits until the status bar says this to who listens. */
    const says = (state: string) => item().getByRole('button', { name: state }).waitFor();
    /** As many conversations have new replies, by the mark on the view. */
    const badge = (count: string) =>
      workbench.page.locator(vscodeDom.sideBar.badge).filter({ hasText: count }).first();

    /** Says something whose reply the test ends later, when another conversation is on screen. */
    async function leaveStreaming(text: string) {
      await person.newConversation();
      const script = service.script();
      await person.say(text);
      await script.opened;
      script.chunk('So');
      await person.newConversation();
      return script;
    }

    it('says nothing before Parley is used', async () => {
      assert.equal(await item().count(), 0);
    });

    it('names the key that is missing, then that Parley is ready', async () => {
      const { host } = new URL(service.baseUrl);
      await workbench.runCommand('Parley: New Conversation');
      await says(`There is no API key for ${host}.`);
      await person.setUp(service, 'Echo');
      await says(`Ready: ${host}`);
    });

    it('counts replies that stream in, then those that nobody has seen, on the view as well', async () => {
      const one = await leaveStreaming('one');
      await says('Receiving a reply.');
      const two = await leaveStreaming('two');
      await says('Receiving 2 replies.');
      one.end();
      two.end();
      await says('2 conversations have new replies.');
      await badge('2').waitFor();
      await person.open('one');
      await says('One conversation has a new reply.');
      await person.open('two');
      await says('Ready');
      await badge('').waitFor({ state: 'hidden' });
    });

    it('tells of replies that end while the window is not looked at, where that is wanted', async () => {
      (await leaveStreaming('looked at')).end();
      await says('One conversation has a new reply.');
      // Told before what else the person does, so that the extension host knows it by then.
      await workbench.setFocused(false);
      (await leaveStreaming('told')).end();
      await workbench.notifications.waitFor('Echo replied in “told”.');
      assert.equal((await workbench.notifications.texts()).length, 1);
      await workbench.setFocused(true);
      await workbench.notifications.press('Echo replied in “told”.', 'Show');
      await person.seesTitle('told');
    });

    it('says that the service is out of reach', async () => {
      await service.close();
      await person.say('Anybody there?');
      await person.alert();
      await says("Can't reach");
    });

    it('estimates the messages sent, and opens the panel', async () => {
      await says('Messages sent from this machine in the last 30 days: about 4');
      await workbench.runCommand('View: Hide Secondary Side Bar');
      await item().click();
      // Shown again, VS Code's frame no longer says that it is a view's.
      const caret = () => workbench.page.frames().map((frame) => frame.locator('#message:focus').count());
      while (!(await Promise.all(caret())).includes(1)) await workbench.page.waitForTimeout(50);
    });
  },
);
