import assert from 'node:assert/strict';
import type { PanelState } from '../../src/shared/view/viewModel';
import { answerPaths } from './support/files';
import { describePanel } from './support/panel';
import { document, message, panelState, reply, summary } from './support/states';

/** Counts what the page asks the browser to call later, starting before its own script. As text: see Panel. */
const watchTimers = `
  window.pending = new Set();
  for (const [begin, end, repeats] of [
    ['setTimeout', 'clearTimeout', false],
    ['setInterval', 'clearInterval', true],
    ['requestAnimationFrame', 'cancelAnimationFrame', false],
    ['requestIdleCallback', 'cancelIdleCallback', false],
  ]) {
    const [schedule, cancel] = [window[begin].bind(window), window[end].bind(window)];
    window[begin] = (callback, ...rest) => {
      const id = schedule((...args) => {
        if (!repeats) pending.delete(begin + id);
        callback(...args);
      }, ...rest);
      pending.add(begin + id);
      return id;
    };
    window[end] = (id) => {
      pending.delete(begin + id);
      cancel(id);
    };
  }
`;

const rich = `# Title

\`\`\`ts
const a = 1;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

$x^2$ in \`src/a.ts\``;

const scenes: Record<string, PanelState> = {
  'first run': panelState({}, { setup: { step: 'apiKey', serviceHost: 'bots.example' } }),
  'empty conversation': panelState(),
  'conversation with documents, a failure and a list': panelState(
    {
      turns: [
        message('1', 'Hi'),
        reply('2', rich, { sources: [{ name: 'a.md', opens: 'file' }] }),
        reply('3', '', { ending: 'failed', problem: { text: 'No.', actions: ['retry'] } }),
        document('4', { state: 'attached', opens: true, file: 'changed' }),
      ],
    },
    { conversations: [summary('x', 'Plans', { unread: true })] },
  ),
};

/** No timer is left after this time, so that only the browser itself could make the page work. */
const REST_MS = 300;

describePanel('idle panel', {}, (panel) => {
  before(async () => {
    await panel.page.addInitScript(watchTimers);
    await panel.renew();
  });

  const pending = () =>
    panel.page.evaluate(() => [...(window as unknown as { pending: Set<string> }).pending]);

  for (const [name, state] of Object.entries(scenes)) {
    it(`waits for nothing and does nothing: ${name}`, async () => {
      await panel.snapshot(state);
      await panel.message.or(panel.button('Set API Key')).first().waitFor();
      // An unanswered request would be waited for.
      await answerPaths(panel, ['src/a.ts']);
      // The empty conversation offers prompts, once their lazy script is loaded.
      if (state === scenes['empty conversation']) await panel.respond(await panel.intent('listPrompts'), []);
      await panel.page.mouse.move(1, 1);
      while ((await pending()).length > 0) await panel.page.waitForTimeout(50);
      const session = await panel.page.context().newCDPSession(panel.page);
      await session.send('Performance.enable');
      const measure = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        const of = (metric: string) => metrics.find((each) => each.name === metric)?.value ?? Number.NaN;
        return { script: of('ScriptDuration'), layouts: of('LayoutCount'), styles: of('RecalcStyleCount') };
      };
      // Lazy scripts may load late; a panel that never rests fails by the test's time limit.
      let now = await measure();
      let last: typeof now;
      let hasMoved: boolean;
      do {
        last = now;
        await panel.page.waitForTimeout(REST_MS);
        now = await measure();
        hasMoved =
          now.layouts > last.layouts || now.styles > last.styles || now.script - last.script >= 0.001;
      } while (hasMoved || (await pending()).length > 0);
      await session.detach();
      const animations = await panel.page.evaluate(() =>
        window.document.getAnimations().map((animation) => animation.playState),
      );
      assert.deepEqual(animations, []);
    });
  }
});
