import { assertShort, watchMainThread } from '../support/mainThread';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

/** In pieces of known work: about 15 s on a quick machine. With quadratic growth it takes a minute or more. */
const MAX_KNOWN_WORK = 300;

describePanel('paragraph with 25,000 pieces of formatted text', {}, (panel) => {
  const paragraph = 'Some *prose* and **more** '.repeat(12_500);

  for (const [what, turns] of [
    ['a message', [message('1', paragraph)]],
    ['a reply', [message('1', 'Hi'), reply('2', paragraph)]],
  ] as const) {
    it(`is shown as ${what} without freezing the panel [attack: slow text]`, async () => {
      await panel.snapshot(panelState());
      const measure = await watchMainThread(panel.page);
      await panel.snapshot(panelState({ turns: [...turns] }));
      await panel.page.waitForFunction(() => document.querySelectorAll('.turn em').length === 12_500);
      // A frame, with its layout.
      await panel.page.evaluate(() => new Promise(requestAnimationFrame));
      const ms = await measure();
      await assertShort(panel.page, measure, { ms, limit: MAX_KNOWN_WORK, what: 'The page was busy' });
    });
  }
});
