import assert from 'node:assert/strict';
import { repeat } from '../../support/repetition';
import { describePanel } from '../support/panel';
import { itInScenes } from '../support/scenes';
import type { Theme } from '../support/themes';

// Light high contrast has the rules of all high contrast, and its own.
for (const theme of repeat<readonly Theme[]>(['hcLight'], ['hcLight', 'hcDark'])) {
  describePanel(`focus, ${theme}`, { theme, width: 420, height: 800, reducedMotion: 'reduce' }, (panel) => {
    itInScenes(panel, 'has a visible focus ring on every control', async () => {
      const unseen: string[] = [];
      const visited = new Set<string>();
      // Goes round once: after the last stop the page has no focus, and Tab then goes to the first.
      for (let ends = 0; ends < 2; ) {
        await panel.page.keyboard.press('Tab');
        const { control, isSeen } = await panel.page.evaluate(focusRing);
        if (control === undefined) {
          ends++;
          continue;
        }
        if (visited.has(control)) break;
        visited.add(control);
        if (!isSeen) unseen.push(control);
      }
      assert.deepEqual(unseen, []);
      assert.ok(visited.size > 0);
    });
  });
}

/** Returns the focused control, and whether a ring in the theme's color is around it or the element it belongs to. */
function focusRing(): { control?: string; isSeen: boolean } {
  const focused = document.activeElement as HTMLElement | null;
  if (!focused || focused === document.body) return { isSeen: true };
  const probe = document.createElement('i');
  probe.style.color = 'var(--vscode-focusBorder)';
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  const hasRing = (element: Element | null): boolean => {
    if (!element) return false;
    const { outlineStyle, outlineColor, outlineWidth, borderTopColor, opacity } = getComputedStyle(element);
    const outline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && outlineColor === color;
    // For a text box the ring is on its frame.
    return (
      opacity !== '0' &&
      (outline || (element.matches('.composer, .list-filter, .find-field') && borderTopColor === color))
    );
  };
  const { left, top } = focused.getBoundingClientRect();
  const name = focused.ariaLabel ?? focused.textContent?.slice(0, 20);
  return {
    control: `${focused.localName}.${focused.className} ${name} at ${Math.round(left)}, ${Math.round(top)}`,
    isSeen:
      hasRing(focused) ||
      (focused.matches('textarea, .list-filter, .find-input') &&
        hasRing(focused.closest('.composer, .find-field') ?? focused)),
  };
}
