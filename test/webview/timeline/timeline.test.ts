import assert from 'node:assert/strict';
import type { Turn } from '../../../src/shared/view/viewModel';
import { describePanel, type Panel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { waitForRest } from '../support/scrolling';
import { message, panelState, reply, streaming } from '../support/states';

const turns: readonly Turn[] = [
  message('m1', 'How does it work?'),
  reply('r1', `## Set-up\n\n${'Words.\n\n'.repeat(30)}### First *steps*\n\n${'Words.\n\n'.repeat(30)}`),
  message('m2', 'And the tests?'),
  reply('r2', 'Run them.'),
];

const getTimeline = (panel: Panel) => panel.page.getByRole('navigation', { name: 'Timeline' });
const getFilter = (panel: Panel) => getTimeline(panel).getByRole('combobox');
const getFocusedTurn = (panel: Panel) =>
  panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset.turn);

async function open(panel: Panel): Promise<void> {
  await panel.post({ type: 'showTimeline' });
  await panel.page.locator('.timeline .list-filter:focus').waitFor();
}

/** Waits until the rows are these; the chosen one ends with `|`, and the question in sight starts with `>`. */
async function waitForRows(panel: Panel, expected: readonly string[]): Promise<void> {
  await panel.page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll('.timeline-row')].map(
      (row) =>
        `${row.ariaCurrent ? '>' : ''}${row.ariaLevel} ${row.textContent}${row.ariaSelected === 'true' ? '|' : ''}`,
    );
    return JSON.stringify(rows) === wanted;
  }, JSON.stringify(expected));
}

describePanel('timeline', { height: 700 }, (panel) => {
  const press = (key: string) => panel.page.keyboard.press(key);

  beforeEach(() => panel.snapshot(panelState({ turns })));
  afterEach(async () => {
    if (await getFilter(panel).isVisible()) await getFilter(panel).press('Escape');
  });

  it('lists the questions and the headings of the replies, and marks the question in sight', async () => {
    await open(panel);
    await waitForRows(panel, ['1 How does it work?', '2 Set-up', '3 First steps', '>1 And the tests?|']);
    await panel.page.locator('.transcript').evaluate((transcript) => transcript.scrollTo({ top: 0 }));
    await waitForRows(panel, ['>1 How does it work?|', '2 Set-up', '3 First steps', '1 And the tests?']);
  });

  it('goes to a question and to a heading with the keyboard, and moves the focus to their turn', async () => {
    await open(panel);
    await waitForRows(panel, ['1 How does it work?', '2 Set-up', '3 First steps', '>1 And the tests?|']);
    await press('ArrowUp');
    await waitForRows(panel, ['1 How does it work?', '2 Set-up', '3 First steps|', '>1 And the tests?']);
    await press('Enter');
    await getFilter(panel).waitFor({ state: 'detached' });
    assert.equal(await getFocusedTurn(panel), 'r1');
    await waitForRest(panel);
    const heading = await panel.page.getByRole('heading', { name: 'First steps' }).boundingBox();
    assert.ok(heading && heading.y > 100 && heading.y < 600, JSON.stringify(heading));
    await open(panel);
    // The question of the heading is the one in sight; after the last row comes the first.
    await press('ArrowUp');
    await press('Enter');
    await getFilter(panel).waitFor({ state: 'detached' });
    assert.equal(await getFocusedTurn(panel), 'm2');
  });

  it('filters by words, chooses the first row, and says when nothing matches', async () => {
    await open(panel);
    await getFilter(panel).fill('steps');
    await waitForRows(panel, ['1 How does it work?|', '3 First steps']);
    await press('ArrowDown');
    await waitForRows(panel, ['1 How does it work?', '3 First steps|']);
    await getFilter(panel).fill('nowhere');
    await getTimeline(panel).getByText('No matching results.').waitFor();
    await press('Enter');
    assert.ok(await getFilter(panel).isVisible());
  });

  it('returns the focus with Escape, which stops no reply and scrolls nothing', async () => {
    // Without “Still waiting”, which would scroll.
    await panel.page.evaluate(patientIntervals(600));
    await panel.change({ type: 'turn', turn: streaming('r3', 'So') });
    await panel.post({ type: 'previousTurn' });
    await panel.intents();
    const before = await waitForRest(panel);
    await open(panel);
    await press('Escape');
    await getFilter(panel).waitFor({ state: 'detached' });
    assert.equal(await getFocusedTurn(panel), 'r3');
    assert.deepEqual(await waitForRest(panel), before);
    assert.deepEqual(await panel.intents(), []);
  });

  it('adds the headings of a reply while it streams, and new questions', async () => {
    await panel.snapshot(panelState({ turns: [message('m1', 'Hi'), streaming('r1', 'So\n\n')] }));
    await open(panel);
    await waitForRows(panel, ['>1 Hi|']);
    await panel.change({ type: 'chunk', turnId: 'r1', text: '# One\n\nand\n\n## Tw' });
    await waitForRows(panel, ['>1 Hi|', '2 One', '3 Tw']);
    await panel.change({ type: 'chunk', turnId: 'r1', text: 'o\n' });
    await waitForRows(panel, ['>1 Hi|', '2 One', '3 Two']);
    await panel.change({ type: 'turn', turn: message('m2', 'Thanks') });
    await getTimeline(panel).getByText('Thanks').waitFor();
  });

  it('replaces the find widget, and the other way round', async () => {
    await panel.post({ type: 'find' });
    await panel.page.locator('.find-input:focus').waitFor();
    await open(panel);
    assert.equal(await panel.page.locator('.find').count(), 0);
    await panel.post({ type: 'find' });
    await panel.page.locator('.find-input:focus').waitFor();
    assert.equal(await getFilter(panel).count(), 0);
    await press('Escape');
  });

  it('leaves the focus in the text box if there are no questions', async () => {
    await panel.snapshot(panelState());
    await panel.post({ type: 'showTimeline' });
    assert.equal(await panel.page.evaluate(() => document.activeElement?.id), 'message');
  });

  describe('of many turns', () => {
    const many = Array.from({ length: 400 }, (_, index) => [
      message(`m${index}`, `Question ${index}`),
      reply(`r${index}`, `Answer ${index}`),
    ]).flat();

    it('renders only the rows in sight, and goes to a question that is not rendered yet', async () => {
      await panel.snapshot(panelState({ turns: many }));
      await open(panel);
      assert.ok((await panel.page.locator('.timeline-row').count()) < 60);
      await getFilter(panel).fill('question 7');
      await press('Enter');
      await panel.page.getByText('Answer 7', { exact: true }).waitFor();
      await panel.page.waitForFunction(
        () => (document.activeElement as HTMLElement | null)?.dataset.turn === 'm7',
      );
    });

    it('reaches the first and the last question by keyboard, beyond the rendered rows', async () => {
      await panel.snapshot(panelState({ turns: many }));
      await open(panel);
      await panel.page.locator('.timeline-row[aria-selected="true"]').getByText('Question 399').waitFor();
      await press('ArrowDown');
      const chosen = panel.page.locator('.timeline-row[aria-selected="true"]');
      await chosen.getByText('Question 0', { exact: true }).waitFor();
      assert.equal(await getFilter(panel).getAttribute('aria-activedescendant'), 'timeline-m0');
      assert.ok(await chosen.isVisible());
      await press('PageDown');
      await chosen.getByText(/Question [1-9]/).waitFor();
    });

    it('says that earlier turns are loading, and lists them when they come', async () => {
      await panel.snapshot(panelState({ turns: many.slice(40, 60), earlier: true }));
      await open(panel);
      await getTimeline(panel).getByText('Loading earlier messages…').waitFor();
      await panel.change({ type: 'earlierTurns', turns: many.slice(0, 40), more: false });
      await getFilter(panel).fill('question 3');
      await getTimeline(panel).getByText('Question 3', { exact: true }).waitFor();
      assert.equal(await getTimeline(panel).getByText('Loading earlier messages…').count(), 0);
    });
  });
});

describePanel('timeline in a wide page', { width: 1200, height: 700 }, (panel) => {
  it('is a rail of the questions around the one in sight, each of which can be gone to', async () => {
    await panel.snapshot(panelState({ turns }));
    const tick = (name: string) => getTimeline(panel).getByRole('button', { name, exact: true });
    await tick('And the tests?').and(panel.page.locator('[aria-current]')).waitFor();
    await tick('How does it work?').click();
    await tick('How does it work?').and(panel.page.locator('[aria-current]')).waitFor();
    assert.equal(await getFocusedTurn(panel), 'm1');
    await tick('How does it work?').focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await tick('And the tests?').and(panel.page.locator('[aria-current]')).waitFor();
    await tick('Show Timeline').click();
    await getFilter(panel).waitFor();
    await getFilter(panel).press('Escape');
    await tick('Show Timeline').waitFor();
  });

  it('has no rail for a single question, and at most 24 ticks for many', async () => {
    const ask = (count: number) =>
      panelState({
        turns: Array.from({ length: count }, (_, index) => message(`${index}`, `Why ${index}?`)),
      });
    await panel.snapshot(ask(1));
    await panel.page.getByText('Why 0?').waitFor();
    assert.equal(await panel.page.locator('.timeline-rail').count(), 0);
    await panel.snapshot(ask(100));
    await panel.page.locator('.timeline-tick[aria-current]').waitFor();
    assert.equal(await panel.page.locator('.timeline-tick').count(), 24);
  });
});
