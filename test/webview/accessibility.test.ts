import assert from 'node:assert/strict';
import axe from 'axe-core';
import { Panel } from './support/panel';
import { scenes } from './support/scenes';
import type { Theme } from './support/themes';

for (const theme of ['dark', 'light', 'hcDark', 'hcLight'] as const satisfies Theme[]) {
  describe(`accessibility, ${theme}`, () => {
    let panel: Panel;

    before(async () => {
      panel = await Panel.open({ theme, reducedMotion: 'reduce' });
      await panel.page.evaluate(axe.source);
    });

    after(async () => {
      assert.deepEqual(panel.errors, []);
      await panel.close();
    });

    for (const [name, [state, act]] of Object.entries(scenes)) {
      it(`finds nothing wrong with ${name}`, async () => {
        await panel.snapshot(state);
        await act?.(panel);
        const violations = await panel.page.evaluate(async () => {
          const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run();
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        assert.deepEqual(violations, []);
        await panel.page.keyboard.press('Escape');
      });
    }
  });
}
