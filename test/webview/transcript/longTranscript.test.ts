import assert from 'node:assert/strict';
import { repeat } from '../../support/repetition';
import { watchCount } from '../support/counts';
import { describePanel } from '../support/panel';
import { scrollUp } from '../support/scrolling';
import { message, panelState, reply } from '../support/states';

/** Number of exchanges: many more than are rendered at first. */
const EXCHANGES = repeat(500, 2500);
const LAST_ANSWER = `Answer ${EXCHANGES - 1}`;

declare global {
  interface Window {
    firstFrame: Promise<{ readonly count: number; readonly top: number }>;
  }
}

describePanel('conversation with very many turns', {}, (panel) => {
  const turns = Array.from({ length: EXCHANGES }, (_, index) => [
    message(`m${index}`, `Question ${index}`),
    reply(`r${index}`, `Answer ${index}: *three* parts.\n\n- one\n- two \`code\`\n- three`),
  ]).flat();

  beforeEach(() => panel.snapshot(panelState()));

  const show = () => panel.snapshot(panelState({ turns }));
  const allDrawn = () =>
    panel.page.waitForFunction(
      (count) => document.querySelectorAll('article').length === count,
      turns.length,
    );
  const distanceToEnd = () =>
    panel.page
      .getByRole('log')
      .evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

  it('shows its end before the rest is rendered', async () => {
    const drawn = await watchCount(panel, 'article');
    await show();
    await panel.page.getByText(LAST_ANSWER).waitFor();
    const [first = 0] = await drawn();
    assert.ok(first > 0 && first <= 10, `${first} turns at first`);
    assert.ok((await distanceToEnd()) <= 1);
  });

  it('renders the rest by itself, without moving the end', async () => {
    await show();
    const last = panel.page.getByText(LAST_ANSWER);
    const before = await last.boundingBox();
    await allDrawn();
    assert.deepEqual(await last.boundingBox(), before);
  });

  it('moves nothing for a user who scrolled up while the rest is rendered', async () => {
    // The rest is rendered only after the scrolling, however long that takes.
    const resumeIdle = await panel.page.evaluateHandle(() => {
      const request = window.requestIdleCallback;
      const held: Parameters<typeof request>[] = [];
      window.requestIdleCallback = (...args) => held.push(args);
      return () => {
        window.requestIdleCallback = request;
        for (const args of held) request(...args);
      };
    });
    await show();
    await panel.page.getByText(LAST_ANSWER).waitFor();
    await scrollUp(panel, 200);
    const seen = panel.page.getByText(`Answer ${EXCHANGES - 2}`);
    const before = await seen.boundingBox();
    await resumeIdle.evaluate((resume) => resume());
    await allDrawn();
    const after = await seen.boundingBox();
    assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 999)) <= 1, `${before?.y} → ${after?.y}`);
    // Content rendered above isn't new.
    assert.equal(await panel.page.locator('.jump').innerText(), 'Scroll to Bottom');
  });
});

describePanel('tall panel with very many short turns', { height: 1500 }, (panel) => {
  beforeEach(() => panel.snapshot(panelState()));

  it('is full of turns when it is first painted', async () => {
    await panel.page.evaluate(() => {
      // The first frame after the turns are there.
      window.firstFrame = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          const log = document.querySelector('[role=log]');
          if (!log) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const top = document.querySelector('article')?.getBoundingClientRect().top ?? Number.NaN;
            resolve({
              count: log.querySelectorAll('article').length,
              top: top - log.getBoundingClientRect().top,
            });
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });
    });
    const turns = Array.from({ length: EXCHANGES }, (_, index) => message(`${index}`, 'Hi'));
    await panel.snapshot(panelState({ turns }));
    const { count, top } = await panel.page.evaluate(() => window.firstFrame);
    assert.ok(count > 8 && count < turns.length, `${count} turns at first`);
    assert.ok(top <= 0, `the first one at ${top} px`);
  });
});
