import assert from 'node:assert/strict';
import axe from 'axe-core';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';
import { STEP_TIMEOUT_MS } from './support/workbench';

describeInWorkbench(
  'The panel in VS Code’s own themes',
  {
    bot: 'Guide',
    settings: { 'chat.fontSize': 15 },
    workspaceFiles: { 'animals.md': 'The zebra sleeps standing up.\n' },
  },
  ({ workbench, service, person }) => {
    before(async () => {
      await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'), STEP_TIMEOUT_MS);
      await person.say('How does the zebra sleep? Show code.');
      await person.reply('Guide');
      await (await workbench.panel()).evaluate(axe.source);
    });

    for (const [theme, kind] of [
      ['Dark Modern', 'vscode-dark'],
      ['Light Modern', 'vscode-light'],
      ['Dark High Contrast', 'vscode-high-contrast'],
      ['Light High Contrast', 'vscode-high-contrast-light'],
    ] as const) {
      it(`has no axe violations in ${theme}`, async () => {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.page.locator(`${vscodeDom.quickInput.widget} input`).first().fill(theme);
        await workbench.quickInput.pick(theme);
        const panel = await workbench.panel();
        await panel.waitForFunction((wanted) => document.body.dataset.vscodeThemeKind === wanted, kind);
        // axe can't see the window behind the frame, so give the page the side bar's background.
        await panel.evaluate(() => {
          document.documentElement.style.background = 'var(--vscode-sideBar-background)';
        });
        const violations = await panel.evaluate(async () => {
          const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run();
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        assert.deepEqual(violations, []);
      });
    }

    it('uses the font size of the chat.fontSize setting', async () => {
      const panel = await workbench.panel();
      const size = await panel
        .locator('.markdown p')
        .first()
        .evaluate((element) => getComputedStyle(element).fontSize);
      assert.equal(size, '15px');
    });
  },
);
