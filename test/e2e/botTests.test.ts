import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInWorkbench } from './support/describeInWorkbench';

const QUESTIONS = `---
bot: Echo
---

# Sayings

## Say one

- all: /\\bone\\b/i

## Say two

- all: two
- none: say

## Say aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!

- none: /(a+)+$/
`;

/** Finds an item of the Test Explorer by its start: VS Code adds the result in parentheses. */
const findItem = (page: Page, name: RegExp) => page.locator('.test-explorer').getByRole('treeitem', { name });

/** VS Code shows it wherever there are tests. */
const TESTING_ICON = '.activitybar [aria-label^="Testing"]';

describeInWorkbench(
  'A workspace with bot tests',
  {
    host: 'either',
    bot: 'Echo',
    workspaceFiles: { 'docs/sayings.bot-test.md': QUESTIONS, 'notes.txt': 'x' },
  },
  ({ workbench, service, person }) => {
    it('shows them in the Test Explorer, and opens their lines with the keyboard', async () => {
      await workbench.runCommand('Testing: Focus on Test Explorer View');
      const { page } = workbench;
      await page.locator(TESTING_ICON).first().waitFor();
      await findItem(page, /^docs\/sayings\.bot-test\.md/).waitFor();
      await page.locator('.test-explorer .monaco-list').focus();
      for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
      await findItem(page, /^Sayings/).waitFor();
      for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await findItem(page, /^Say one/).waitFor();
      await findItem(page, /^Say two/).waitFor();
    });

    it('says what a run costs, and sends nothing if it is canceled', async () => {
      await workbench.runCommand('Test: Run All Tests');
      const text = await workbench.dialog.text();
      assert.match(text, /Run 3 bot tests\?/);
      assert.match(text, /At most 3 messages will be sent\. They count toward your limit\./);
      await workbench.dialog.press('Cancel');
      assert.ok(!service.requests.some(({ path: to }) => to.endsWith('/messages/stream')));
    });

    it('runs them after consent, shows the results, and leaves no conversation', async () => {
      await workbench.runCommand('Test: Run All Tests');
      await workbench.dialog.text();
      await workbench.dialog.enter();
      const { page } = workbench;
      await findItem(page, /^Say one \(Passed/).waitFor();
      await findItem(page, /^Say two \(Failed/).waitFor();
      // Its expression would take years.
      await findItem(page, /^Say a+! \(Failed/).waitFor();
      const sent = service.requests.filter(({ path: to }) => to.endsWith('/messages/stream'));
      assert.deepEqual(sent.map(({ body }) => (body as { content: string }).content).toSorted(), [
        'Say aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
        'Say one',
        'Say two',
      ]);
      await service.waitForRequest(
        () => ![...service.conversations.values()].some(({ name }) => /^Bot test/.test(name)),
      );
    });

    it('shows the reply, as it streams, in the output of its test', async () => {
      const { page } = workbench;
      const scripts = [service.script(), service.script(), service.script()];
      await workbench.runCommand('Test: Run All Tests');
      await workbench.dialog.text();
      await workbench.dialog.enter();
      await Promise.all(scripts.map(({ opened }) => opened));
      for (const script of scripts) script.chunk('One is streaming. ');
      await workbench.runCommand('Test: Show Output');
      await page.locator('.test-output-peek, .test-output-peek-message-container, .xterm').first().waitFor();
      for (const script of scripts) script.end();
      await findItem(page, /^Say one \(Passed/).waitFor();
    });

    it('compares them with the previous run, side by side', async () => {
      await workbench.runCommand('Parley: Compare Bot Tests…');
      await workbench.quickInput.pick('With the Previous Run');
      await workbench.dialog.text();
      await workbench.dialog.enter();
      await workbench.page.getByRole('tab', { name: /: \d better, \d worse/ }).waitFor();
      await workbench.page.locator('.monaco-diff-editor').first().waitFor();
    });

    it('marks what it doesn’t understand at its line, in the Problems view', async () => {
      await writeFile(
        path.join(workbench.workspaceDir, 'docs/wrong.bot-test.md'),
        '# Say three\n- al: three\n- any: x\n',
      );
      await workbench.runCommand('Problems: Focus on Problems View');
      await workbench.editor.open('wrong.bot-test.md');
      await workbench.page.getByText('“al” isn’t an expectation.').first().waitFor();
    });

    it('still chats', async () => {
      await person.say('Hello');
      await person.reply('Echo');
    });
  },
);

describeInWorkbench(
  'A workspace with bot tests that isn’t trusted',
  {
    host: 'either',
    bot: 'Echo',
    trust: false,
    workspaceFiles: { 'docs/sayings.bot-test.md': QUESTIONS, 'notes.txt': 'x' },
  },
  ({ workbench }) => {
    it('shows none of them, not even when one is open [attack: bot tests]', async () => {
      await workbench.editor.open('sayings.bot-test.md');
      const { page } = workbench;
      await page.keyboard.press('F1');
      await workbench.quickInput.waitFor();
      await page.keyboard.type('Bot Test');
      const command = (title: string) => page.locator('.quick-input-list').getByText(title, { exact: true });
      await command('Parley: New Bot Test').waitFor();
      assert.equal(await command('Parley: Compare Bot Tests…').count(), 0);
      await workbench.dismissBoxes();
      assert.equal(await page.locator(TESTING_ICON).count(), 0);
    });

    it('shows them once it is trusted', async () => {
      const { page } = workbench;
      await workbench.runCommand('Workspaces: Manage Workspace Trust');
      await page
        .locator('.workspace-trust-editor')
        .getByRole('button', { name: 'Trust', exact: true })
        .click();
      await page.locator(TESTING_ICON).first().waitFor();
      await workbench.runCommand('Testing: Focus on Test Explorer View');
      await findItem(page, /^docs\/sayings\.bot-test\.md/).waitFor();
    });
  },
);
