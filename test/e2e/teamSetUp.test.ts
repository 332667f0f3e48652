import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';
import { openLink } from './support/openLink';
import { getActiveTabSelector, vscodeDom } from './support/vscodeDom';
import { waitForFolder } from './support/vscodeWindow';

describeInWorkbench(
  'What a team shares',
  {
    host: 'both',
    bot: 'Echo',
    isolated: true,
    workspaceFiles: {
      '.vscode/parley.json': JSON.stringify({
        bots: [{ id: 'guide', name: 'Guide', for: ['billing/**'] }],
      }),
      'billing/invoice.txt': 'Invoice',
      'notes.txt': 'Notes',
    },
  },
  ({ workbench, service, person }) => {
    const countSent = () => service.requests.filter(({ path: to }) => to.endsWith('/messages/stream')).length;
    const readClipboard = async () => {
      // The host writes it shortly after the command has ended.
      for (;;) {
        const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
        if (text !== '') return text;
        await workbench.page.waitForTimeout(50);
      }
    };
    /** Reloads the window as a user does, so that VS Code saves what extensions have stored. */
    const reloadWindow = async () => {
      const { page } = workbench;
      await Promise.all([page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
      await waitForFolder(page);
    };
    const clearClipboard = () => workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    const proposal = async () => (await workbench.panel()).getByText('This workspace uses bots.example.com.');

    it('a set-up link is copied without the key, and asks before it changes anything', async () => {
      await clearClipboard();
      await workbench.runCommand('Parley: Copy Set-Up Link');
      await workbench.quickInput.pick('Link');
      const link = await readClipboard();
      assert.ok(!link.includes(service.key), link);
      const { pathname, search } = new URL(link.replace(/^[\w-]+:/, 'https:'));
      assert.equal(pathname, '/connect');
      assert.equal(new URLSearchParams(decodeURIComponent(search)).get('url'), service.baseUrl);
      await openLink(workbench, link, `Connect Parley to ${new URL(service.baseUrl).host}?`);
      await workbench.dialog.dismiss();
    });

    it('the bot for the active file comes first in the picker, with the reason', async () => {
      const { quickInput, page } = workbench;
      await workbench.editor.open('billing/invoice.txt');
      await workbench.runCommand('Parley: New Conversation With…');
      await quickInput.waitFor('for billing/**');
      assert.equal((await quickInput.getLabels())[0], 'Guide');
      await quickInput.cancel();
      await page.locator(vscodeDom.quickInput.widget).waitFor({ state: 'detached' });
    });

    it('the proposed service is declined for now, and shown again after a reload', async () => {
      await writeFile(
        path.join(workbench.workspaceDir, '.vscode', 'parley.json'),
        JSON.stringify({ service: { baseUrl: 'https://bots.example.com/api/v1' } }),
      );
      await (await proposal()).waitFor();
      await person.press('Not Now');
      await (await proposal()).waitFor({ state: 'detached' });
      await reloadWindow();
      await (await proposal()).waitFor();
    });

    it('the proposed service is declined for this workspace, and not shown after a reload', async () => {
      await person.press('Don’t Ask for This Workspace');
      await (await proposal()).waitFor({ state: 'detached' });
      await reloadWindow();
      await person.say('Hello');
      await person.reply('Echo');
      assert.equal(await (await proposal()).count(), 0);
    });

    it('parley.json is created from the service and its bots, and opened', async () => {
      const file = path.join(workbench.workspaceDir, '.vscode', 'parley.json');
      await rm(file);
      await workbench.runCommand('Parley: Create parley.json');
      await workbench.page.locator(getActiveTabSelector('parley.json')).waitFor();
      await workbench.editor.waitForFocus();
      const { service: written, bots } = JSON.parse(await readFile(file, 'utf8'));
      assert.equal(written.baseUrl, service.baseUrl);
      assert.deepEqual(bots.map((bot: { id: string }) => bot.id).toSorted(), ['echo', 'guide']);
    });

    it('a link to a message opens its conversation there', async () => {
      await clearClipboard();
      const message = await person.lastTurn('You');
      await message.click({ button: 'right' });
      const item = workbench.page.locator(vscodeDom.menu.item).filter({ hasText: 'Copy Link to Message' });
      await item.hover();
      await workbench.page.keyboard.press('Enter');
      const link = await readClipboard();
      assert.match(link, /conversation\?service=.+&turn=/);
      await person.newConversation();
      await person.untilFocusMoved(() => openLink(workbench, link));
      await person.seesTitle('Hello');
    });

    it('a link with a prompt writes it into the composer, and sends nothing', async () => {
      const before = countSent();
      await openLink(workbench, 'vscode://parley.parley/conversation?prompt=From%2520a%2520link');
      const composer = await person.composer();
      await composer.and((await workbench.panel()).locator(':focus')).waitFor();
      await waitUntil('the prompt is written', async () => (await composer.inputValue()) === 'From a link');
      assert.equal(countSent(), before);
    });
  },
);
