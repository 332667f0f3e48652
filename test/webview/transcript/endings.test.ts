import assert from 'node:assert/strict';
import type { Problem, ReplyTurn } from '../../../src/shared/view/viewModel';
import { describePanel, Panel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('endings of a reply', {}, (panel) => {
  let id: string;

  const show = async (rest: Partial<ReplyTurn>) => {
    const state = panelState({ turns: [message('1', 'Hi'), reply('2', 'It began', rest)] });
    id = state.conversation.id;
    await panel.snapshot(state);
    await panel.intents();
  };
  const article = () => panel.page.getByRole('article', { name: 'Guide' });
  const alert = () => panel.page.getByRole('alert');

  it('shows nothing extra for a complete reply', async () => {
    await show({ ending: 'complete' });
    assert.match(await article().innerText(), /^Guide\nJan 5, 2026, \d+:\d\d\s[AP]M\n\nIt began$/);
  });

  it('marks a stopped reply unobtrusively', async () => {
    await show({ ending: 'stopped' });
    assert.match(await article().innerText(), /It began\s+Stopped$/);
    assert.equal(await alert().count(), 0);
  });

  it('shows for an interrupted reply that the received part is kept [fault 23]', async () => {
    await show({ ending: 'interrupted', problem: { text: 'The connection ended.', actions: ['retry'] } });
    assert.match(
      await article().innerText(),
      /It began\s+The reply was interrupted\. The part that arrived is kept\.\s+The connection ended\.\s+Retry$/,
    );
    assert.equal(await alert().count(), 0);
  });

  it("alerts to a failed reply with a sentence, the service's message and fields [fault 11]", async () => {
    await show({
      ending: 'failed',
      problem: {
        text: 'The service didn’t accept the request.',
        detail: 'The given data was invalid.',
        fields: [{ name: 'bot_id', messages: ['No such bot.', 'Choose another.'] }],
        actions: [],
      },
    });
    assert.deepEqual((await alert().innerText()).split(/\n+/), [
      'The service didn’t accept the request.',
      'The given data was invalid.',
      'bot_id: No such bot. Choose another.',
    ]);
  });

  it("shows the service's message escaped [attack: control characters]", async () => {
    await show({
      ending: 'failed',
      problem: { text: 'No.', detail: '<img src=/x onerror=alert(1)> \u001b[2J \u202egpj.exe', actions: [] },
    });
    assert.match(
      await alert().innerText(),
      /<img src=\/x onerror=alert\(1\)> \\u\{1b\}\[2J \\u\{202e\}gpj\.exe/,
    );
    assert.equal(await panel.page.locator('.problem-detail img').count(), 0);
  });

  it('shows a sentence even if the host provided none', async () => {
    await show({ ending: 'failed' });
    assert.equal(await alert().innerText(), 'The reply failed.');
  });

  it('shows that parts of the stream were left out [fault 33]', async () => {
    await show({ skipped: true });
    assert.match(await article().innerText(), /couldn’t be read and were left out/);
  });

  it('posts an intent for each action', async () => {
    const problem: Problem = {
      text: 'No.',
      actions: ['retry', 'setApiKey', 'setBaseUrl', 'changeBot', 'showLog'],
    };
    await show({ ending: 'failed', problem });
    for (const name of ['Retry', 'Set API Key', 'Set Service URL', 'Change Bot', 'Show Log']) {
      await panel.button(name).click();
    }
    assert.deepEqual(await panel.intents(), [
      { type: 'retry', conversationId: id, turnId: '2' },
      { type: 'setApiKey' },
      { type: 'setBaseUrl' },
      { type: 'changeBot', conversationId: id },
      { type: 'showLog' },
    ]);
  });

  it('moves the focus to the text box after Retry', async () => {
    await show({ ending: 'failed', problem: { text: 'No.', actions: ['retry'] } });
    await panel.button('Retry').click();
    assert.equal(await panel.message.evaluate((box) => box === window.document.activeElement), true);
  });

  it('shows that it is still waiting when nothing arrives for a while, until something does [fault 31] [fault 32]', async () => {
    const fresh = await Panel.open();
    await fresh.page.clock.install({ time: 0 });
    await fresh.page.clock.pauseAt(600_000);
    const state = panelState({ turns: [message('1', 'Hi'), streaming('2', 'It began')] });
    // Posting ends with a frame, which comes when the clock runs.
    const posted = fresh.snapshot(state);
    await fresh.page.getByText('It began').waitFor();
    const notice = fresh.page.getByText('Still waiting for the service.');
    await fresh.page.clock.runFor(19_000);
    await posted;
    assert.equal(await notice.count(), 0);
    await fresh.page.clock.runFor(2_000);
    await notice.waitFor();
    const changed = fresh.change({ type: 'chunk', turnId: '2', text: ' and went on' });
    await fresh.page.getByText('It began and went on').waitFor();
    await fresh.page.clock.runFor(1_000);
    await changed;
    await notice.waitFor({ state: 'detached' });
    await fresh.page.clock.runFor(300_000);
    await fresh.page.clock.resume();
    await notice.waitFor();
    await fresh.intents();
    await fresh.button('Stop').click();
    assert.deepEqual(await fresh.intents(), [{ type: 'stop', conversationId: state.conversation.id }]);
    await fresh.change({ type: 'ended', turnId: '2', ending: 'stopped' });
    await notice.waitFor({ state: 'detached' });
    assert.match(
      await fresh.page.getByRole('article', { name: 'Guide' }).innerText(),
      /It began and went on\s+Stopped$/,
    );
    await fresh.close();
  });

  it('counts down before Retry if the service asked to wait [fault 13]', async () => {
    const { page } = panel;
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(600_000);
    // Each look is in the middle of a second: timers start a frame late. Posting ends with a frame, too.
    const shown = show({
      ending: 'failed',
      problem: { text: 'Wait.', actions: ['retry'], retryAt: 602_500 },
    });
    await page.getByText('Wait.').waitFor();
    const button = page.locator('.problem-actions button');
    const seen: string[] = [];
    for (let second = 0; second < 3; second++) {
      seen.push(await button.innerText());
      assert.equal(await button.isDisabled(), true);
      await page.clock.runFor(1000);
    }
    await shown;
    assert.deepEqual(seen, ['Retry in 3 s', 'Retry in 2 s', 'Retry in 1 s']);
    assert.equal(await button.innerText(), 'Retry');
    assert.equal(await alert().innerText(), 'Wait.');
    await button.click();
    assert.equal((await panel.intents()).length, 1);
  });
});
