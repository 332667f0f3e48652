import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState } from '../support/states';

describePanel('notice', {}, (panel) => {
  it('is announced at once if saving fails, and disappears when that is resolved', async () => {
    const state = panelState(
      { turns: [message('1', 'Hi')] },
      { notice: { kind: 'storage', text: 'Can’t save.', actions: ['tryAgain', 'showLog'] } },
    );
    await panel.snapshot(state);
    await panel.intents();
    assert.equal(await panel.page.getByRole('alert').innerText(), 'Can’t save.');
    await panel.button('Try Again').click();
    assert.deepEqual(await panel.intents(), [
      { type: 'noticeAction', conversationId: state.conversation.id, action: 'tryAgain' },
    ]);
    await panel.change({ type: 'notice' });
    assert.equal(await panel.page.getByRole('alert').count(), 0);
    assert.equal(await panel.button('Try Again').count(), 0);
  });

  it('is announced politely if another window writes the conversation', async () => {
    const state = panelState({ turns: [message('1', 'Hi')] });
    await panel.snapshot(state);
    await panel.change({
      type: 'notice',
      notice: { kind: 'otherWindow', text: 'Another window writes this.', actions: ['takeOver'] },
    });
    assert.equal(await panel.page.getByRole('status').first().innerText(), 'Another window writes this.');
    await panel.button('Take Over').click();
    assert.equal((await panel.intent('noticeAction')).action, 'takeOver');
    assert.equal(await panel.page.getByRole('alert').count(), 0);
  });

  it('offers to continue with one of two bots that were asked', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }));
    await panel.change({
      type: 'notice',
      notice: { kind: 'compared', text: 'You asked Echo too.', actions: ['continueHere'] },
    });
    await panel.button('Continue with This Bot').press('Enter');
    assert.equal((await panel.intent('noticeAction')).action, 'continueHere');
  });

  it('spells out the hidden characters of a bot’s name', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }));
    const text = 'You asked E\u202echo\u200b too.';
    await panel.change({ type: 'notice', notice: { kind: 'compared', text, actions: ['continueHere'] } });
    assert.equal(
      await panel.page.locator('.strip .notice-text').innerText(),
      'You asked E\\u{202e}cho\\u{200b} too.',
    );
  });

  it('says which service the workspace proposes, above the text box and in the setup', async () => {
    const proposal = { host: 'bots.example.com' };
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }));
    assert.equal(await panel.button('Connect').count(), 0);
    await panel.change({ type: 'proposal', proposal });
    await panel.page.getByText('This workspace uses bots.example.com.').waitFor();
    await panel.button('Connect').press('Enter');
    assert.deepEqual(await panel.intent('connectProposed'), { type: 'connectProposed' });
    await panel.button('Not Now').click();
    assert.equal((await panel.intent('declineProposed')).forWorkspace, false);
    await panel.snapshot(panelState({ turns: [] }, { setup: { step: 'baseUrl' }, proposal }));
    await panel.button('Don’t Ask for This Workspace').click();
    assert.equal((await panel.intent('declineProposed')).forWorkspace, true);
    await panel.change({ type: 'proposal' });
    assert.equal(await panel.button('Connect').count(), 0);
  });

  it('lets the keyboard reach what the workspace proposes, and has the focus back in the text box afterwards', async () => {
    await panel.showLoaded(
      panelState({ turns: [message('1', 'Hi')] }, { proposal: { host: 'bots.example.com' } }),
    );
    await panel.message.focus();
    const focused = () => panel.page.evaluate(() => document.activeElement?.textContent);
    const backwards: unknown[] = [];
    for (let press = 0; press < 3; press++) {
      await panel.page.keyboard.press('Shift+Tab');
      backwards.push(await focused());
    }
    assert.deepEqual(backwards, ['Don’t Ask for This Workspace', 'Not Now', 'Connect']);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    assert.deepEqual(await panel.intents(), [{ type: 'declineProposed', forWorkspace: false }]);
    await panel.change({ type: 'proposal' });
    await panel.message.and(panel.page.locator(':focus')).waitFor();
  });

  it('puts the button of a long text below it, and that of a short one beside it', async () => {
    const isBeside = () =>
      panel.page.locator('.strip').evaluate((strip) => {
        const text = strip.querySelector('.notice-text')?.getBoundingClientRect();
        const button = strip.querySelector('button')?.getBoundingClientRect();
        return (button?.left ?? 0) >= (text?.right ?? 0);
      });
    await panel.page.setViewportSize({ width: 420, height: 640 });
    for (const [text, beside] of [
      ['Another window writes.', true],
      ['This conversation belongs to another service. '.repeat(4), false],
    ] as const) {
      const notice = { kind: 'serviceRemoved', text, actions: ['addService'] } as const;
      await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }, { notice }));
      assert.equal(await isBeside(), beside, text);
    }
    await panel.button('Add Service').press('Enter');
    assert.equal((await panel.intent('noticeAction')).action, 'addService');
    await panel.page.setViewportSize({ width: 320, height: 640 });
  });
});
