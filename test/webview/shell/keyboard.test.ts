import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { document, message, panelState, reply, streaming, summary } from '../support/states';

const longText = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}`).join('\n\n');

describePanel('panel by keyboard', {}, (panel) => {
  /** Returns the focused turn, or the name of the focused element. */
  const focused = () =>
    panel.page.evaluate(() => {
      const element = window.document.activeElement as HTMLElement | null;
      return element?.dataset.turn ?? element?.ariaLabel ?? element?.localName;
    });
  const step = async (type: 'previousTurn' | 'nextTurn') => {
    await panel.post({ type });
    return await focused();
  };

  describe('moving between turns', () => {
    beforeEach(async () => {
      await panel.snapshot(
        panelState({
          turns: [message('a', 'Hi'), reply('b', longText), message('c', 'So?'), reply('d', 'So.')],
        }),
      );
      await panel.message.focus();
    });

    it('goes up from the text box to the first turn, and down again to the text box', async () => {
      const way: unknown[] = [];
      for (let press = 0; press < 5; press++) way.push(await step('previousTurn'));
      for (let press = 0; press < 5; press++) way.push(await step('nextTurn'));
      assert.deepEqual(way, ['d', 'c', 'b', 'a', 'a', 'b', 'c', 'd', 'Message', 'Message']);
    });

    it('scrolls to a turn, and to the start of a long one', async () => {
      const top = (id: string) =>
        panel.page.locator(`article[data-turn=${id}]`).evaluate((turn) => {
          const transcript = turn.closest('.transcript')?.getBoundingClientRect().top ?? 0;
          return turn.getBoundingClientRect().top - transcript;
        });
      for (const _ of 'dcb') await step('previousTurn');
      assert.equal(await focused(), 'b');
      assert.ok(Math.abs(await top('b')) < 1);
      await step('nextTurn');
      assert.ok((await top('c')) >= 0);
    });

    it('starts at the visible turns if the transcript has the focus', async () => {
      await panel.post({ type: 'focusTranscript' });
      assert.equal(await focused(), 'Conversation');
      await panel.page.locator('.transcript').evaluate((transcript) => {
        transcript.scrollTop = transcript.scrollHeight / 2;
      });
      assert.equal(await step('nextTurn'), 'b');
      await panel.post({ type: 'focusTranscript' });
      assert.equal(await step('previousTurn'), 'a');
    });

    it('returns to the text box with Escape, which stops a streaming reply', async () => {
      await step('previousTurn');
      await panel.page.keyboard.press('Escape');
      assert.equal(await focused(), 'Message');
      await panel.change(
        { type: 'turn', turn: message('e', 'And?') },
        { type: 'turn', turn: streaming('f') },
      );
      await step('previousTurn');
      await panel.intents();
      await panel.page.keyboard.press('Escape');
      assert.equal((await panel.intent('stop')).type, 'stop');
      assert.equal(await focused(), 'Message');
    });

    it('shows where the focus is', async () => {
      await panel.page.keyboard.press('Tab');
      await step('previousTurn');
      const outline = await panel.page
        .locator('article[data-turn=d]')
        .evaluate((turn) => getComputedStyle(turn).outlineStyle);
      assert.equal(outline, 'solid');
    });
  });

  it('stays in the text box if there are no turns', async () => {
    await panel.snapshot(panelState());
    await panel.message.focus();
    for (const type of ['focusTranscript', 'previousTurn', 'nextTurn'] as const) {
      await panel.post({ type });
      assert.equal(await focused(), 'Message');
    }
  });

  describe('closing the list of conversations', () => {
    beforeEach(async () => {
      await panel.showLoaded(
        panelState({ turns: [message('a', 'Hi')] }, { conversations: [summary('x', 'Plans')] }),
      );
    });

    for (const [what, name] of [
      ['turn', 'a'],
      ['button', 'Attach Files…'],
    ] as const) {
      it(`returns the focus to the ${what} that had it`, async () => {
        if (what === 'turn') await step('previousTurn');
        else await panel.button(name).focus();
        await panel.post({ type: 'showList' });
        await panel.page.getByRole('dialog').waitFor();
        await panel.page.keyboard.press('Escape');
        await panel.page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.equal(await focused(), name);
      });
    }
  });

  it('moves the focus to the text box when an offer is replaced by another', async () => {
    await panel.snapshot(panelState({ turns: [message('a', 'Hi')], draft: 'x '.repeat(1001) }));
    for (const button of ['Shorten Manually', 'Other Options']) {
      await panel.button(button).press('Enter');
      await panel.button(button).waitFor({ state: 'detached' });
      assert.equal(await focused(), 'Message', button);
    }
  });

  it('reaches every button by Tab, in order, without a trap', async () => {
    await panel.snapshot(
      panelState({
        turns: [
          message('a', 'Hi'),
          reply('b', 'See [it](https://example.com)'),
          document('c', { state: 'attached' }),
        ],
      }),
    );
    await panel.page.getByRole('grid', { name: 'Documents' }).waitFor();
    await panel.page.getByRole('button', { name: 'Search the Web' }).waitFor();
    const tabbable = await panel.page.evaluate(() =>
      [...window.document.querySelectorAll<HTMLElement>('button:enabled, a[href], textarea, [tabindex="0"]')]
        .filter((element) => element.tabIndex === 0 && element.checkVisibility())
        .map((element) => (element as HTMLElement).dataset.turn ?? element.ariaLabel ?? element.localName),
    );
    // After the last stop a page has no focus, and Tab then goes to the first.
    await panel.message.focus();
    const untilLast = async () => {
      const stops: (string | undefined)[] = [];
      for (let stop = ''; stop !== 'body' && stops.length < 40; stops.push(stop)) {
        await panel.page.keyboard.press('Tab');
        stop = (await focused()) ?? '';
      }
      return stops.slice(0, -1);
    };
    await untilLast();
    const stops = await untilLast();
    assert.deepEqual(stops, tabbable);
    assert.ok(stops.length > 8, `There are only ${stops}`);
  });
});
