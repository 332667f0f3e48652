import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'The status bar and the view’s badge',
  { host: 'either', settings: { 'parley.notifyWhenDone': true } },
  ({ workbench, service, person }) => {
    const item = () => workbench.page.locator(vscodeDom.statusBar.parley);
    /** Waits until the status bar item has this accessible name. */
    const says = (state: string) => item().getByRole('button', { name: state }).waitFor();
    /** Finds the badge on the view with this number of conversations that have new replies. */
    const findBadge = (count: string) =>
      workbench.page.locator(vscodeDom.sideBar.badge).filter({ hasText: count }).first();

    /** Sends a message and switches to another conversation; the test ends the reply later. */
    async function leaveStreaming(text: string) {
      await person.newConversation();
      const script = service.script();
      await person.say(text);
      await script.opened;
      script.chunk('So');
      await person.newConversation();
      return script;
    }

    it('show nothing before Parley is used', async () => {
      assert.equal(await item().count(), 0);
    });

    it('name the missing key, then report that Parley is ready', async () => {
      const { host } = new URL(service.baseUrl);
      await workbench.runCommand('Parley: New Conversation');
      await person.waitForFocus();
      await says(`There is no API key for ${host}.`);
      await person.setUp(service, 'Echo');
      await says(`Ready: ${host}`);
    });

    it('count the replies that are streaming, then the conversations with unread replies', async () => {
      const one = await leaveStreaming('one');
      await says('Receiving a reply.');
      const two = await leaveStreaming('two');
      await says('Receiving 2 replies.');
      one.end();
      two.end();
      await says('2 conversations have new replies.');
      await findBadge('2').waitFor();
      await person.open('one');
      await says('One conversation has a new reply.');
      await person.open('two');
      await says('Ready');
      await findBadge('').waitFor({ state: 'hidden' });
    });

    it('notify about a reply that ends while the window is not focused, if parley.notifyWhenDone is set', async () => {
      (await leaveStreaming('looked at')).end();
      await says('One conversation has a new reply.');
      // Set before the next message, so that the extension host knows about it by then.
      await workbench.setFocused(false);
      (await leaveStreaming('told')).end();
      await workbench.notifications.waitFor('Echo replied in “told”.');
      assert.equal((await workbench.notifications.getTexts()).length, 1);
      await workbench.setFocused(true);
      await workbench.notifications.press('Echo replied in “told”.', 'Show');
      await person.seesTitle('told');
    });

    it('report that the service is unreachable', async () => {
      await service.close();
      await person.say('Anybody there?');
      await person.alert();
      await says('Can’t reach');
    });

    it('estimate the number of messages sent, and open the panel on a click', async () => {
      await says('Messages sent from this machine in the last 30 days: about 4');
      await workbench.runCommand('View: Hide Secondary Side Bar');
      await item().click();
      await person.waitForFocusInAnyFrame();
    });
  },
);
