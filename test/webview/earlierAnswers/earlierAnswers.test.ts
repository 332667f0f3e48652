import assert from 'node:assert/strict';
import type { EarlierQuestion, PanelState } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { AT, message, panelState, reply, streaming } from '../support/states';

const DRAFT = 'How can I run all the tests?';
const found: EarlierQuestion = {
  ...{ conversationId: 'earlier', turnId: 'm', text: 'How do I run the tests?', bot: 'Guide' },
  at: AT,
  isNew: true,
};

describePanel('an earlier answer', {}, (panel) => {
  let id: string;
  const line = () => panel.page.locator('.asked-show');
  const answer = () => panel.page.getByRole('region', { name: 'Answer', exact: true });
  const press = (key: string) => panel.page.keyboard.press(key);
  const getAnnouncement = () => panel.page.locator('#announcements').textContent();
  const isFocused = () => panel.message.evaluate((box) => box === document.activeElement);
  const focused = () => panel.page.evaluate(() => document.activeElement?.className);

  async function show(
    state: PanelState = panelState({ turns: [message('1', 'Hi'), reply('2', 'Hi')] }),
  ): Promise<void> {
    id = await panel.showLoaded(state);
    await panel.takeAll('findEarlierAnswer');
    await panel.takeAll('unsubscribe');
    await panel.message.focus();
  }
  /** Types a question, and offers an answer. */
  async function offer(view = found, state?: PanelState) {
    await show(state);
    await panel.message.fill(DRAFT);
    const request = await panel.intent('findEarlierAnswer');
    await panel.respond(request, view);
    await line().waitFor();
    return request;
  }
  async function open(text = 'Run `npm test`.', isCut = false): Promise<void> {
    await offer();
    await line().click();
    await panel.respond(await panel.intent('readEarlierAnswer'), { text, isCut });
    await answer().waitFor();
  }

  describe('is asked for', () => {
    it('300 ms after typing pauses, once', async () => {
      await show();
      await panel.page.keyboard.insertText(DRAFT);
      const { text, conversationId, isNewDraft } = await panel.intent('findEarlierAnswer');
      assert.deepEqual(
        { text, conversationId, isNewDraft },
        { text: DRAFT, conversationId: id, isNewDraft: true },
      );
      assert.deepEqual(await panel.takeAll('findEarlierAnswer'), []);
      await panel.page.keyboard.insertText(' Now');
      const next = await panel.intent('findEarlierAnswer');
      assert.deepEqual([next.text, next.isNewDraft], [`${DRAFT} Now`, false]);
      await panel.message.fill('');
      await panel.message.fill(DRAFT);
      assert.equal((await panel.intent('findEarlierAnswer')).isNewDraft, true);
    });

    it('for four words and more, and not for a message from before', async () => {
      await show();
      await panel.message.fill('run all tests');
      await panel.message.fill('');
      await press('ArrowUp');
      await panel.page.locator('.message').hover();
      await panel.button('Edit and Ask Again').click();
      await panel.message.fill('This is an edited message.');
      await panel.button('Cancel').click();
      // What was typed before would have been asked for first.
      await panel.message.fill(DRAFT);
      assert.equal((await panel.intent('findEarlierAnswer')).text, DRAFT);
    });

    it('in Japanese, which has no spaces', async () => {
      await show();
      await panel.message.fill('テストを実行する方法を教えてください');
      assert.ok(await panel.intent('findEarlierAnswer'));
    });
  });

  describe('in its line', () => {
    it('names the question, the bot and the time, and is announced once', async () => {
      const request = await offer();
      assert.match((await line().textContent()) ?? '', /^You asked before: How do I run the tests\? Guide/);
      assert.equal(
        await getAnnouncement(),
        'You asked this before: “How do I run the tests?”. The answer is above the text box.',
      );
      await panel.page.evaluate(() => document.getElementById('announcements')?.replaceChildren());
      await panel.respond(request, { ...found, isNew: false });
      assert.equal(await getAnnouncement(), '');
      assert.ok(await isFocused());
    });

    it('says which agent asked, with nothing invisible', async () => {
      await offer({ ...found, agent: 'Claude\u202e Code', text: 'a\u202eb' });
      const text = (await line().textContent()) ?? '';
      assert.match(text, /Claude.+Code asked before:/);
      assert.ok(!text.includes('\u202e'));
    });

    it('is reached with Shift+Tab, and closed with Escape from there and from the text box', async () => {
      await offer();
      await press('Shift+Tab');
      await press('Shift+Tab');
      assert.equal(await focused(), 'asked-show');
      await press('Escape');
      assert.ok(await isFocused());
      assert.equal(await line().count(), 0);
      assert.deepEqual(await panel.intent('closeEarlierAnswer'), {
        type: 'closeEarlierAnswer',
        conversationId: id,
      });
      await offer();
      await press('Escape');
      assert.equal(await line().count(), 0);
      assert.equal(await panel.composerText, DRAFT);
      await panel.intent('closeEarlierAnswer');
    });

    it('leaves Escape in the text box to a reply that streams', async () => {
      await offer(found, panelState({ turns: [message('1', 'Hi'), streaming('2', 'Hi')] }));
      await press('Escape');
      await panel.intent('stop');
      assert.equal(await line().count(), 1);
    });

    it('vanishes when it was deleted, when the draft is cleared, and in another conversation', async () => {
      const request = await offer();
      await panel.respond(request, null);
      assert.equal(await line().count(), 0);
      await offer();
      await panel.message.fill('');
      await line().waitFor({ state: 'detached' });
      await offer();
      await panel.snapshot(panelState());
      assert.equal(await line().count(), 0);
    });

    it('ends the host’s work when the page needs it no more', async () => {
      const { subscriptionId } = await offer();
      await panel.message.fill('');
      assert.equal((await panel.intent('unsubscribe')).subscriptionId, subscriptionId);
    });
  });

  describe('that is shown', () => {
    it('opens with Enter, below its question, as a reply is rendered, and closes with it', async () => {
      await offer();
      await line().focus();
      await press('Enter');
      const hostile =
        'Run `npm test`.\n\n<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>\n\n[a](javascript:window.hit=1)';
      await panel.respond(await panel.intent('readEarlierAnswer'), { text: hostile, isCut: false });
      await answer().waitFor();
      assert.equal(await answer().locator('code').first().textContent(), 'npm test');
      assert.equal(await answer().locator('script, img[onerror], a[href^="javascript"]').count(), 0);
      assert.equal(await panel.page.evaluate(() => 'hit' in window), false);
      assert.equal(await line().getAttribute('aria-expanded'), 'true');
      await press('Enter');
      await answer().waitFor({ state: 'detached' });
      assert.equal(await line().getAttribute('aria-expanded'), 'false');
    });

    it('stays while the draft changes, and closes with Escape from inside', async () => {
      await open();
      await panel.message.fill(`${DRAFT} And more of them.`);
      await panel.drawn();
      assert.equal(await answer().count(), 1);
      await answer().focus();
      await press('Escape');
      assert.equal(await answer().count(), 0);
      assert.ok(await isFocused());
      await panel.intent('closeEarlierAnswer');
    });

    it('asks anyway with its button, and offers nothing more for the draft', async () => {
      await open();
      await panel.intents();
      await panel.button('Ask Anyway').click();
      const posted = (await panel.intents()).map(({ type }) => type);
      assert.deepEqual(posted, ['closeEarlierAnswer', 'send']);
      assert.equal(await line().count(), 0);
      await panel.change({ type: 'sent', text: DRAFT });
      assert.equal(await panel.composerText, '');
    });

    it('opens its conversation, and says when the rest is only there', async () => {
      await open('Start', true);
      assert.equal(await panel.page.getByText('The rest of the answer is in its conversation.').count(), 1);
      await panel.button('Open Conversation').click();
      const { conversationId, turnId } = await panel.intent('openTurn');
      assert.deepEqual([conversationId, turnId], ['earlier', 'm']);
    });

    it('vanishes when it was deleted before it could be read', async () => {
      await offer();
      await line().click();
      await panel.respond(await panel.intent('readEarlierAnswer'), null);
      assert.equal(await line().count(), 0);
    });
  });
});

describePanel('an earlier answer in a panel of 300 px', { width: 300, height: 500 }, (panel) => {
  it('has one line, whose button keeps its name', async () => {
    await panel.showLoaded(panelState({ turns: [message('1', 'Hi'), reply('2', 'Hi')] }));
    await panel.takeAll('findEarlierAnswer');
    await panel.message.fill(DRAFT);
    const long =
      'How do I run all of the tests of the whole product on my own machine, and how long do they take?';
    const view = { ...found, text: long, bot: 'A bot with a name that is much too long' };
    await panel.respond(await panel.intent('findEarlierAnswer'), view);
    const button = panel.page.getByRole('button', { name: /^You asked before: How do I run all/ });
    const box = (await button.boundingBox()) ?? assert.fail('Not shown');
    assert.ok(box.height < 30 && box.x >= 0 && box.x + box.width <= 300, JSON.stringify(box));
    const time = await button.locator('time').boundingBox();
    assert.ok(time && time.width > 0 && time.x + time.width <= box.x + box.width, JSON.stringify(time));
  });
});
