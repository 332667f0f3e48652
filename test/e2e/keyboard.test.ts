import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { Person } from './support/person';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench('The documented keys', { host: 'either', bot: 'Echo' }, ({ workbench, person }) => {
  before(async () => {
    await person.say('first');
    await person.reply('Echo', 1);
    await person.say('second');
    await person.reply('Echo', 2);
  });

  for (const where of ['view', 'editor'] as const) {
    describe(`in the ${where}`, () => {
      before(async () => {
        if (where === 'editor') await workbench.runCommand('Parley: Open in Editor');
      });

      beforeEach(async () => {
        await new Person(workbench, where).waitUntilKeysWork();
      });

      /** Waits until the element with this label has the focus. */
      async function waitForFocus(label: string): Promise<void> {
        const panel = await workbench.panel(where);
        await panel.waitForFunction((wanted) => {
          const { ariaLabel, textContent } = document.activeElement ?? {};
          return `${ariaLabel}: ${textContent}`.startsWith(wanted);
        }, label);
      }

      async function pressAndWaitForFocus(key: string, label: string): Promise<void> {
        await workbench.page.keyboard.press(key);
        await waitForFocus(label);
      }

      it('move the focus between the messages, the conversation and the text box', async () => {
        await pressAndWaitForFocus('Alt+ArrowUp', 'Echo');
        await pressAndWaitForFocus('Alt+ArrowUp', 'You: second');
        await pressAndWaitForFocus('Alt+ArrowUp', 'Echo');
        await pressAndWaitForFocus('Alt+ArrowDown', 'You: second');
        await pressAndWaitForFocus('Alt+PageUp', 'Conversation');
        await pressAndWaitForFocus('Alt+PageDown', 'Message');
      });

      it('find text in the conversation, and return the focus', async () => {
        const { keyboard } = workbench.page;
        await pressAndWaitForFocus('Control+F', 'Find');
        await keyboard.type('second');
        const panel = await workbench.panel(where);
        const status = panel.getByRole('search', { name: 'Find' }).getByRole('status');
        await status.getByText(/^\d of 2$/).waitFor();
        await keyboard.press('Alt+R');
        await keyboard.press('F3');
        await panel.getByRole('button', { name: 'Use Regular Expression', pressed: true }).waitFor();
        await pressAndWaitForFocus('Escape', 'Message');
      });

      it('copy the last reply', async () => {
        const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
        await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
        await workbench.page.keyboard.press('Shift+Alt+C');
        while ((await clipboard()) === '') await workbench.page.waitForTimeout(50);
        assert.match(await clipboard(), /second/);
      });

      // The last test: a key that is pressed at once after the panel was left and focused again may be lost.
      it('continue where the focus was when VS Code focuses the panel again, and keep the selection', async () => {
        const { page } = workbench;
        const panel = await workbench.panel(where);
        /** Moves the focus to the Explorer and back. */
        const leaveAndReturn = async () => {
          await page.keyboard.press('Control+Shift+E');
          await page.locator(vscodeDom.explorer.focusedTree).waitFor();
          await panel.waitForFunction(() => !document.hasFocus());
          // VS Code looks every 250 ms, in the frame around the page, whether the page has lost the focus, and doesn't
          // focus it again before it knows. A timer of 500 ms, started in that frame now, ends after its next look.
          await panel.evaluate(() => new Promise((resolve) => parent.setTimeout(resolve, 500)));
          if (where === 'editor') await page.keyboard.press('Control+1');
          else await workbench.runCommand('View: Focus into Secondary Side Bar');
          await panel.waitForFunction(() => document.hasFocus());
        };
        await pressAndWaitForFocus('Alt+ArrowUp', 'Echo');
        await leaveAndReturn();
        await waitForFocus('Echo');
        await panel.locator('#message').click();
        await leaveAndReturn();
        await waitForFocus('Message');
        await panel.getByText('second').first().dblclick();
        await leaveAndReturn();
        assert.equal(await panel.evaluate(() => getSelection()?.toString()), 'second');
      });
    });
  }
});
