import assert from 'node:assert/strict';
import type { PanelState, QueuedMessageView, QueueView } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document, message, panelState, reply, streaming } from '../support/states';

const queued = (id: string, text: string, rest: Partial<QueuedMessageView> = {}): QueuedMessageView => ({
  id,
  text,
  context: [],
  ...rest,
});
const one = queued('q1', 'one');
const two = queued('q2', 'two');
const three = queued('q3', 'three');
const createQueue = (messages: QueuedMessageView[], rest: Partial<QueueView> = {}): QueueView => ({
  messages,
  ...rest,
});

describePanel('queue', {}, (panel) => {
  let id: string;

  const show = async (state: PanelState) => {
    id = await panel.showLoaded(state);
  };
  const list = () => panel.page.getByRole('list', { name: 'Queue' });
  const row = (index: number) => list().getByRole('listitem').nth(index);
  const inRow = (index: number, name: string) => row(index).getByRole('button', { name, exact: true });
  const focused = () =>
    panel.page.evaluate(() => {
      const { activeElement: at } = window.document;
      return `${at?.closest('li')?.getAttribute('data-message') ?? ''} ${at?.getAttribute('aria-label')}`.trim();
    });
  const announced = () => panel.page.locator('#announcements').innerText();

  describe('while a reply streams', () => {
    beforeEach(() => show(panelState({ turns: [message('1', 'Hi'), streaming('2', 'He')] })));

    it('queues messages sent with Enter, and keeps Stop in place', async () => {
      await panel.message.fill('And then?');
      await panel.button('Stop').waitFor();
      await panel.message.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'And then?' }]);
      await panel.change(
        { type: 'queue', queue: createQueue([queued('q', 'And then?')]) },
        { type: 'sent', text: 'And then?', queued: true },
      );
      assert.equal(await panel.composerText, '');
      assert.match(await row(0).innerText(), /And then\?/);
      assert.match(await announced(), /Added to the queue/);
    });

    it('queues a message sent before the host has answered, as a message of its own', async () => {
      await panel.message.fill('one');
      await panel.message.press('Enter');
      await panel.message.pressSequentially('two');
      await panel.message.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'one' }]);
      await panel.change({ type: 'sent', text: 'one', queued: true });
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'two' }]);
      await panel.change({ type: 'sent', text: 'two', queued: true });
      assert.equal(await panel.composerText, '');
      assert.deepEqual(await panel.intents(), []);
    });

    it('queues several messages sent before the host has answered, each as a message of its own', async () => {
      await panel.message.fill('one');
      await panel.message.press('Enter');
      for (const text of ['two', 'three']) {
        await panel.message.pressSequentially(text);
        await panel.message.press('Enter');
        // Nothing was typed since.
        await panel.message.press('Enter');
      }
      const sent = [];
      for (const text of ['one', 'two', 'three']) {
        sent.push(...(await panel.intents()));
        await panel.change({ type: 'sent', text, queued: true });
      }
      assert.deepEqual(
        sent,
        ['one', 'two', 'three'].map((text) => ({ type: 'send', conversationId: id, text })),
      );
      assert.equal(await panel.composerText, '');
      assert.deepEqual(await panel.intents(), []);
    });

    it('keeps both texts if the first was refused', async () => {
      await panel.message.fill('one');
      await panel.message.press('Enter');
      await panel.message.pressSequentially(' two');
      await panel.message.press('Enter');
      await panel.intents();
      await panel.change({ type: 'notSent' });
      assert.equal(await panel.composerText, 'one two');
      assert.deepEqual(await panel.intents(), []);
    });

    it('shows Send next to Stop only if there is something to send', async () => {
      assert.equal(await panel.button('Send').count(), 0);
      await panel.message.fill('More');
      await panel.button('Send').click();
      assert.equal((await panel.intent('send')).text, 'More');
      assert.equal(await panel.button('Stop').count(), 1);
      await panel.change({ type: 'notSent' });
    });
  });

  it('is hidden without messages, and shows how many there are and that each counts', async () => {
    await show(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
    assert.equal(await list().count(), 0);
    await panel.change({ type: 'queue', queue: createQueue([one]) });
    assert.equal(
      await panel.page.locator('.queue-count').innerText(),
      '1 message (counts toward your limit)',
    );
    await panel.change({ type: 'queue', queue: createQueue([one, two, three]) });
    assert.equal(
      await panel.page.locator('.queue-count').innerText(),
      '3 messages (each counts toward your limit)',
    );
    await panel.change({ type: 'queue' });
    assert.equal(await list().count(), 0);
  });

  it('sends, moves and removes messages', async () => {
    await show(
      panelState({ turns: [message('1', 'Hi'), streaming('2')], queue: createQueue([one, two, three]) }),
    );
    await inRow(1, 'Send Now').click();
    await inRow(1, 'Move Up').click();
    await inRow(1, 'Move Down').click();
    await inRow(1, 'Remove').click();
    const conversationId = id;
    assert.deepEqual(await panel.intents(), [
      { type: 'sendQueued', conversationId, messageId: 'q2' },
      { type: 'moveQueued', conversationId, messageId: 'q2', step: -1 },
      { type: 'moveQueued', conversationId, messageId: 'q2', step: 1 },
      { type: 'removeQueued', conversationId, messageId: 'q2' },
    ]);
    assert.equal(await inRow(0, 'Send Now').getAttribute('title'), 'Send Now (stops the reply)');
  });

  it("doesn't move a message past either end", async () => {
    await show(panelState({ turns: [message('1', 'Hi'), streaming('2')], queue: createQueue([one, two]) }));
    assert.equal(await inRow(0, 'Move Up').getAttribute('aria-disabled'), 'true');
    await inRow(0, 'Move Up').focus();
    await panel.page.keyboard.press('Enter');
    await inRow(1, 'Move Down').focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), []);
    await panel.change({ type: 'queue', queue: createQueue([one]) });
    assert.equal(await panel.button('Move Up').count(), 0);
  });

  describe('by keyboard', () => {
    beforeEach(async () => {
      const turns = [message('1', 'Hi'), streaming('2')];
      await show(panelState({ turns, queue: createQueue([one, two, three]) }));
      await panel.message.focus();
      await panel.page.keyboard.press('Shift+Tab');
    });

    it('is one Tab stop, with arrow keys within', async () => {
      assert.equal(await focused(), 'q1 Send Now');
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.press('ArrowRight');
      assert.equal(await focused(), 'q2 Edit');
      await panel.page.keyboard.press('Tab');
      assert.equal(await focused(), 'Message');
      await panel.page.keyboard.press('Shift+Tab');
      assert.equal(await focused(), 'q2 Edit');
      await panel.page.keyboard.press('Escape');
      assert.equal(await focused(), 'Message');
      // The reply isn't stopped.
      assert.deepEqual(await panel.intents(), []);
    });

    it('keeps the focus on a message that moves', async () => {
      await inRow(1, 'Move Up').focus();
      await panel.page.keyboard.press('Enter');
      await panel.intent('moveQueued');
      await panel.change({ type: 'queue', queue: createQueue([two, one, three]) });
      assert.equal(await focused(), 'q2 Move Up');
      assert.match(await announced(), /Moved to position 1 of 3/);
    });

    it('moves the focus to the next message after a removal, and to the text box after the last', async () => {
      await inRow(1, 'Remove').focus();
      await panel.change({ type: 'queue', queue: createQueue([one, three]) });
      assert.equal(await focused(), 'q3 Remove');
      await panel.change({ type: 'queue', queue: createQueue([one]) });
      assert.equal(await focused(), 'q1 Remove');
      await panel.change({ type: 'queue' });
      assert.equal(await focused(), 'Message');
    });

    it('keeps the focus in the text box while messages are sent', async () => {
      await inRow(0, 'Remove').focus();
      await panel.message.focus();
      await panel.change({ type: 'queue', queue: createQueue([two, three]) });
      assert.equal(await focused(), 'Message');
    });
  });

  describe('paused', () => {
    it('shows and announces why it is paused, and resumes by one click', async () => {
      const turns = [message('1', 'Hi'), reply('2', 'He', { ending: 'stopped' })];
      await show(panelState({ turns, queue: createQueue([one]) }));
      await panel.change({ type: 'queue', queue: createQueue([one], { paused: 'Paused because of rain.' }) });
      await panel.page.locator('.queue').getByText('Paused because of rain.').waitFor();
      assert.equal(await announced(), 'Paused because of rain.');
      await panel.button('Resume').click();
      assert.deepEqual(await panel.intents(), [{ type: 'resumeQueue', conversationId: id }]);
      assert.equal(await focused(), 'Message');
      await panel.change({ type: 'queue', queue: createQueue([one]) });
      assert.equal(await panel.button('Resume').count(), 0);
    });

    it('marks a message that may have been sent', async () => {
      const rows = [queued('q1', 'one', { maybeSent: true }), two];
      await show(
        panelState({ turns: [message('1', 'Hi')], queue: createQueue(rows, { paused: 'Paused.' }) }),
      );
      assert.match(await row(0).innerText(), /May have been sent/);
      assert.doesNotMatch(await row(1).innerText(), /May have been sent/);
    });
  });

  describe('editing a message', () => {
    const editor = () => panel.page.getByRole('textbox', { name: 'Queued Message' });
    /** Returns the texts that the editor has stored since the last call. */
    const takeDrafts = () =>
      panel.page.evaluate(() => {
        const drafts = window.intents.flatMap((intent) =>
          intent.type === 'draftQueued' ? [intent.text] : [],
        );
        window.intents = window.intents.filter(({ type }) => type !== 'draftQueued');
        return drafts;
      });

    beforeEach(async () => {
      await show(panelState({ turns: [message('1', 'Hi'), streaming('2')], queue: createQueue([one, two]) }));
      await inRow(0, 'Edit').focus();
      await panel.page.keyboard.press('Enter');
      await editor().waitFor();
      assert.deepEqual(await panel.intents(), [{ type: 'editQueued', conversationId: id, messageId: 'q1' }]);
    });

    it('holds the message back, and changes it in place', async () => {
      assert.equal(await focused(), 'q1 Queued Message');
      await panel.page.keyboard.type(' and a half');
      await panel.page.keyboard.press('Enter');
      await takeDrafts();
      const changed = { conversationId: id, messageId: 'q1', text: 'one and a half' };
      assert.deepEqual(await panel.intent('changeQueued'), { type: 'changeQueued', ...changed });
      assert.deepEqual(await panel.intent('editQueued'), { type: 'editQueued', conversationId: id });
      await inRow(0, 'Edit').and(panel.page.locator(':focus')).waitFor();
    });

    it("leaves the message unchanged on Escape, and doesn't stop the reply", async () => {
      await panel.page.keyboard.type('!');
      await panel.page.keyboard.press('Escape');
      await inRow(0, 'Edit').and(panel.page.locator(':focus')).waitFor();
      assert.deepEqual(await panel.intent('editQueued'), { type: 'editQueued', conversationId: id });
      assert.deepEqual(await takeDrafts(), ['one!', 'one']);
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await focused(), 'q1 Edit');
    });

    it("can't save an empty message or one that is too long", async () => {
      await editor().fill('');
      assert.equal(await panel.button('Save').isDisabled(), true);
      await editor().fill('x'.repeat(2001));
      assert.equal(await panel.button('Save').isDisabled(), true);
      assert.equal(await editor().getAttribute('aria-invalid'), 'true');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await takeDrafts(), ['', 'x'.repeat(2001)]);
      assert.deepEqual(await panel.intents(), []);
      await panel.button('Cancel').click();
    });

    it('keeps the typed text when its page is closed or shows another conversation in the meantime', async () => {
      await panel.page.keyboard.type('!');
      assert.deepEqual(await takeDrafts(), ['one!']);
      const edit = { messageId: 'q1', text: 'one!' };
      const { conversation } = panelState({ queue: createQueue([one, two], { edit }) });
      await panel.change({ type: 'conversation', conversation });
      await panel.page.waitForFunction(
        () => window.document.querySelector<HTMLTextAreaElement>('.queued-editor textarea')?.value === 'one!',
      );
      assert.notEqual(await focused(), 'q1 Queued Message');
      assert.equal((await panel.intent('editQueued')).messageId, undefined);
      assert.equal((await panel.intent('editQueued')).messageId, 'q1');
      await panel.button('Cancel').click();
      assert.deepEqual(await takeDrafts(), ['one']);
    });

    it('shows an edited text that another page has not saved, instead of sending the one before', async () => {
      await panel.button('Cancel').click();
      await panel.change({
        type: 'queue',
        queue: createQueue([one, two], { edit: { messageId: 'q1', text: 'one!' } }),
      });
      await panel.intents();
      await inRow(0, 'Send Now').click();
      assert.equal(await editor().inputValue(), 'one!');
      assert.deepEqual(await panel.intents(), [{ type: 'editQueued', conversationId: id, messageId: 'q1' }]);
    });

    it('ends when another conversation is shown', async () => {
      const other = panelState().conversation;
      await panel.change({ type: 'conversation', conversation: other });
      assert.deepEqual(await panel.intent('editQueued'), { type: 'editQueued', conversationId: id });
    });
  });

  describe('while documents are converted', () => {
    const converting = document('d', { state: 'attached', status: 'syncing' });

    it('sends when the documents are ready, also with Enter, or at once with Send Now', async () => {
      await show(panelState({ turns: [converting], draft: 'What does it say?' }));
      assert.equal(await panel.button('Send').count(), 0);
      await panel.button('Send When Ready').click();
      assert.deepEqual(await panel.intents(), [
        { type: 'send', conversationId: id, text: 'What does it say?' },
      ]);
      await panel.change({ type: 'notSent' });
      await panel.message.press('Enter');
      assert.equal((await panel.intent('send')).time, undefined);
      await panel.change({ type: 'notSent' });
      await panel.button('Send Now').click();
      assert.equal((await panel.intent('send')).time, 'now');
    });

    it('names the document that the queue waits for', async () => {
      await show(
        panelState({ turns: [converting], queue: createQueue([one], { waitsFor: 'hand\u202ebook.pdf' }) }),
      );
      await panel.page.getByText('Waiting for “hand').waitFor();
      assert.doesNotMatch(await panel.page.locator('.queue-waits').innerText(), /\u202e/);
      assert.equal(
        await inRow(0, 'Send Now').getAttribute('title'),
        'Send now, without documents that are still being processed',
      );
    });

    it('has a single Send again when the documents are ready or failed', async () => {
      await show(panelState({ turns: [converting], draft: 'So?' }));
      await panel.button('Send When Ready').waitFor();
      await panel.change({ type: 'turn', turn: { ...converting, status: 'sync_failed' } });
      await panel.button('Send').waitFor();
      assert.equal(await panel.button('Send Now').count(), 0);
    });
  });
});
