import assert from 'node:assert/strict';
import type { ContextChip } from '../../../src/shared/conversation/message';
import { splitMessage } from '../../../src/shared/conversation/splitMessage';
import type { ComposingView, PanelState } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

const chip = (id: string, text: string, name = `${id}.ts:1-2`): ContextChip => ({
  id,
  kind: 'selection',
  name,
  text,
});
const composing = (rest: Partial<ComposingView> = {}): ComposingView => ({
  context: [],
  webSearch: false,
  ...rest,
});

describePanel('context of a message', {}, (panel) => {
  let id: string;
  async function show(state: PanelState): Promise<void> {
    id = state.conversation.id;
    await panel.snapshot(state);
    await panel.button('Add Context…').waitFor();
    await panel.message.focus();
    await panel.intents();
    await panel.takeAll('draft');
  }
  const focused = () =>
    panel.page.evaluate(() => {
      const focus = document.activeElement;
      return focus?.getAttribute('aria-label') ?? focus?.textContent;
    });
  const list = () => panel.page.getByRole('list', { name: 'Context', exact: true });

  describe('chips', () => {
    const two = composing({ context: [chip('a', 'x'.repeat(1234)), chip('b', 'b')] });

    it("shows each chip with name and length, and sends the message with the chips' ids", async () => {
      await show(panelState({ composing: two }));
      assert.deepEqual(await list().getByRole('listitem').allInnerTexts(), [
        'a.ts:1-2\n1,234\n1,234 characters',
        'b.ts:1-2\n1\n1 character',
      ]);
      await panel.page.keyboard.type('Why?');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), [
        { type: 'send', conversationId: id, text: 'Why?', context: ['a', 'b'] },
      ]);
    });

    it('sends chips without text', async () => {
      await show(panelState({ composing: two }));
      await panel.button('Send').click();
      assert.deepEqual((await panel.intents())[0], {
        type: 'send',
        conversationId: id,
        text: '',
        context: ['a', 'b'],
      });
    });

    it("doesn't send chips with a message that is asked again", async () => {
      await show(panelState({ composing: two, turns: [message('1', 'Hi'), reply('2', 'So')] }));
      await panel.button('Ask Again').press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'Hi' }]);
    });

    it('includes the chips in the counter', async () => {
      await show(panelState({ draft: '😀'.repeat(700), composing: two }));
      // The text, and for each chip a blank line and its text.
      assert.equal(await panel.page.locator('.composer-count').innerText(), '1,939 / 2,000');
    });

    it('previews a chip on hover and focus', async () => {
      const long = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
      await show(panelState({ composing: composing({ context: [chip('a', long)] }) }));
      const preview = panel.page.getByRole('tooltip');
      await panel.page.getByText('a.ts:1-2').hover();
      assert.match(await preview.innerText(), /^line 0\n[\s\S]*line 13\n\s*… 6 more lines$/);
      await panel.message.hover();
      assert.equal(await preview.count(), 0);
      await panel.page.keyboard.press('Shift+Tab');
      await preview.waitFor();
      await panel.page.keyboard.press('Escape');
      assert.equal(await preview.count(), 0);
      assert.deepEqual(await panel.intents(), []);
    });

    it('removes chips by mouse, by Delete, and by Backspace in an empty text box', async () => {
      await show(panelState({ composing: two }));
      await panel.button('Remove a.ts:1-2').click();
      assert.deepEqual(await panel.intents(), [{ type: 'removeContext', conversationId: id, chipId: 'a' }]);
      await panel.page.getByRole('button', { name: /^a\.ts:1-2 1,234 characters$/ }).focus();
      await panel.page.keyboard.press('Delete');
      assert.match((await focused()) ?? '', /^b\.ts:1-2/);
      assert.deepEqual(await panel.intents(), [{ type: 'removeContext', conversationId: id, chipId: 'a' }]);
      await panel.message.focus();
      await panel.page.keyboard.type('x');
      await panel.page.keyboard.press('Backspace');
      assert.deepEqual(await panel.intents(), []);
      await panel.page.keyboard.press('Backspace');
      assert.deepEqual(await panel.intents(), [{ type: 'removeContext', conversationId: id, chipId: 'b' }]);
      await panel.change({ type: 'composing', composing: composing() });
      assert.equal(await list().count(), 0);
    });

    it('shows chips added by the host', async () => {
      await show(panelState());
      await panel.change({ type: 'composing', composing: two });
      assert.equal(await list().getByRole('listitem').count(), 2);
    });
  });

  describe('text that is too long', () => {
    const long = `${'word '.repeat(300)}\n\n`.repeat(3);
    const offer = () => panel.page.getByRole('group', { name: 'Too long for one message' });

    it('is offered to be sent as a document as soon as it is pasted', async () => {
      await show(panelState());
      await panel.page.evaluate((text) => {
        const box = document.querySelector('textarea');
        box?.focus();
        document.execCommand('insertText', false, text);
      }, long);
      await offer().waitFor();
      await panel.button('Send as Document').click();
      assert.deepEqual(await panel.intents(), [
        { type: 'send', conversationId: id, text: long, overflow: 'document' },
      ]);
      assert.equal(await panel.composerText, long);
      assert.equal(await panel.button('Send as Document').isDisabled(), true);
      await panel.change({ type: 'notSent' });
      assert.equal(await panel.button('Send as Document').isDisabled(), false);
      assert.equal(await panel.composerText, long);
    });

    it('can be split, with the number of messages that it costs', async () => {
      await show(panelState({ draft: long }));
      const parts = splitMessage(long).length;
      assert.match(await offer().innerText(), new RegExp(`counts as ${parts} messages`));
      await panel.button(`Split into ${parts} Messages`).click();
      assert.equal((await panel.intent('send')).overflow, 'split');
    });

    it("can't be split if it would use up the plan", async () => {
      await show(panelState({ draft: 'word '.repeat(30_000) }));
      await offer().waitFor();
      assert.equal(await offer().getByRole('button').count(), 2);
    });

    it('can be shortened manually, with a way back to the other options', async () => {
      await show(panelState({ draft: long }));
      await panel.button('Shorten Manually').click();
      assert.equal(await focused(), 'Message');
      await panel.page.getByText(/^2,\d+ characters over the limit\.$/).waitFor();
      await panel.button('Other Options').click();
      await offer().waitFor();
      assert.deepEqual(await panel.intents(), []);
    });

    it('measures a message with its chips', async () => {
      await show(
        panelState({ draft: 'Why?', composing: composing({ context: [chip('a', 'x'.repeat(2000))] }) }),
      );
      assert.match(await offer().innerText(), /^Your message is 2,006 characters long/);
      await panel.button('Send as Document').click();
      assert.deepEqual(await panel.intents(), [
        { type: 'send', conversationId: id, text: 'Why?', context: ['a'], overflow: 'document' },
      ]);
    });

    it('moves the focus to the options on Enter', async () => {
      await show(panelState({ draft: long }));
      await offer().waitFor();
      await panel.page.keyboard.press('Enter');
      assert.equal(await panel.page.evaluate(() => document.activeElement?.textContent), 'Send as Document');
      assert.deepEqual(await panel.intents(), []);
    });

    it('is sent the same way each time once that is chosen, until that is reset', async () => {
      await show(panelState({ draft: long }));
      await panel.page.getByLabel('Always do this').check();
      await panel.button('Send as Document').click();
      assert.deepEqual(
        (await panel.intents()).map(({ type }) => type),
        ['setOverflow', 'send'],
      );
      await show(panelState({ draft: long }, { overflow: 'document' }));
      await panel.page.getByText('It will be sent as a document').waitFor();
      await panel.button('Send').click();
      assert.equal((await panel.intent('send')).overflow, 'document');
      await panel.button('Ask Each Time').click();
      assert.deepEqual(await panel.intents(), [{ type: 'setOverflow' }]);
      await panel.change({ type: 'notSent' }, { type: 'overflow' });
      await offer().waitFor();
    });
  });

  describe('web search', () => {
    it('is a toggle that the host remembers', async () => {
      await show(panelState());
      const button = panel.button('Search the Web');
      assert.equal(await button.getAttribute('aria-pressed'), 'false');
      await button.click();
      assert.deepEqual(await panel.intents(), [{ type: 'setWebSearch', conversationId: id, on: true }]);
      await panel.change({ type: 'composing', composing: composing({ webSearch: true }) });
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      await button.click();
      assert.equal((await panel.intent('setWebSearch')).on, false);
    });

    it('shows that the web is searched, can be stopped, and marks the reply', async () => {
      const searching = { ...streaming('2'), webSearch: true } as const;
      await show(panelState({ turns: [message('1', 'Hi'), searching] }));
      const turn = panel.page.getByRole('article', { name: 'Guide' });
      await turn.getByText('Searching the web…').waitFor();
      assert.equal(await turn.getByText('Searched the web').count(), 0);
      await panel.button('Stop').click();
      assert.deepEqual(await panel.intents(), [{ type: 'stop', conversationId: id }]);
      await panel.change({ type: 'turn', turn: { ...searching, text: 'Found', ending: 'complete' } });
      await turn.getByText('Searched the web').waitFor();
      assert.equal(await turn.getByText('Searching the web…').count(), 0);
    });
  });

  it('shows in the tooltip of Send how many messages were sent, or the credits if the service reports them', async () => {
    await show(panelState({}, { quota: { messages: 41 } }));
    assert.equal(
      await panel.button('Send').getAttribute('title'),
      'Send (about 41 messages in the last 30 days)',
    );
    await panel.change({ type: 'quota', quota: { messages: 42 } });
    assert.match((await panel.button('Send').getAttribute('title')) ?? '', /about 42 messages/);
    await panel.change({ type: 'quota', quota: { messages: 42, credits: 97.5 } });
    assert.match((await panel.button('Send').getAttribute('title')) ?? '', /about 97.5 credits/);
  });
});
