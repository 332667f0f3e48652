import assert from 'node:assert/strict';
import { repeat } from '../../support/repetition';
import { describePanel } from '../support/panel';
import { itInScenes } from '../support/scenes';
import type { Theme } from '../support/themes';

// Light high contrast has the rules of all high contrast, and its own.
for (const theme of repeat<readonly Theme[]>(['hcLight'], ['hcLight', 'hcDark'])) {
  describePanel(`focus, ${theme}`, { theme, width: 420, height: 800, reducedMotion: 'reduce' }, (panel) => {
    itInScenes(panel, 'has a visible focus ring on every control', async () => {
      // As after a key: browsers show no ring on what a click focuses.
      await panel.page.keyboard.press('Tab');
      const { count, unseen } = await panel.page.evaluate(findControlsWithoutRing);
      assert.deepEqual(unseen, []);
      assert.ok(count > 0);
    });
  });
}

/**
 * Focuses every control that Tab can reach, then the one before. Returns their number, and those without a ring in the theme's color around them or
 * the element they belong to.
 */
function findControlsWithoutRing(): { readonly count: number; readonly unseen: readonly string[] } {
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
  const focused = document.activeElement as HTMLElement | null;
  let count = 0;
  const unseen: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>('*')) {
    if (control.tabIndex < 0) continue;
    control.focus();
    // Hidden and disabled ones take no focus.
    if (document.activeElement !== control) continue;
    count++;
    const isText = control.matches('textarea, .list-filter, .find-input');
    if (hasRing(control) || (isText && hasRing(control.closest('.composer, .find-field')))) continue;
    const { left, top } = control.getBoundingClientRect();
    const name = control.ariaLabel ?? control.textContent?.slice(0, 20);
    unseen.push(
      `${control.localName}.${control.className} ${name} at ${Math.round(left)}, ${Math.round(top)}`,
    );
  }
  focused?.focus();
  return { count, unseen };
}
