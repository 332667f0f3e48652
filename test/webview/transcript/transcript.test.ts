import assert from 'node:assert/strict';
import type { Turn } from '../../../src/shared/view/viewModel';
import { waitUntil } from '../../support/waitUntil';
import { describePanel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { scrollUp, waitForRest } from '../support/scrolling';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('transcript', {}, (panel) => {
  const jump = () => panel.page.getByRole('button', { name: /^Scroll to Bottom( [\d,]+ new lines?)?$/ });
  const show = async (...turns: Turn[]) => {
    await panel.snapshot(panelState({ turns }));
    await panel.intents();
  };
  const log = () => panel.page.getByRole('log', { name: 'Conversation' });
  const article = (name: string) => panel.page.getByRole('article', { name });

  it('names turns, and marks the streaming one as busy', async () => {
    await show(message('1', 'Hi'), streaming('2', 'He'));
    assert.equal(await log().getAttribute('aria-live'), 'off');
    assert.match(await article('You').innerText(), /^Hi\n/);
    assert.equal(await article('Guide').getAttribute('aria-busy'), 'true');
    await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
    assert.equal(await article('Guide').getAttribute('aria-busy'), 'false');
  });

  it('names a message by the agent that sent it, as text', async () => {
    await show({ ...message('1', 'Hi'), agent: '<b>Claude</b> Code' } as Turn);
    assert.match(
      await article('<b>Claude</b> Code (agent)').innerText(),
      /^<b>Claude<\/b> Code \(agent\)\s+Hi/,
    );
  });

  it('shows a message as Markdown, with its line ends and with fenced code as it is', async () => {
    const typed =
      'Is <b>this</b> *bold*?\nOr `not`?  \nNo.<br>So.\n\n```ts\nlet a = 1;\n```\n\n- $x^2$\n- <img src=x onerror=y>';
    await show(message('1', typed));
    const bubble = article('You').locator('.bubble');
    assert.equal(await bubble.locator('p').first().innerText(), 'Is <b>this</b> bold?\nOr not?\nNo.\nSo.');
    assert.deepEqual(await bubble.locator('em, p code').allTextContents(), ['bold', 'not']);
    assert.equal(await bubble.locator('pre').textContent(), 'let a = 1;\n');
    assert.equal(await bubble.locator('.code-bar, img').count(), 0);
    await bubble.locator('li math').waitFor();
  });

  it("copies a message's source, and edits it", async () => {
    await show(message('1', 'Is *this* bold?'), reply('2', 'Yes.'));
    await panel.button('Copy Message').click();
    assert.equal((await panel.intent('copy')).text, 'Is *this* bold?');
    await panel.button('Edit and Ask Again').click();
    assert.equal(await panel.composerText, 'Is *this* bold?');
  });

  describe('long message', () => {
    const long = Array.from(
      { length: 30 },
      (_, index) => `Line ${index} with [a link](https://a.b/${index})`,
    );
    const bubble = () => article('You').locator('.bubble');
    const height = () => bubble().evaluate((it) => it.clientHeight);

    it('is collapsed, and expands and collapses by mouse and keyboard', async () => {
      await show(message('1', long.join('\n')));
      const collapsed = await height();
      assert.ok(collapsed < 220, `${collapsed}`);
      assert.equal(await panel.button('Show More').getAttribute('aria-expanded'), 'false');
      await panel.button('Show More').click();
      assert.ok((await height()) > 500);
      assert.equal(await panel.button('Show Less').getAttribute('aria-expanded'), 'true');
      await panel.button('Show Less').press('Enter');
      assert.equal(await height(), collapsed);
    });

    it('expands when a link in it gets the focus', async () => {
      await show(message('2', long.join('\n')));
      await bubble().getByRole('link').last().focus();
      await panel.button('Show Less').waitFor();
      assert.ok((await height()) > 500);
    });

    it('expands for a search hit in it, as do details in a reply', async () => {
      const turns = [
        message('m', `${long.join('\n')}\nneedle`),
        reply('r', '<details>\n\nA needle.\n</details>'),
      ];
      await show(...turns);
      for (const turnId of ['m', 'r']) {
        await panel.post({ type: 'showList' });
        await panel.page.getByRole('combobox', { name: 'Search conversations' }).fill('needle');
        const request = await panel.intent('search');
        const hit = { conversationId: 'c', turnId, name: 'N', bot: { id: 'g', name: 'G' }, at: 1 };
        await panel.respond(request, {
          hits: [{ ...hit, before: '', match: 'needle', after: '' }],
          done: true,
        });
        await panel.page.keyboard.press('Enter');
        await panel.intent('openTurn');
        await panel.change({ type: 'revealTurn', turnId });
        const found = panel.page.locator(turnId === 'm' ? '.bubble' : 'details p');
        assert.ok(await found.evaluate((it) => it.checkVisibility({ contentVisibilityAuto: true })));
        assert.equal(await panel.page.locator('.collapsed').count(), 0);
      }
      await panel.button('Show Less').waitFor();
    });

    it('is not collapsed if it has twelve lines', async () => {
      await show(message('5', long.slice(0, 12).join('\n')));
      assert.equal(await panel.button('Show More').count(), 0);
    });
  });

  it('announces once and politely how a reply ended', async () => {
    const status = panel.page.getByRole('status');
    for (const [ending, said] of [
      ['complete', 'Reply complete'],
      ['stopped', 'Reply stopped'],
      ['interrupted', 'Reply interrupted'],
    ] as const) {
      await show(streaming('1', 'So'));
      await panel.change({ type: 'ended', turnId: '1', ending });
      assert.equal(await status.innerText(), said);
    }
  });

  describe('long conversation', () => {
    beforeEach(async () => {
      const turns = Array.from({ length: 100 }, (_, index) => [
        message(`m${index}`, 'Question'),
        reply(`r${index}`, 'Answer'),
      ]).flat();
      await show(...turns, message('last', 'And?'), streaming('s', 'It'));
      await panel.page.waitForFunction(() => document.querySelectorAll('article').length === 202);
      // The script that renders the composer once more is loaded.
      await panel.button('Search the Web').waitFor();
    });

    /** Returns how often components were rendered meanwhile, by name. */
    const drawn = async (act: () => Promise<void>) => {
      await panel.page.coverage.startJSCoverage();
      await act();
      const scripts = await panel.page.coverage.stopJSCoverage();
      const functions = scripts.flatMap((script) => script.functions);
      const calls = (name: string) =>
        functions
          .filter(({ functionName }) => functionName === name)
          .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
      return { App: calls('App'), Composer: calls('Composer'), Reply: calls('Reply') };
    };

    it('renders no component for a chunk, and one text node for all', async () => {
      const counts = await drawn(async () => {
        for (const text of [' goes', ' on', '.']) await panel.change({ type: 'chunk', turnId: 's', text });
      });
      assert.deepEqual(counts, { App: 0, Composer: 0, Reply: 0 });
      assert.equal(await panel.page.locator('.markdown').last().innerText(), 'It goes on.');
    });

    it('renders no turn for a key', async () => {
      await panel.message.focus();
      const counts = await drawn(() => panel.page.keyboard.press('x'));
      assert.deepEqual(counts, { App: 1, Composer: 1, Reply: 0 });
    });

    it('renders one turn for an ending', async () => {
      const counts = await drawn(() => panel.change({ type: 'ended', turnId: 's', ending: 'complete' }));
      assert.equal(counts.Reply, 1);
    });
  });

  it('replaces and removes turns', async () => {
    await show(message('1', 'Hi'), reply('2', '', { ending: 'failed' }));
    await panel.change({ type: 'turnRemoved', turnId: '2' }, { type: 'turn', turn: streaming('3', 'New') });
    assert.equal(await panel.page.getByRole('article').count(), 2);
    await panel.change({ type: 'turn', turn: reply('3', 'Other text') });
    assert.equal(await panel.page.locator('.markdown').innerText(), 'Other text');
  });

  describe('scrolling', () => {
    const lines = (count: number) => 'A line of the reply.\n\n'.repeat(count);
    const fromEnd = () =>
      log().evaluate((it) => Math.round(it.scrollHeight - it.clientHeight - it.scrollTop));
    const top = () => log().evaluate((it) => it.scrollTop);
    const frame = () =>
      panel.page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );

    beforeEach(async () => {
      // Without “Still waiting”, which would scroll.
      await panel.page.evaluate(patientIntervals(600));
      await show(message('1', 'Tell me'), streaming('2', lines(40)));
      await frame();
    });

    it('starts at the end and follows it while the reply grows', async () => {
      assert.equal(await fromEnd(), 0);
      for (let index = 0; index < 5; index++) {
        await panel.change({ type: 'chunk', turnId: '2', text: lines(3) });
        await frame();
        assert.equal(await fromEnd(), 0);
      }
      assert.equal(await jump().count(), 0);
    });

    it('stops following when the user scrolls up, and moves nothing then', async () => {
      await scrollUp(panel, 300);
      const before = await top();
      await panel.change({ type: 'chunk', turnId: '2', text: lines(10) });
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      await frame();
      assert.equal(await top(), before);
    });

    it('stops following when the user selects text, so that it stays under the pointer', async () => {
      await waitForRest(panel);
      const before = await top();
      await panel.page.evaluate(() => {
        const paragraph = document.querySelector('.markdown p');
        if (paragraph) document.getSelection()?.selectAllChildren(paragraph);
      });
      await jump().waitFor();
      await panel.change({ type: 'chunk', turnId: '2', text: lines(10) });
      await frame();
      assert.equal(await top(), before);
    });

    it('stops following on a key that scrolls up', async () => {
      await log().press('ArrowUp');
      await jump().waitFor();
      await panel.change({ type: 'chunk', turnId: '2', text: lines(10) });
      await frame();
      assert.ok((await fromEnd()) > 50);
    });

    it('returns by the button, and follows again', async () => {
      await scrollUp(panel, 300);
      await jump().click();
      await frame();
      assert.equal(await fromEnd(), 0);
      await panel.change({ type: 'chunk', turnId: '2', text: lines(3) });
      await frame();
      assert.equal(await fromEnd(), 0);
      assert.equal(await jump().count(), 0);
    });

    it('returns to the end with the End key', async () => {
      await scrollUp(panel, 300);
      await log().press('End');
      await jump().waitFor({ state: 'detached' });
      await frame();
      assert.equal(await fromEnd(), 0);
    });

    it('scrolls to a sent message from anywhere', async () => {
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      await scrollUp(panel, 300);
      await panel.change({ type: 'sent', text: 'More' }, { type: 'turn', turn: message('3', 'More') });
      await waitUntil('the end is shown', async () => (await fromEnd()) === 0);
    });

    it('scrolls the question to the top if its reply is longer than the panel, and shows how much is new', async () => {
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      await panel.change(
        { type: 'sent', text: 'More' },
        { type: 'turn', turn: message('3', 'More') },
        { type: 'turn', turn: streaming('4', '') },
      );
      for (let chunk = 0; chunk < 20; chunk++) {
        await panel.change({ type: 'chunk', turnId: '4', text: lines(3) });
        await frame();
      }
      const box = await panel.page.getByRole('article', { name: 'You' }).last().boundingBox();
      const logTop = (await log().boundingBox())?.y ?? 0;
      assert.ok(Math.abs((box?.y ?? 0) - logTop) <= 1, `${box?.y} is the top, ${logTop}`);
      assert.match(await jump().innerText(), /\d+ new lines/);
      await jump().click();
      await frame();
      assert.equal(await fromEnd(), 0);
    });

    it('stays at the end while the composer grows', async () => {
      await panel.message.fill('line\n'.repeat(8));
      await frame();
      assert.equal(await fromEnd(), 0);
    });

    it('opens another conversation at its end', async () => {
      await scrollUp(panel, 300);
      const { conversation } = panelState({ turns: [message('1', 'Hi'), reply('2', lines(60))] });
      await panel.change({ type: 'conversation', conversation });
      await frame();
      assert.equal(await fromEnd(), 0);
      assert.equal(await jump().count(), 0);
    });
  });

  for (const width of [200, 320, 900]) {
    it(`needs no horizontal scroll bar at ${width} px`, async () => {
      const wide = `${'w'.repeat(300)}\n\n| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${'value | '.repeat(12)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\``;
      await panel.page.setViewportSize({ width, height: 600 });
      await show(message('1', 'y'.repeat(300)), reply('2', wide));
      const overflow = await panel.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.transcript, .app')].map(
          (it) => it.scrollWidth - it.clientWidth,
        ),
      );
      assert.deepEqual(overflow, [0, 0, 0]);
      const scrolls = await panel.page.evaluate(() =>
        ['.code-block pre', '.markdown table'].map((it) => {
          const element = document.querySelector(it);
          return !!element && element.getBoundingClientRect().right <= window.innerWidth;
        }),
      );
      assert.deepEqual(scrolls, [true, true]);
    });
  }
});
