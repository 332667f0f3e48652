import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';
import { patience } from './support/workbench';

const code = `// Says it.
export const answer = "forty-two" + 42;
`;
const words = ['// Says it.', 'export', '"forty-two"', '42'];

describeInWorkbench(
  'Colours of code',
  {
    host: 'either',
    bot: 'Echo',
    settings: { 'editor.semanticHighlighting.enabled': false, 'workbench.colorTheme': 'Dark Modern' },
    workspaceFiles: { 'app.ts': code },
  },
  ({ workbench, person, host }) => {
    it('are the editor’s, for each theme, and break no rule of the page', async () => {
      const panel = await workbench.panel();
      await panel.evaluate(() => {
        Object.assign(window, { violations: [] });
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          (window as unknown as { violations: string[] }).violations.push(
            `${violatedDirective} ${blockedURI}`,
          );
        });
      });
      await person.say(`\`\`\`ts\n${code}\`\`\``);
      await person.reply('Echo');
      await workbench.editor.open('app.ts');
      const first = await alike(workbench.page, panel);
      // Beside a remote host a web worker's doesn't see the themes, but knows dark from light.
      if (host === 'Node') {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.quickInput.pick('Monokai');
        await alike(workbench.page, panel, first);
      }
      const violations = await panel.evaluate(
        () => (window as unknown as { violations: string[] }).violations,
      );
      assert.deepEqual(violations, []);
    });
  },
);

/**
 * Waits until the words have the same colours in the editor and in the reply, other ones than before; each word has
 * one of its own. Returns them.
 */
async function alike(page: Page, panel: Frame, before: readonly string[] = []): Promise<string[]> {
  const deadline = Date.now() + patience;
  for (;;) {
    const wanted = await coloursIn(page.mainFrame(), vscodeDom.editor.lines);
    const found = await coloursIn(panel, '.reply .code-block code');
    const alike = found.join() === wanted.join() && found.join() !== before.join();
    if (alike && new Set(found).size === words.length) return found;
    if (Date.now() > deadline) {
      assert.deepEqual(found, wanted, `The words are ${words}; before: ${before}`);
      assert.fail(`The colours stayed ${found}`);
    }
    await page.waitForTimeout(50);
  }
}

/** The colour of each word: of the innermost element that holds it; empty where it isn't there. */
async function coloursIn(frame: Frame, selector: string): Promise<string[]> {
  return await frame.evaluate(
    ([root, wanted]) => {
      const element = document.querySelector(root);
      return wanted.map((word) => {
        let colour = '';
        const walker = document.createTreeWalker(
          element ?? document.createElement('i'),
          NodeFilter.SHOW_TEXT,
        );
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          // The editor's spaces are no-break ones.
          if (node.parentElement && node.textContent?.replaceAll('\u00a0', ' ').includes(word)) {
            colour = getComputedStyle(node.parentElement).color;
          }
        }
        return colour;
      });
    },
    [selector, words] as const,
  );
}
