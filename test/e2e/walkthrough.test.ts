import assert from 'node:assert/strict';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';
import { patience } from './support/workbench';

describeInWorkbench(
  'The walkthrough',
  {
    host: 'either',
    isolated: true,
    noBaseUrl: true,
    workspaceFiles: { 'notes.txt': 'The garden closes at nine.\n' },
  },
  ({ workbench, service, person }) => {
    before(async () => {
      // Where there is little room VS Code leaves the pictures out.
      await workbench.page.setViewportSize({ width: 1900, height: 900 });
      await workbench.runCommand('Welcome: Open Walkthrough...');
      await workbench.quickInput.pick('Get Started with Parley');
    });

    const steps = () => workbench.page.locator(vscodeDom.walkthrough.step);
    const step = (title: string) => steps().filter({ hasText: title });
    const done = (title: string) => step(title).getByRole('checkbox', { checked: true }).waitFor();

    /** Opens a step, unless it is open, and presses its button. */
    async function press(title: string, button: string): Promise<void> {
      const link = step(title).getByRole('button', { name: button });
      if (!(await link.isVisible())) await step(title).click();
      await link.click();
    }

    /** Types into the box that is open and confirms; the page takes the focus to a step that it opens, a moment later. */
    async function enter(text: string): Promise<void> {
      const input = workbench.page.locator(`${vscodeDom.quickInput.widget} input`).first();
      await input.fill(text);
      await input.press('Enter');
    }

    it('has four steps, none of them done, with a picture in the theme’s colours', async () => {
      const titles = await steps().locator(vscodeDom.walkthrough.stepTitle).allInnerTexts();
      assert.deepEqual(titles, [
        'Say where your service is',
        'Give Parley your API key',
        'Say hello',
        'Let the bot read a file',
      ]);
      assert.equal(await steps().getByRole('checkbox', { checked: true }).count(), 0);
      const picture = workbench.page.locator('.getting-started-media img[srcset*="url-light.webp"]');
      await picture.waitFor();
      await picture.evaluate((image: HTMLImageElement) => image.decode());
    });

    it('takes a person from the service’s URL to an uploaded file', async () => {
      const { quickInput } = workbench;
      await press('Say where your service is', 'Set Service URL');
      await quickInput.waitFor('Set Service URL');
      await enter(service.baseUrl);
      await done('Say where your service is');
      await press('Give Parley your API key', 'Set API Key');
      await quickInput.waitFor('API key');
      await enter(service.key);
      await done('Give Parley your API key');
      await press('Say hello', 'New Conversation');
      await quickInput.pick('Guide');
      await person.say('Hello');
      await person.reply('Guide');
      await done('Say hello');
      await workbench.explorer.contextMenu(['notes.txt'], 'Upload to Conversation');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'), patience);
      await workbench.page.getByRole('tab', { name: 'Welcome' }).click();
      await done('Let the bot read a file');
    });
  },
);
