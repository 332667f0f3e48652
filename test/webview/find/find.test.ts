import assert from 'node:assert/strict';
import { waitUntil } from '../../support/waitUntil';
import { describePanel, type Panel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { scrollUp, waitForRest } from '../support/scrolling';
import { message, panelState, reply, streaming } from '../support/states';

/** The options of the widget, by the letter pressed with Alt. */
const optionNames = { c: 'Match Case', w: 'Match Whole Word', r: 'Use Regular Expression' } as const;

describePanel('find in the conversation', { height: 800 }, (panel) => {
  before(async () => {
    // A small factor: one test waits until the page gives up.
    await panel.page.addInitScript(patientIntervals(4));
    await panel.renew();
  });

  const field = () => panel.page.getByRole('searchbox', { name: 'Find' });
  const status = () => panel.page.getByRole('search', { name: 'Find' }).getByRole('status');
  const waitForStatus = (text: string) => {
    let shown: string | null = null;
    return waitUntil(
      () => `the status is ${text}, not ${shown}`,
      async () => {
        shown = await status().textContent();
        return status().getByText(text, { exact: true }).isVisible();
      },
    );
  };
  const press = (key: string) => panel.page.keyboard.press(key);

  async function open(): Promise<void> {
    await panel.post({ type: 'find' });
    await panel.page.locator('.find-input:focus').waitFor();
  }

  async function find(text: string): Promise<void> {
    await open();
    await field().fill(text);
  }

  afterEach(async () => {
    if (!(await field().isVisible())) return;
    // The next test starts with the options that this one ends with.
    for (const [key, name] of Object.entries(optionNames)) {
      if ((await panel.button(name).getAttribute('aria-pressed')) === 'false') continue;
      await field().press(`Alt+${key}`);
    }
    await field().press('Escape');
  });

  describe('in a few turns', () => {
    beforeEach(() =>
      panel.snapshot(
        panelState({
          turns: [
            message('1', 'Which Plan?\nThe plan of today'),
            reply(
              '2',
              'The **pl**an is `plan-b`, a\nplanned one:\n\n- plan\n- PLAN\n\n```ts\nconst plan = 1;\n```',
            ),
          ],
        }),
      ),
    );

    it('counts all matches, across formatting, and names the current one', async () => {
      await find('plan');
      await waitForStatus('1 of 8');
      assert.deepEqual(await getMarked(panel), [
        'Plan|',
        'plan',
        'plan',
        'plan',
        'plan',
        'plan',
        'PLAN',
        'plan',
      ]);
    });

    it('treats a line break in a paragraph as a space, and no other', async () => {
      await find('a planned');
      await waitForStatus('1 of 1');
      await field().fill('plan PLAN');
      await waitForStatus('No results');
    });

    it('goes forward and back with Enter, Shift+Enter, F3 and Shift+F3, and around the end', async () => {
      await find('plan');
      await waitForStatus('1 of 8');
      for (const [key, position] of [
        ['Enter', 2],
        ['F3', 3],
        ['Shift+F3', 2],
        ['Shift+Enter', 1],
        ['Shift+Enter', 8],
        ['Enter', 1],
      ] as const) {
        await press(key);
        await waitForStatus(`${position} of 8`);
      }
      await panel.button('Previous Match').click();
      await waitForStatus('8 of 8');
    });

    it('goes on with F3 while the text box has the focus', async () => {
      await find('plan');
      await waitForStatus('1 of 8');
      await panel.message.focus();
      await press('F3');
      await waitForStatus('2 of 8');
    });

    it('goes on with keys that are pressed before the search has ended', async () => {
      await open();
      // In one task, so that no match is found in between.
      await field().evaluate((input: HTMLInputElement) => {
        input.value = 'plan';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        for (const shiftKey of [false, false, true, false])
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'F3', shiftKey, bubbles: true }));
      });
      await waitForStatus('3 of 8');
      await press('F3');
      await waitForStatus('4 of 8');
    });

    it('matches case, whole words and regular expressions, each toggled by its key', async () => {
      await find('plan');
      await waitForStatus('1 of 8');
      await press('Alt+c');
      await waitForStatus('1 of 6');
      await press('Alt+w');
      await waitForStatus('1 of 5');
      await field().fill('pl[a-z]n');
      await waitForStatus('No results');
      await press('Alt+r');
      await waitForStatus('1 of 5');
      assert.equal(await panel.button('Use Regular Expression').getAttribute('aria-pressed'), 'true');
    });

    it('says that an expression is invalid, without forgetting it', async () => {
      await find('(plan');
      await press('Alt+r');
      await waitForStatus('Invalid regular expression');
      assert.equal(await field().getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await getMarked(panel), []);
      await field().press('End');
      await panel.page.keyboard.type(')');
      await waitForStatus('1 of 8');
    });

    it('starts with the text selected in the conversation', async () => {
      await panel.page.evaluate(() => {
        const text = document.querySelector('article.reply strong')?.firstChild;
        if (text) document.getSelection()?.selectAllChildren(text.parentNode as Node);
      });
      await open();
      await waitForStatus('1 of 8');
      assert.equal(await field().inputValue(), 'pl');
    });

    it('changes neither the page nor the selection', async () => {
      await find('plan');
      await waitForStatus('1 of 8');
      await panel.page.evaluate(() => {
        const second = document.querySelectorAll('article')[1];
        if (second) document.getSelection()?.setBaseAndExtent(second, 0, second, 1);
      });
      const look = () =>
        panel.page.evaluate(() => [
          document.querySelector('.turns')?.innerHTML,
          document.getSelection()?.toString(),
        ]);
      const before = await look();
      await press('F3');
      await waitForStatus('2 of 8');
      assert.deepEqual(await look(), before);
    });

    it('returns the focus with Escape, which stops no reply, and removes the marks', async () => {
      await panel.change({ type: 'turn', turn: message('3', 'So?') }, { type: 'turn', turn: streaming('4') });
      await panel.post({ type: 'previousTurn' });
      await panel.intents();
      await find('plan');
      await waitForStatus('1 of 8');
      await press('Escape');
      await field().waitFor({ state: 'detached' });
      assert.equal(
        await panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset.turn),
        '4',
      );
      assert.deepEqual(await getMarked(panel), []);
      assert.deepEqual(await panel.intents(), []);
    });

    it('finds text as a reply streams, and no longer finds removed text', async () => {
      await panel.change({ type: 'turn', turn: streaming('3', 'Another pl') });
      await find('plan');
      await waitForStatus('1 of 8');
      await panel.change({ type: 'chunk', turnId: '3', text: 'an, and a plan' });
      await waitForStatus('1 of 10');
      await panel.change({ type: 'turn', turn: reply('2', 'Something else') });
      await waitForStatus('1 of 4');
      await panel.change({ type: 'turnRemoved', turnId: '3' });
      await waitForStatus('1 of 2');
    });

    it('tells the number of matches after nodes were replaced and the text stayed the same', async () => {
      await find('nothing');
      await waitForStatus('No results');
      await panel.page.evaluate(() => {
        const text = document.querySelector('article .bubble p')?.firstChild;
        if (text instanceof Text) text.splitText(2);
        const input = document.querySelector<HTMLInputElement>('.find-input');
        if (input) input.value = 'plan';
        input?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      });
      await waitForStatus('1 of 8');
    });

    it('keeps VS Code from opening a menu by the letters', async () => {
      await open();
      await panel.page.evaluate(() => {
        const keys: string[] = [];
        Object.assign(window, { keys });
        window.addEventListener('keydown', ({ key }) => keys.push(key));
      });
      for (const key of ['Alt+r', 'Alt+w', 'Alt+c', 'x', 'F3', 'Alt+r', 'Alt+w', 'Alt+c', 'Escape'])
        await press(key);
      assert.deepEqual(await panel.page.evaluate('keys'), ['Alt', 'Alt', 'Alt', 'x', 'Alt', 'Alt', 'Alt']);
    });

    it('ends an expression that takes too long, and finds the next one', async () => {
      await panel.change({ type: 'turn', turn: message('3', `${'a'.repeat(60)}!`) });
      await find('(a+)+$');
      await press('Alt+r');
      await waitForStatus('The search took too long');
      await field().fill('a+!');
      await waitForStatus('1 of 1');
    });
  });

  describe('in many turns', () => {
    const turns = Array.from({ length: 150 }, (_, index) => [
      message(`m${index}`, `Question ${index}`),
      reply(`r${index}`, `Answer ${index}: *three* parts.\n\n- one\n- two \`code\`\n- three`),
    ]).flat();

    it('finds what is not rendered yet, goes there, and returns with Escape', async () => {
      await panel.snapshot(panelState({ turns }));
      await panel.page.getByText('Answer 149').waitFor();
      await find('Answer 7:');
      await waitForStatus('1 of 1');
      // Turns above may still get their heights.
      await waitUntil('the match is in sight', async () => {
        const box = await panel.page.getByText('Answer 7:').boundingBox();
        return box !== null && box.y > 50 && box.y < 700;
      });
      await press('Escape');
      await panel.page.getByText('Answer 149').waitFor();
      await panel.button('Scroll to Bottom').waitFor({ state: 'detached' });
    });

    it('returns to where the user had scrolled to', async () => {
      await panel.snapshot(panelState({ turns: turns.slice(0, 80) }));
      await panel.page.getByText('Answer 39:').waitFor();
      await scrollUp(panel, 1500);
      const before = await waitForRest(panel);
      await find('Answer 0:');
      await waitForStatus('1 of 1');
      assert.notDeepEqual(await waitForRest(panel), before);
      await press('Escape');
      const [turnId, top] = await waitForRest(panel);
      assert.equal(turnId, before[0]);
      // The page scrolls by whole pixels, but turns may have fractions of them.
      assert.ok(Math.abs(top - before[1]) <= 1, `${top} instead of ${before[1]}`);
    });

    it('says that it is still searching until all turns are loaded', async () => {
      await panel.snapshot(panelState({ turns: turns.slice(40, 60), earlier: true }));
      await find('Question 3');
      await waitForStatus('Searching…');
      await panel.change({ type: 'earlierTurns', turns: turns.slice(0, 40), more: false });
      await waitForStatus('1 of 1');
    });
  });

  it('marks only some of the matches in a very long reply, but all that are in sight', async () => {
    const count = 6000;
    await panel.snapshot(
      panelState({ turns: [message('1', 'Hello'), reply('2', 'plan four '.repeat(count))] }),
    );
    await find('plan');
    // It is opened at its end.
    await status()
      .getByText(/ of 6,000$/)
      .waitFor();
    const steps = [
      async () => press('Shift+Enter'),
      () =>
        panel.page.evaluate(() => {
          const transcript = document.querySelector('.transcript');
          if (transcript) transcript.scrollTop = transcript.scrollHeight / 2;
        }),
    ];
    for (const step of steps) {
      await step();
      await panel.drawn();
      const { marked, unmarked } = await panel.page.evaluate(() => {
        const ranges = ['search-match', 'find-current'].flatMap(
          (name) => [...(CSS.highlights.get(name) ?? [])] as Range[],
        );
        const starts = new Set(ranges.map(({ startOffset }) => startOffset));
        const text = document.querySelector('article.reply p')?.firstChild as Text;
        const view = document.querySelector('.transcript')?.getBoundingClientRect() ?? new DOMRect();
        const range = document.createRange();
        let unmarked = 0;
        for (let at = text.data.indexOf('plan'); at >= 0; at = text.data.indexOf('plan', at + 1)) {
          range.setStart(text, at);
          range.setEnd(text, at + 4);
          const { top, bottom } = range.getBoundingClientRect();
          if (bottom > view.top && top < view.bottom && !starts.has(at)) unmarked++;
        }
        return { marked: ranges.length, unmarked };
      });
      assert.equal(unmarked, 0);
      assert.ok(marked > 0 && marked <= 1001, `${marked} are marked`);
    }
  });

  it('leaves the focus in the text box if there is nothing to search', async () => {
    await panel.snapshot(panelState());
    await panel.post({ type: 'find' });
    assert.equal(await panel.page.evaluate(() => document.activeElement?.id), 'message');
  });
});

/** Returns what is marked, in the order of the page; the current match ends with `|`. */
async function getMarked(panel: Panel): Promise<string[]> {
  await panel.drawn();
  return await panel.page.evaluate(() => {
    const getRanges = (name: string) => [...(CSS.highlights.get(name) ?? [])] as Range[];
    const current = getRanges('find-current');
    return [...getRanges('search-match'), ...current]
      .sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other))
      .map((range) => `${range.toString()}${current.includes(range) ? '|' : ''}`);
  });
}
