import assert from 'node:assert/strict';
import type { PanelState } from '../../../src/shared/view/viewModel';
import { describePanel, Panel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('composer', {}, (panel) => {
  let id: string;

  async function show(state: PanelState = panelState()): Promise<void> {
    id = state.conversation.id;
    await panel.snapshot(state);
    await panel.message.focus();
    await panel.intents();
    await panel.takeAll('draft');
  }

  it('names the bot in the placeholder', async () => {
    await show();
    assert.equal(await panel.message.getAttribute('placeholder'), 'Message Guide');
  });

  it('gets the focus when a page loads with it, such as one that VS Code reloads', async () => {
    await panel.snapshot(panelState());
    assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
  });

  describe('keys', () => {
    it('sends with Enter and inserts a line break with Shift+Enter', async () => {
      await show();
      await panel.page.keyboard.type('One');
      await panel.page.keyboard.press('Shift+Enter');
      await panel.page.keyboard.type('two');
      assert.deepEqual(await panel.intents(), []);
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'One\ntwo' }]);
    });

    it('sends only with Ctrl+Enter if parley.sendWith is ctrlEnter', async () => {
      await show(panelState({}, { sendWith: 'ctrlEnter' }));
      await panel.page.keyboard.type('One');
      await panel.page.keyboard.press('Enter');
      await panel.page.keyboard.type('two');
      assert.equal(await panel.composerText, 'One\ntwo');
      assert.deepEqual(await panel.intents(), []);
      await panel.page.keyboard.press('Control+Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: 'One\ntwo' }]);
    });

    it("doesn't send during IME composition", async () => {
      await show();
      const session = await panel.page.context().newCDPSession(panel.page);
      await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), []);
      await session.send('Input.insertText', { text: '日本' });
      assert.match(await panel.composerText, /日本/);
    });

    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      it(`leaves Enter with ${Object.keys(init)[0]} to the input method`, async () => {
        await show(panelState({ draft: 'にほん' }));
        const left = await panel.message.evaluate(
          (box, extra) =>
            box.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...extra }),
            ),
          init,
        );
        assert.equal(left, true);
        assert.deepEqual(await panel.intents(), []);
      });
    }

    it("doesn't send a message of white space", async () => {
      await show(panelState({ draft: ' \n ' }));
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await panel.button('Send').isDisabled(), true);
    });
  });

  describe('sending', () => {
    it('keeps the text until the host has accepted it, and text typed after it', async () => {
      await show();
      await panel.page.keyboard.type('Hello');
      await panel.button('Send').click();
      assert.equal(await panel.composerText, 'Hello');
      await panel.page.keyboard.type(' and more');
      await panel.change({ type: 'sent', text: 'Hello' });
      assert.equal(await panel.composerText, ' and more');
      // A pause in typing posts what there is.
      const drafts: string[] = [];
      while (drafts.at(-1) !== ' and more') drafts.push((await panel.intent('draft')).text);
      assert.deepEqual(
        drafts.slice(0, -1).filter((draft) => !'Hello and more'.startsWith(draft)),
        [],
      );
    });

    it('sends once however often Enter is pressed', async () => {
      await show();
      await panel.page.keyboard.type('Hello');
      for (let presses = 0; presses < 3; presses++) await panel.page.keyboard.press('Enter');
      assert.equal(await panel.button('Send').isDisabled(), true);
      assert.equal((await panel.intents()).length, 1);
      assert.equal(await panel.composerText, 'Hello');
    });

    it('can send again after the host has refused a message', async () => {
      await show();
      await panel.page.keyboard.type('Hello');
      await panel.page.keyboard.press('Enter');
      await panel.change({ type: 'notSent' });
      assert.equal(await panel.composerText, 'Hello');
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.intents()).length, 2);
    });

    it('shows text inserted by the host', async () => {
      await show();
      await panel.change({ type: 'draft', text: '```ts\n1\n```\n' });
      assert.equal(await panel.composerText, '```ts\n1\n```\n');
    });
  });

  describe('while a reply streams', () => {
    beforeEach(() => show(panelState({ turns: [message('1', 'Hi'), streaming('2', 'He')] })));

    it('shows Stop instead of Send for an empty text, and focuses the text box after stopping', async () => {
      assert.equal(await panel.button('Send').count(), 0);
      await panel.button('Stop').click();
      assert.deepEqual(await panel.intents(), [{ type: 'stop', conversationId: id }]);
      await panel.change({ type: 'ended', turnId: '2', ending: 'stopped' });
      assert.equal(await panel.button('Stop').count(), 0);
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
    });

    it('stops the reply with Escape from anywhere in the page', async () => {
      await panel.page.keyboard.press('Escape');
      await panel.button('Attach Files…').focus();
      await panel.page.keyboard.press('Escape');
      assert.deepEqual(await panel.intents(), [
        { type: 'stop', conversationId: id },
        { type: 'stop', conversationId: id },
      ]);
    });

    it('ignores Escape after the reply has ended', async () => {
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      await panel.page.keyboard.press('Escape');
      assert.deepEqual(await panel.intents(), []);
    });

    it('keeps typed text until the user sends it', async () => {
      await panel.page.keyboard.type('Next');
      await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
      assert.equal(await panel.composerText, 'Next');
      assert.deepEqual(await panel.intents(), []);
    });
  });

  describe('limit', () => {
    const count = () => panel.page.locator('.composer-count');

    it('shows the counter only near the limit', async () => {
      await show(panelState({ draft: 'x'.repeat(1799) }));
      assert.equal(await count().count(), 0);
      await panel.message.press('End');
      await panel.page.keyboard.type('y');
      assert.equal(await count().innerText(), '1,800 / 2,000');
    });

    it('counts code points, not code units', async () => {
      await show(panelState({ draft: '😀'.repeat(1799) }));
      assert.equal(await count().count(), 0);
      await panel.message.fill('😀'.repeat(2000));
      assert.equal(await count().innerText(), '2,000 / 2,000');
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.intents()).length, 1);
    });

    it('offers other options for a message over the limit, and keeps all of its text', async () => {
      const text = `${'😀'.repeat(1999)}ab`;
      await show();
      await panel.message.fill(text);
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await panel.button('Send').isDisabled(), true);
      const offer = panel.page.getByRole('group', { name: 'Too long for one message' });
      await offer.waitFor();
      assert.match(await offer.innerText(), /^Your message is 2,001 characters long; the limit is 2,000\./);
      assert.equal(await panel.composerText, text);
      await panel.message.focus();
      await panel.page.keyboard.press('Control+End');
      await panel.page.keyboard.press('Backspace');
      assert.equal(await offer.count(), 0);
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.intents()).length, 1);
    });
  });

  it('grows with its text to about two fifths of the panel, then scrolls', async () => {
    await show(panelState({ turns: [message('1', 'Hi'), reply('2', 'Hello')] }));
    const height = async () => (await panel.message.boundingBox())?.height ?? 0;
    const single = await height();
    await panel.message.fill('line\n'.repeat(5));
    const several = await height();
    assert.ok(several > single * 2.5, `${several} against ${single}`);
    await panel.message.fill('line\n'.repeat(200));
    assert.equal(await height(), 640 * 0.4);
    assert.equal(await panel.message.evaluate((box) => box.scrollHeight > box.clientHeight), true);
  });

  it('asks the host for files', async () => {
    await show();
    await panel.button('Attach Files…').click();
    assert.deepEqual(await panel.intents(), [{ type: 'attach', conversationId: id }]);
  });

  it('gets the focus when the host asks for it, as soon as it is rendered', async () => {
    const fresh = await Panel.open();
    await fresh.post({ type: 'focusComposer' });
    await fresh.snapshot(panelState());
    assert.equal(await fresh.message.evaluate((box) => box === document.activeElement), true);
    await fresh.close();
  });
});
