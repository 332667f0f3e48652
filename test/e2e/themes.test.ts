import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { Wait } from '../service/hang';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';

const code = `// Says it.
export const answer = "forty-two" + 42;
`;
const words = ['// Says it.', 'export', '"forty-two"', '42'];

describeInWorkbench(
  'The panel in VS Code’s own themes',
  {
    host: 'either',
    bot: 'Guide',
    settings: {
      'chat.fontSize': 15,
      'editor.semanticHighlighting.enabled': false,
      'workbench.colorTheme': 'Dark Modern',
    },
    workspaceFiles: { 'animals.md': 'The zebra sleeps standing up.\n', 'app.ts': code },
  },
  ({ workbench, service, person, host }) => {
    it('has the editor’s colors in code of a reply in each theme, and violates no rule of its policy', async () => {
      const panel = await workbench.panel();
      await panel.evaluate(() => {
        Object.assign(window, { violations: [] });
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          (window as unknown as { violations: string[] }).violations.push(
            `${violatedDirective} ${blockedURI}`,
          );
        });
      });
      await person.newConversation();
      const script = service.script();
      await person.say('Show code.');
      script.chunk(`\`\`\`ts\n${code}\`\`\``);
      script.end();
      await person.reply('Guide');
      await workbench.editor.open('app.ts');
      const first = await waitUntilAlike(workbench.page, panel);
      // Next to a remote host, the web worker's host can't read the themes and only tells dark from light.
      if (host === 'Node') {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.quickInput.pick('Monokai');
        await waitUntilAlike(workbench.page, panel, first);
      }
      const violations = await panel.evaluate(
        () => (window as unknown as { violations: string[] }).violations,
      );
      assert.deepEqual(violations, []);
    });

    describe('with a document and its quote', () => {
      before(async () => {
        await person.newConversation();
        await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
        await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));
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
          const findViolations = () =>
            panel.evaluate(async () => {
              const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
            });
          // The host sends the colors of code some time after VS Code has changed all others.
          let found = await findViolations();
          for (const wait = new Wait(); found.length > 0 && !wait.isInVain; ) found = await findViolations();
          assert.deepEqual(found, []);
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
    });
  },
);

/**
 * Waits until each word has the same color in the editor and in the reply, distinct from the other words' and
 * from its color in `before`. Returns the colors.
 */
async function waitUntilAlike(page: Page, panel: Frame, before: readonly string[] = []): Promise<string[]> {
  const wait = new Wait();
  for (;;) {
    const wanted = await getColors(page.mainFrame(), vscodeDom.editor.lines);
    const found = await getColors(panel, '.reply .code-block code');
    const isAlike = found.join() === wanted.join() && found.join() !== before.join();
    if (isAlike && new Set(found).size === words.length) return found;
    if (wait.isInVain) {
      assert.deepEqual(found, wanted, `The words are ${words}; before: ${before}`);
      assert.fail(`The colors stayed ${found}`);
    }
    await page.waitForTimeout(50);
  }
}

/**
 * Returns the color of each word, from the innermost element that contains it; empty where the word is
 * missing.
 */
async function getColors(frame: Frame, selector: string): Promise<string[]> {
  return await frame.evaluate(
    ([root, wanted]) => {
      const element = document.querySelector(root);
      return wanted.map((word) => {
        let color = '';
        const walker = document.createTreeWalker(
          element ?? document.createElement('i'),
          NodeFilter.SHOW_TEXT,
        );
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          // The editor renders spaces as no-break spaces.
          if (node.parentElement && node.textContent?.replaceAll('\u00a0', ' ').includes(word)) {
            color = getComputedStyle(node.parentElement).color;
          }
        }
        return color;
      });
    },
    [selector, words] as const,
  );
}
