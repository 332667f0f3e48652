import assert from 'node:assert/strict';
import type { QueueView } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document as documentTurn, message, panelState, reply, streaming, summary } from '../support/states';

describePanel('input history', {}, (panel) => {
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
  /** In several lines, the browser moves the caret before the page can know. */
  const becomes = (text: string) =>
    panel.page.waitForFunction(
      (wanted) => document.querySelector<HTMLTextAreaElement>('#message')?.value === wanted,
      text,
    );

  describe('recalling messages with the arrow keys', () => {
    it('goes up to the oldest message, and down to the newest and then an empty text', async () => {
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

    it('passes a message that was sent twice', async () => {
      await show('', ['5', 'Again'], ['6', 'Again']);
      for (let presses = 0; presses < 3; presses++) await press('ArrowUp');
      assert.equal(await panel.composerText, 'Second\nof two lines');
    });

    it('moves through the lines of a message first', async () => {
      await show();
      await press('ArrowUp');
      await becomes('Second\nof two lines');
      await press('ArrowDown');
      await panel.page.keyboard.type('X');
      assert.equal(await panel.composerText, 'Second\nXof two lines');
    });

    it("ends with Escape, which doesn't stop a reply", async () => {
      await show();
      await panel.change({ type: 'turn', turn: streaming('5') });
      await press('ArrowUp');
      await press('Escape');
      assert.equal(await panel.composerText, '');
      assert.deepEqual(await panel.intents(), []);
    });

    it("doesn't change the draft until the text is edited", async () => {
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

    it('can send a recalled message unchanged', async () => {
      await show();
      await press('ArrowUp');
      await press('ArrowUp');
      await becomes('First');
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'First' }]);
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, '');
    });

    it('leaves the arrow keys alone if there is text, and during IME composition', async () => {
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

  describe('editing a past message', () => {
    const note = () => panel.page.getByText('This will be sent as a new message.');
    const edit = () => panel.button('Edit and Ask Again').first().press('Enter');

    it('shows it in the composer, with a note that the bot remembers the conversation', async () => {
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

    it('restores the draft, which the host kept, on Cancel', async () => {
      await show('My draft');
      await edit();
      await panel.page.keyboard.type('!');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft');
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
      assert.deepEqual(await panel.takeAll('draft'), []);
    });

    it('keeps its text when the draft is typed on in another page, and restores that draft on Cancel', async () => {
      await show('My draft');
      await edit();
      await panel.change({ type: 'draft', text: 'My draft and more', typed: true });
      assert.equal(await panel.composerText, 'First');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft and more');
      assert.deepEqual(await panel.takeAll('draft'), []);
    });

    it('restores the draft after sending', async () => {
      await show('My draft');
      await edit();
      await press('Enter');
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, 'My draft');
      assert.equal((await panel.intent('draft')).text, 'My draft');
    });

    it('survives a window reload and switching to another conversation', async () => {
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

    it('is removed from VS Code’s state once the whole list doesn’t have the conversation any more', async () => {
      await show();
      await edit();
      const deleted = id;
      const editing = () =>
        panel.page.evaluate(() =>
          Object.keys(JSON.parse(sessionStorage.getItem('state') ?? '{}').drafts ?? {}),
        );
      const { conversation } = panelState();
      await panel.change({ type: 'conversation', conversation });
      assert.deepEqual(await editing(), [deleted]);
      await panel.change({ type: 'conversations', conversations: [summary(deleted, 'First')] });
      assert.deepEqual(await editing(), [deleted]);
      await panel.page.keyboard.type('New');
      assert.deepEqual((await editing()).sort(), [deleted, conversation.id].sort());
      await panel.change({ type: 'conversations', conversations: [] });
      assert.deepEqual(await editing(), [conversation.id]);
    });

    it('survives a window reload after another message and another draft, and only with earlier turns', async () => {
      await show('My draft');
      await edit();
      await panel.page.keyboard.type('!');
      const newer = message('5', 'Sent elsewhere');
      await panel.change({ type: 'turn', turn: newer });
      const turns = [message('1', 'First'), message('3', 'Second\nof two lines'), newer];
      for (const conversation of [
        { turns },
        { turns, draft: 'A refused message\n\nMy draft' },
        { turns: [documentTurn('6')], earlier: true },
      ]) {
        await panel.reload();
        await panel.snapshot(panelState({ id, draft: 'My draft', ...conversation }));
        assert.equal(await panel.composerText, 'First!');
        assert.equal(await note().count(), 1);
      }
      // There is nothing to edit any more.
      await panel.reload();
      await panel.snapshot(panelState({ id, draft: 'My draft', turns: [newer] }));
      assert.equal(await panel.composerText, 'My draft');
    });

    it('survives a window reload while it is sent, until it was', async () => {
      const first = message('1', 'First');
      const queue: QueueView = { messages: [{ id: '7', text: 'First!', context: [] }] };
      for (const sent of [{ turns: [first, message('7', 'First!')] }, { queue }]) {
        await show('My draft');
        await edit();
        await panel.page.keyboard.type('!');
        await press('Enter');
        const turns = [first, reply('2', 'A'), message('3', 'Second\nof two lines'), reply('4', 'B')];
        const state = panelState({ id, draft: 'My draft', turns });
        await panel.reload();
        await panel.snapshot(state);
        assert.equal(await panel.composerText, 'First!');
        await press('Enter');
        await panel.reload();
        await panel.snapshot({ ...state, conversation: { ...state.conversation, ...sent } });
        assert.equal(await panel.composerText, 'My draft');
        assert.equal(await note().count(), 0);
      }
    });

    it('doesn’t come back if it was sent as a document while the page was hidden', async () => {
      await show('My draft');
      await edit();
      await panel.message.fill('word '.repeat(1000));
      await panel.button('Send as Document').click();
      await panel.reload();
      const turns = [message('1', 'First'), message('3', 'Second\nof two lines')];
      await panel.snapshot(panelState({ id, draft: 'My draft', turns: [...turns, message('5', 'See it.')] }));
      assert.equal(await panel.composerText, 'My draft');
    });

    it("inserts the host's text into the edited message", async () => {
      await show('My draft');
      await edit();
      await panel.change({ type: 'draft', text: 'My draft\ncode' });
      assert.equal(await panel.composerText, 'First\ncode');
      await panel.button('Cancel').click();
      assert.equal(await panel.composerText, 'My draft\ncode');
    });
  });

  describe('asking again', () => {
    const again = () => panel.button('Ask Again');

    it('sends the message by one click and keeps the draft', async () => {
      await show('First of all');
      assert.match(
        (await again().first().getAttribute('title')) ?? '',
        /toward your limit; the bot remembers/,
      );
      await again().first().press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'First' }]);
      await panel.change({ type: 'sent', text: 'First' });
      assert.equal(await panel.composerText, 'First of all');
      assert.equal((await panel.intent('draft')).text, 'First of all');
    });

    it('sends once however often it is pressed', async () => {
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

    it("isn't available while a reply streams", async () => {
      await show();
      await panel.change({ type: 'turn', turn: streaming('5') });
      assert.equal(await again().count(), 0);
    });
  });
});
