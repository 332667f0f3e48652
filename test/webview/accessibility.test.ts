import assert from 'node:assert/strict';
import axe from 'axe-core';
import { Panel } from './support/panel';
import { leaveScene, scenes, showScene } from './support/scenes';
import { themes } from './support/themes';

for (const theme of themes) {
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

    for (const [name, scene] of Object.entries(scenes)) {
      it(`finds nothing wrong with: ${name}`, async () => {
        await showScene(panel, scene);
        const violations = await panel.page.evaluate(async () => {
          const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run();
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        assert.deepEqual(violations, []);
        await leaveScene(panel);
      });
    }
  });
}
