import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { document as documentTurn, message, panelState, reply } from '../support/states';

const error = { code: 'unreachable', message: 'Can’t reach \u202eexample.com.' };

describePanel('what the host couldn’t do', {}, (panel) => {
  let id: string;
  const banner = () => panel.page.getByRole('alert');
  const type = (text: string) => panel.page.keyboard.type(text);

  before(async () => {
    // The script that handles a pasted file is loaded when the page is idle.
    await panel.snapshot(panelState({ turns: [documentTurn('1')] }));
    await panel.page.locator('.document').waitFor();
  });
  beforeEach(async () => {
    id = await panel.showLoaded(panelState({ turns: [message('1', 'Hi'), reply('2', 'Hello')] }));
    await panel.message.focus();
  });

  for (const [what, act] of Object.entries({
    'a list of prompts': async () => {
      await panel.takeAll('listPrompts');
      await type('/');
      await panel.fail(await panel.intent('listPrompts'), error);
    },
    'a prompt': async () => {
      await panel.takeAll('listPrompts');
      await type('/');
      await panel.respond(await panel.intent('listPrompts'), [{ id: 'p', name: 'Plan', source: 'personal' }]);
      await panel.page.keyboard.press('Enter');
      await panel.fail(await panel.intent('usePrompt'), error);
    },
    'a mention': async () => {
      await type('@');
      const mentions = [{ id: 'a', kind: 'file', name: 'a.ts' }] as const;
      await panel.respond(await panel.intent('findMentions'), { mentions, isSearching: false });
      await panel.page.keyboard.press('Enter');
      await panel.fail(await panel.intent('useMention'), error);
    },
    'a fork': async () => {
      await panel.button('Fork from Here').last().click();
      await panel.fail(await panel.intent('forkConversation'), error);
    },
    'a fork with an edited message': async () => {
      await panel.button('Edit and Ask Again').click();
      await panel.button('In a New Conversation').click();
      await panel.fail(await panel.intent('forkConversation'), error);
      assert.equal(await panel.composerText, 'Hi');
    },
    'an upload': async () => {
      await panel.page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['text'], 'a.txt'));
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
      });
      await panel.fail(await panel.intent('uploadBegin'), error);
    },
  })) {
    it(`is said in the panel for ${what}, until it is closed`, async () => {
      await act();
      assert.equal(await banner().innerText(), 'Can’t reach \\u{202e}example.com.');
      await panel.button('Close').click();
      assert.equal(await banner().count(), 0);
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
    });
  }

  it('isn’t said any more in another conversation', async () => {
    await panel.button('Fork from Here').last().click();
    await panel.fail(await panel.intent('forkConversation'), error);
    await banner().waitFor();
    await panel.change({ type: 'title', name: 'Same' });
    await banner().waitFor();
    const { conversation } = panelState({ turns: [message('1', 'Hi')] });
    assert.notEqual(conversation.id, id);
    await panel.change({ type: 'conversation', conversation });
    assert.equal(await banner().count(), 0);
  });
});
