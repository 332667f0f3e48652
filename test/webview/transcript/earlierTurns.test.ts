import assert from 'node:assert/strict';
import type { Turn } from '../../../src/shared/view/viewModel';
import { watchCount } from '../support/counts';
import { holdHighlight } from '../support/motion';
import { describePanel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { scrollUp, waitForRest } from '../support/scrolling';
import { document as documentTurn, message, panelState, reply, streaming } from '../support/states';

const all = Array.from({ length: 150 }, (_, index): Turn[] => [
  message(`m${index}`, `Question ${index}`),
  reply(`r${index}`, `Answer ${index} with *several* words.\n\n- one\n- two needles and a Nëedle`),
]).flat();
const known = all.slice(-40);
const rest = all.slice(0, -40);

describePanel('earlier turns', { height: 500, reducedMotion: 'reduce' }, (panel) => {
  let id: string;
  beforeEach(async () => {
    const state = panelState({ turns: known, earlier: true });
    id = state.conversation.id;
    await panel.snapshot(state);
    await panel.page.getByText('Answer 149').waitFor();
  });

  const log = () => panel.page.getByRole('log');
  const loading = () => panel.page.getByText('Loading earlier messages…');
  const allDrawn = (count = all.length) =>
    panel.page.waitForFunction((n) => document.querySelectorAll('article').length === n, count);
  const frames = () =>
    panel.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
    );
  const place = async (text: string) =>
    (await panel.page.getByText(text, { exact: true }).boundingBox())?.y ?? -1;
  const stays = async (text: string, act: () => Promise<unknown>) => {
    const before = await place(text);
    await act();
    await frames();
    const after = await place(text);
    assert.ok(Math.abs(after - before) <= 1, `${text}: ${before} → ${after}`);
  };

  it('are added in order, and the page shows that they are loading', async () => {
    await allDrawn(40);
    await loading().waitFor();
    await panel.change({ type: 'earlierTurns', turns: rest.slice(50), more: true });
    await panel.change({ type: 'earlierTurns', turns: rest.slice(0, 50), more: false });
    await allDrawn();
    assert.equal(await loading().count(), 0);
    const ids = await panel.page.locator('article').evaluateAll((them) => them.map((it) => it.dataset.turn));
    assert.deepEqual(
      ids,
      all.map(({ id }) => id),
    );
  });

  it("don't move the end while it is followed, and it is followed after that", async () => {
    await stays('Question 149', async () => {
      await panel.change({ type: 'earlierTurns', turns: rest, more: false });
      await allDrawn();
    });
    // Without “Still waiting”, which would scroll.
    await panel.page.evaluate(patientIntervals(600));
    await panel.change({ type: 'turn', turn: streaming('s', 'line\n\n'.repeat(30)) });
    await frames();
    assert.equal(
      await log().evaluate((it) => Math.round(it.scrollHeight - it.clientHeight - it.scrollTop)),
      0,
    );
  });

  for (const [where, up] of [
    ['in the middle', 900],
    ['at the very top', 100_000],
  ] as const) {
    it(`move nothing while the user reads ${where}`, async () => {
      await allDrawn(40);
      await scrollUp(panel, up);
      if (up > 1000)
        await panel.page.waitForFunction(() => document.querySelector('.transcript')?.scrollTop === 0);
      const seen = await panel.page
        .locator('.bubble p')
        .evaluateAll((them) => them.find((it) => it.getBoundingClientRect().top > 60)?.textContent ?? '');
      await stays(seen, async () => {
        await panel.change({ type: 'earlierTurns', turns: rest, more: false });
        await allDrawn();
      });
    });
  }

  it("don't render existing turns again", async () => {
    await allDrawn(40);
    const article = await panel.page.locator('[data-turn="m149"]').elementHandle();
    await panel.change({ type: 'earlierTurns', turns: rest, more: false });
    await allDrawn();
    assert.equal(await article?.evaluate((it) => it.isConnected), true);
  });

  describe('and a new snapshot after a missed message', () => {
    const shown = () => panel.page.locator('[data-turn="m149"]').elementHandle();

    it('keep the elements and the focus, and the rest is rendered when idle', async () => {
      // The host posts documents at once, wherever they are.
      const withDocument = [...all.slice(0, 20), documentTurn('d'), ...all.slice(20)];
      await panel.snapshot(panelState({ id: 'd', turns: [documentTurn('d'), ...known], earlier: true }));
      await allDrawn(40);
      await panel.button('Copy Message').last().focus();
      const article = await shown();
      const drawn = await watchCount(panel, 'article');
      await panel.snapshot(panelState({ id: 'd', turns: withDocument }));
      await allDrawn();
      assert.equal(await article?.evaluate((it) => it.contains(document.activeElement)), true);
      const [first = 0] = await drawn();
      assert.ok(first < all.length / 2, `${first} turns at once`);
    });

    it('keep the elements if all were there', async () => {
      await panel.change({ type: 'earlierTurns', turns: rest, more: false });
      await allDrawn();
      const articles = await Promise.all(
        ['m149', 'm20'].map((id) => panel.page.locator(`[data-turn="${id}"]`).elementHandle()),
      );
      await panel.snapshot(panelState({ id, turns: all }));
      await frames();
      for (const article of articles) assert.equal(await article?.evaluate((it) => it.isConnected), true);
    });
  });

  it('are rendered when idle after a visit to another conversation that was too brief to be shown', async () => {
    await panel.change({ type: 'earlierTurns', turns: rest, more: false });
    await allDrawn();
    await panel.change(
      { type: 'conversation', conversation: panelState({ turns: known.slice(-2) }).conversation },
      {
        type: 'conversation',
        conversation: panelState({ id, turns: known, earlier: true }).conversation,
      },
    );
    await allDrawn(40);
    const drawn = await watchCount(panel, 'article');
    await panel.change({ type: 'earlierTurns', turns: rest, more: false });
    await allDrawn();
    const [first = 0] = await drawn();
    assert.ok(first < all.length / 2, `${first} turns at once`);
  });

  it('are awaited if only documents are known, without the hints for an empty conversation', async () => {
    await panel.snapshot(panelState({ turns: [documentTurn('d')], earlier: true }));
    await loading().waitFor();
    assert.equal(await panel.page.locator('.empty').count(), 0);
    await panel.change({ type: 'earlierTurns', turns: all.slice(-2), more: false });
    await panel.page.getByText('Answer 149').waitFor();
  });

  describe('with a turn to reveal', () => {
    const middle = async (text: string) => {
      const box = await panel.page.getByText(text, { exact: true }).boundingBox();
      const view = await log().boundingBox();
      if (!box || !view) return Number.NaN;
      return Math.abs(box.y + box.height / 2 - (view.y + view.height / 2));
    };
    const reveal = (turnId: string) => panel.change({ type: 'revealTurn', turnId });

    it('show it in the middle, highlighted for a while, and keep it there', async () => {
      const held = await holdHighlight(panel.page);
      await reveal('m140');
      await panel.page.locator('[data-turn="m140"].revealed').waitFor();
      await waitForRest(panel);
      assert.ok((await middle('Question 140')) < 40);
      await panel.change({ type: 'turn', turn: streaming('s', 'line\n\n'.repeat(30)) });
      await waitForRest(panel);
      assert.ok((await middle('Question 140')) < 40);
      await held.evaluate((sheet) => {
        sheet.disabled = true;
      });
      await panel.page.locator('.revealed').waitFor({ state: 'detached' });
    });

    it('reveal it once it has arrived', async () => {
      await reveal('m20');
      await panel.change({ type: 'earlierTurns', turns: rest, more: false });
      await panel.page.getByText('Question 20', { exact: true }).waitFor();
      await waitForRest(panel);
      assert.ok((await middle('Question 20')) < 40, `${await middle('Question 20')}`);
      await allDrawn();
      await waitForRest(panel);
      assert.ok((await middle('Question 20')) < 40, `${await middle('Question 20')}`);
    });

    it('highlight the words it was found by until the next key or click', async () => {
      const marks = () =>
        panel.page.evaluate(() => [...(CSS.highlights.get('search-match') ?? [])].map((range) => `${range}`));
      await panel.post({ type: 'showList' });
      await panel.page.locator('.list-filter:focus').fill('needle');
      const request = await panel.intent('search');
      const hit = { conversationId: id, turnId: 'r135', name: 'N', bot: { id: 'g', name: 'G' }, at: 1 };
      await panel.respond(request, {
        hits: [{ ...hit, before: '', match: 'needle', after: '' }],
        done: true,
      });
      await panel.page.keyboard.press('Enter');
      await panel.intent('openTurn');
      await reveal('r135');
      assert.deepEqual(await marks(), ['needle', 'Nëedle']);
      await panel.page.keyboard.press('x');
      assert.deepEqual(await marks(), []);
    });
  });
});
