import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

const COMMAND = 'Parley: Review Changes Against Documents…';

const options = {
  host: 'both',
  bot: 'Echo',
  isolated: true,
  keptExtensions: ['git', 'git-base'],
  workspaceFiles: { 'policy.md': '# Policy\n\nNo todos.\n', 'app.ts': 'one\ntwo\n' },
} as const;

describeInWorkbench('A review of changes', options, ({ workbench, service, person, host }) => {
  if (host === 'web worker') {
    it('says that it needs the Git extension, which the web worker’s host doesn’t have', async () => {
      await workbench.runCommand(COMMAND);
      await workbench.notifications.waitFor('Reviewing changes needs VS Code’s Git extension');
    });
    return;
  }

  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workbench.workspaceDir });
  before(async () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'Start');
    await writeFile(path.join(workbench.workspaceDir, 'app.ts'), 'one\n// TODO\ntwo\n');
    git('add', '.');
    await workbench.reload();
    // The Git extension has seen what is staged.
    await workbench.page.locator(vscodeDom.statusBar.item).filter({ hasText: 'main+' }).waitFor();
  });

  it('is confirmed by keyboard, shows a finding at its line, and is resolved and cleared from the palette', async () => {
    const { quickInput, dialog, page } = workbench;
    const script = service.script();
    await workbench.runCommand(COMMAND);
    await quickInput.pick('Staged Changes');
    await quickInput.pick('Echo');
    await quickInput.pickMany(['policy.md']);
    const text = await dialog.text();
    assert.ok(text.includes('Send these changes to Echo for review: Staged Changes?'), text);
    assert.equal(service.documents.size, 0);
    await dialog.enter();
    await script.opened;
    script.chunk('- `app.ts:2`: a todo <b>here</b> [policy.md]\n\nThat is all.');
    script.end();
    await workbench.notifications.keep('The review added 1 comment (1 file).');
    assert.equal(service.documents.size, 2);
    assert.match(await person.reply('Echo'), /That is all\./);
    await workbench.notifications.press('The review added', 'Show Comments');
    const row = page.locator('.comments-panel .monaco-list-row').filter({ hasText: 'a todo' }).first();
    await row.click();
    const comment = page.locator('.review-widget .comment-body').first();
    await comment.filter({ hasText: 'a todo <b>here</b>' }).waitFor();
    assert.match(await comment.innerText(), /Document: policy\.md/);
    await page.keyboard.press('Escape');
    await workbench.editor.open('app.ts');
    await workbench.editor.selectLines(2, 2);
    await workbench.runCommand('Parley: Resolve Finding');
    await workbench.runCommand('Parley: Reopen Finding');
    await workbench.runCommand('Parley: Clear All Findings');
    await page.locator('.comments-panel .monaco-list-row').first().waitFor({ state: 'detached' });
  });

  it('starts from the menu of the repository in Source Control', async () => {
    const { page, quickInput } = workbench;
    await workbench.runCommand('Source Control: Focus on Changes View');
    await page.locator('.scm-view').getByText('Staged Changes').waitFor();
    const header = '.pane-header[aria-label^="Changes"]';
    await page.locator(header).hover();
    const title = 'Review Changes Against Documents';
    await workbench.openBoxFromTitleBar(header, `${title}…`, title);
    await quickInput.cancel();
  });
});

describeInWorkbench(
  'A review of changes in a workspace that isn’t trusted',
  { ...options, host: 'either', isolated: false, trust: false },
  ({ workbench, service }) => {
    it('reads and sends nothing, and offers to trust the workspace', async () => {
      await workbench.runCommand(COMMAND);
      await workbench.notifications.press(
        'In Restricted Mode, Parley reads no changes',
        'Manage Workspace Trust',
      );
      await workbench.page.locator('.workspace-trust-editor').waitFor();
      assert.deepEqual(
        service.requests.filter(({ method }) => method !== 'GET'),
        [],
      );
    });
  },
);
