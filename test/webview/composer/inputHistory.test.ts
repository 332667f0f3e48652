import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('what was said before', {}, (panel) => {
  let id: string;
  const show = async (draft = '', ...more: Parameters<typeof message>[]) => {
    const state = panelState({
      draft,
      turns: [
        message('1', 'First'),
        reply('2', 'A'),
        message('3', 'Second\nof two lines'),
        reply('4', 'B'),
        ...more.map((args) => message(...args)),
      ],
    });
    id = state.conversation.id;
    await panel.snapshot(state);
    await panel.message.focus();
    await panel.intents();
    await panel.takeAll('draft');
  };
  const press = (key: string) => panel.page.keyboard.press(key);
  /** Within several lines the browser moves the caret before the page knows. */
  const becomes = (text: string) =>
    panel.page.waitForFunction(
      (wanted) => document.querySelector<HTMLTextAreaElement>('#message')?.value === wanted,
      text,
    );

  describe('comes back by arrows', () => {
    it('up to the oldest, down to the newest and to nothing', async () => {
      await show();
      await press('ArrowUp');
      await becomes('Second\nof two lines');
      await press('ArrowUp');
      await becomes('First');
      await press('ArrowUp');
      assert.equal(await panel.composerText, 'First');
      await press('ArrowDown');
      await becomes('Second\nof two lines');
      await press('ArrowDown');
      await becomes('');
      await press('ArrowDown');
      assert.equal(await panel.composerText, '');
    });

    it('past one that was said twice', async () => {
      await show('', ['5', 'Again'], ['6', 'Again']);
      for (let presses = 0; presses < 3; presses++) await press('ArrowUp');
      assert.equal(await panel.composerText, 'Second\nof two lines');
    });

    it('through the lines of a message first', async () => {
      await show();
      await press('ArrowUp');
      await becomes('Second\nof two lines');
      await press('ArrowDown');
      await panel.page.keyboard.type('X');
      assert.equal(await panel.composerText, 'Second\nXof two lines');
    });

    it('is left with Escape, which does not stop a reply', async () => {
      await show();
      await panel.change({ type: 'turn', turn: streaming('5') });
      await press('ArrowUp');
      await press('Escape');
      assert.equal(await panel.composerText, '');
      assert.deepEqual(await panel.intents(), []);
    });

    it('is a draft only once it is changed', async () => {
      await show();
      await press('ArrowUp');
      await press('ArrowUp');
      await becomes('First');
      await panel.page.evaluate(() => window.dispatchEvent(new Event('blur')));
      assert.deepEqual(await panel.takeAll('draft'), []);
      await panel.page.keyboard.type('!');
      await press('ArrowUp');
      assert.equal(await panel.composerText, 'First!');
      assert.equal((await panel.intent('draft')).text, 'First!');
    });

    it('can be sent as it is', async () => {
      await show();
      await press('ArrowUp');
      await press('ArrowUp');
      await becomes('First');
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'First' }]);
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, '');
    });

    it('leaves the arrows alone where there is text, and an input method to itself', async () => {
      await show('Some\ntext');
      await press('Home');
      await press('ArrowUp');
      await press('ArrowUp');
      assert.equal(await panel.composerText, 'Some\ntext');
      await show();
      for (const init of [{ isComposing: true }, { keyCode: 229 }, { shiftKey: true }, { altKey: true }]) {
        const left = await panel.message.evaluate(
          (box, extra) =>
            box.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true, ...extra }),
            ),
          init,
        );
        assert.equal(left, true);
      }
      assert.equal(await panel.composerText, '');
    });
  });

  describe('can be edited and asked again', () => {
    const note = () => panel.page.getByText('This will be sent as a new message.');
    const edit = () => panel.button('Edit and Ask Again').first().press('Enter');

    it('in the composer, with a note that the bot forgets nothing', async () => {
      await show();
      await edit();
      assert.equal(await panel.composerText, 'First');
      assert.equal(await note().count(), 1);
      await panel.page.keyboard.type('!');
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'First!' }]);
      await panel.change({ type: 'sent', text: 'First!' });
      assert.equal(await panel.composerText, '');
      assert.equal(await note().count(), 0);
    });

    it('and Cancel brings back the draft, which the host kept', async () => {
      await show('My draft');
      await edit();
      await panel.page.keyboard.type('!');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft');
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
      assert.deepEqual(await panel.takeAll('draft'), []);
    });

    it('and the draft comes back when it is sent', async () => {
      await show('My draft');
      await edit();
      await press('Enter');
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, 'My draft');
      assert.equal((await panel.intent('draft')).text, 'My draft');
    });

    it('and nothing of it is lost when the window reloads, or another conversation is shown between', async () => {
      await show('My draft');
      const turns = [message('1', 'First'), message('3', 'Second\nof two lines')];
      const state = panelState({ id, draft: 'My draft', turns });
      await edit();
      await panel.page.keyboard.type('!');
      await panel.reload();
      await panel.snapshot(state);
      assert.equal(await panel.composerText, 'First!');
      await panel.change({ type: 'conversation', conversation: panelState().conversation });
      assert.equal(await panel.composerText, '');
      await panel.change({ type: 'conversation', conversation: state.conversation });
      assert.equal(await panel.composerText, 'First!');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft');
    });

    it('and what the host puts in goes to what is being written', async () => {
      await show('My draft');
      await edit();
      await panel.change({ type: 'draft', text: 'My draft\ncode' });
      assert.equal(await panel.composerText, 'First\ncode');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft\ncode');
    });
  });

  describe('is asked again', () => {
    const again = () => panel.button('Ask Again');

    it('by one click, the draft staying where it is', async () => {
      await show('First of all');
      assert.match((await again().first().getAttribute('title')) ?? '', /counts; the bot remembers/);
      await again().first().press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'First' }]);
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, 'First of all');
      assert.equal((await panel.intent('draft')).text, 'First of all');
    });

    it('once, however often it is pressed', async () => {
      await show();
      await again().last().press('Enter');
      await again().last().press('Enter');
      assert.deepEqual(await panel.intents(), [
        { type: 'send', conversationId: id, text: 'Second\nof two lines' },
      ]);
      await panel.change({ type: 'notSent' });
      await again().last().press('Enter');
      assert.equal((await panel.intents()).length, 1);
    });

    it('not while a reply streams', async () => {
      await show();
      await panel.change({ type: 'turn', turn: streaming('5') });
      assert.equal(await again().count(), 0);
    });
  });
});
