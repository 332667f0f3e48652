import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

describeInWorkbench(
  'The walkthrough in a real workbench',
  {
    host: 'either',
    isolated: true,
    noBaseUrl: true,
    // Otherwise the page focuses a step 250 ms after a click on it, and takes the focus from a box that was opened meanwhile.
    settings: { 'workbench.welcomePage.preferReducedMotion': true },
    workspaceFiles: { 'notes.txt': 'The garden closes at nine.\n' },
  },
  ({ workbench, service, person }) => {
    before(async () => {
      // VS Code omits the pictures in a small window.
      await workbench.page.setViewportSize({ width: 1900, height: 900 });
      await workbench.runCommand('Welcome: Open Walkthrough...');
      await workbench.quickInput.pick('Get Started with Parley');
    });

    const steps = () => workbench.page.locator(vscodeDom.walkthrough.step);
    const step = (title: string) => steps().filter({ hasText: title });
    const waitUntilDone = (title: string) => step(title).getByRole('checkbox', { checked: true }).waitFor();

    /** Opens a step, unless it is open, and presses its button. */
    async function press(title: string, button: string): Promise<void> {
      const link = step(title).getByRole('button', { name: button });
      if (!(await link.isVisible())) await step(title).click();
      await link.click();
    }

    it('has four incomplete steps with a picture in the theme’s colors', async () => {
      await steps().nth(3).waitFor();
      const titles = await steps().locator(vscodeDom.walkthrough.stepTitle).allInnerTexts();
      assert.deepEqual(titles, [
        'Connect to your service',
        'Set your API key',
        'Say hello',
        'Let the bot read a file',
      ]);
      assert.equal(await steps().getByRole('checkbox', { checked: true }).count(), 0);
      const picture = workbench.page.locator('.getting-started-media img[srcset*="url-light.webp"]');
      await picture.waitFor();
      await picture.evaluate((image: HTMLImageElement) => image.decode());
    });

    it('leads from the service’s URL to an uploaded file', async () => {
      const { quickInput } = workbench;
      await press('Connect to your service', 'Set Service URL');
      await quickInput.waitFor('Set Service URL');
      await quickInput.pick('Other…');
      await quickInput.waitFor('The base URL');
      await quickInput.type(service.baseUrl);
      await waitUntilDone('Connect to your service');
      await press('Set your API key', 'Set API Key');
      await quickInput.waitFor('API key');
      await quickInput.type(service.key);
      await waitUntilDone('Set your API key');
      await press('Say hello', 'New Conversation');
      await quickInput.pick('Guide');
      await person.waitForFocus();
      await person.say('Hello');
      await person.reply('Guide');
      await waitUntilDone('Say hello');
      await workbench.explorer.runFromContextMenu(['notes.txt'], 'Upload to Conversation');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));
      await workbench.page.getByRole('tab', { name: 'Welcome' }).click();
      await waitUntilDone('Let the bot read a file');
    });
  },
);
