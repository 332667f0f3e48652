import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { describeInWorkbench } from './support/describeInWorkbench';
import { vscodeDom } from './support/vscodeDom';
import { STEP_TIMEOUT_MS } from './support/workbench';

const code = `// Says it.
export const answer = "forty-two" + 42;
`;
const words = ['// Says it.', 'export', '"forty-two"', '42'];

describeInWorkbench(
  'Syntax colors of code in a reply',
  {
    host: 'either',
    bot: 'Echo',
    settings: { 'editor.semanticHighlighting.enabled': false, 'workbench.colorTheme': 'Dark Modern' },
    workspaceFiles: { 'app.ts': code },
  },
  ({ workbench, person, host }) => {
    it('match the editor’s in each theme and violate no rule of the page’s policy', async () => {
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
  },
);

/**
 * Waits until each word has the same color in the editor and in the reply, distinct from the other words' and
 * from its color in `before`. Returns the colors.
 */
async function waitUntilAlike(page: Page, panel: Frame, before: readonly string[] = []): Promise<string[]> {
  const deadline = Date.now() + STEP_TIMEOUT_MS;
  for (;;) {
    const wanted = await getColors(page.mainFrame(), vscodeDom.editor.lines);
    const found = await getColors(panel, '.reply .code-block code');
    const isAlike = found.join() === wanted.join() && found.join() !== before.join();
    if (isAlike && new Set(found).size === words.length) return found;
    if (Date.now() > deadline) {
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
