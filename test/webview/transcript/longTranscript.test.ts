import assert from 'node:assert/strict';
import { repeat } from '../../support/repetition';
import { watchCount } from '../support/counts';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

/** Number of exchanges: many more than are rendered at first. */
const EXCHANGES = repeat(500, 2500);
const LAST_ANSWER = `Answer ${EXCHANGES - 1}`;

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
    assert.ok(first > 0 && first < turns.length, `${first} turns at first`);
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
    await show();
    await panel.page.getByText(LAST_ANSWER).waitFor();
    await panel.page.getByRole('log').hover();
    await panel.page.mouse.wheel(0, -400);
    await panel.button('Scroll to Bottom').waitFor();
    const seen = panel.page.getByText(`Answer ${EXCHANGES - 2}`);
    const before = await seen.boundingBox();
    await allDrawn();
    const after = await seen.boundingBox();
    assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 999)) <= 1, `${before?.y} → ${after?.y}`);
    // Content rendered above isn't new.
    assert.equal(await panel.page.locator('.jump').innerText(), 'Scroll to Bottom');
  });
});
