import assert from 'node:assert/strict';
import axe from 'axe-core';
import { repeat } from '../support/repetition';
import { findMoving } from './support/motion';
import { describePanel, type Panel } from './support/panel';
import { itInScenes } from './support/scenes';
import { type Theme, themes } from './support/themes';

/**
 * Light high contrast has the rules of all high contrast and its own, with dark text. For the other themes only colors are
 * checked, since nothing else differs.
 */
const fullyChecked = repeat<readonly Theme[]>(['hcLight'], themes);
const colorRules = ['color-contrast', 'link-in-text-block'];

describeAccessibility('accessibility', 320);
describeAccessibility('accessibility of a wide page', 1200, ['timeline, the rail of a wide page']);

function describeAccessibility(title: string, width: number, scenes?: readonly string[]): void {
  describePanel(title, { width, reducedMotion: 'reduce' }, (panel) => checkScenes(panel, scenes));
}

function checkScenes(panel: Panel, scenes?: readonly string[]): void {
  before(() => panel.page.evaluate(axe.source));

  const findViolations = (rules: string[]) =>
    panel.page.evaluate(async (runOnly) => {
      const { axe: checker } = window as unknown as { axe: typeof axe };
      const { violations } = await checker.run({
        resultTypes: ['violations'],
        ...(runOnly.length > 0 && { runOnly }),
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    }, rules);

  const check = async () => {
    for (const theme of themes) {
      await panel.setTheme(theme);
      assert.deepEqual(await findViolations(fullyChecked.includes(theme) ? [] : colorRules), [], theme);
    }
    assert.deepEqual(await panel.page.evaluate(findMoving), []);
  };
  itInScenes(panel, 'has no accessibility problems in any theme, and nothing that moves', check, scenes);
}
