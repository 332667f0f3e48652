import assert from 'node:assert/strict';
import type { Setup } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

describePanel('first run', {}, (panel) => {
  const show = async (setup: Setup) => {
    await panel.snapshot(panelState({}, { setup }));
    await panel.intents();
  };
  const steps = () => panel.page.getByRole('listitem');

  it('shows three steps on one screen, starting with the first', async () => {
    await show({ step: 'baseUrl' });
    assert.match(await panel.page.getByRole('main').innerText(), /Chat with your company’s bots/);
    assert.deepEqual(await panel.page.getByRole('heading', { level: 2 }).allInnerTexts(), [
      'Service URL',
      'API key',
      'Bot',
    ]);
    assert.equal(await panel.page.getByRole('button').count(), 1);
    assert.equal(await panel.message.count(), 0);
  });

  for (const [step, name, type, done] of [
    ['baseUrl', 'Set Service URL', 'setBaseUrl', 0],
    ['apiKey', 'Set API Key', 'setApiKey', 1],
    ['bot', 'Choose Bot', 'chooseBot', 2],
  ] as const) {
    it(`asks for ${step} with its button`, async () => {
      await show({ step, serviceHost: 'bots.example' });
      const current = panel.page.locator('[aria-current=step]');
      assert.equal(await steps().getByRole('img', { name: 'Done' }).count(), done);
      await current.getByRole('button', { name, exact: true }).click();
      assert.deepEqual(await panel.intents(), [{ type }]);
    });
  }

  it("shows the service's host, and a way to change it", async () => {
    await show({ step: 'apiKey', serviceHost: 'bots.example' });
    assert.match(await steps().first().innerText(), /bots\.example/);
    await panel.button('Change Service URL').click();
    assert.deepEqual(await panel.intents(), [{ type: 'setBaseUrl' }]);
  });

  it('shows a problem at its step, with other actions for it', async () => {
    const problem = { text: 'The service rejected the key.', actions: ['setApiKey', 'showLog'] as const };
    await show({ step: 'apiKey', problem });
    const current = panel.page.locator('[aria-current=step]');
    assert.equal(await current.getByRole('alert').innerText(), 'The service rejected the key.');
    assert.deepEqual(await current.getByRole('button').allInnerTexts(), ['Show Log', 'Set API Key']);
  });

  it('becomes the chat when it is complete', async () => {
    await show({ step: 'bot' });
    await panel.change(
      { type: 'setup', setup: { step: 'done' } },
      { type: 'title', name: '', bot: { id: 'guide', name: 'Guide' } },
    );
    await panel.message.waitFor();
    assert.match(await panel.page.getByRole('main').innerText(), /Guide\s+Ask a question/);
    assert.equal(await panel.page.getByText('Service URL').count(), 0);
  });

  it("moves the focus to the step's button", async () => {
    await show({ step: 'baseUrl' });
    await panel.post({ type: 'focusComposer' });
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'setBaseUrl' }]);
  });

  it('moves the focus to the next step when one is done, and to the text box at the end', async () => {
    await show({ step: 'apiKey' });
    await panel.post({ type: 'focusComposer' });
    await panel.change({ type: 'setup', setup: { step: 'bot' } });
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'chooseBot' }]);
    await panel.change({ type: 'setup', setup: { step: 'done' } });
    await panel.page.keyboard.type('Hi');
    assert.equal(await panel.composerText, 'Hi');
  });

  it('keeps the history visible, and asks in a strip above the composer', async () => {
    const state = panelState(
      { turns: [message('1', 'Hi'), reply('2', 'Hello')], draft: 'Next' },
      { setup: { step: 'apiKey' } },
    );
    await panel.snapshot(state);
    await panel.intents();
    assert.equal(await panel.page.getByRole('article').count(), 2);
    await panel.message.press('Enter');
    assert.equal(await panel.button('Send').isDisabled(), true);
    assert.equal(await panel.composerText, 'Next');
    await panel.button('Set API Key').click();
    assert.deepEqual(await panel.intents(), [{ type: 'setApiKey' }]);
    await panel.change({ type: 'setup', setup: { step: 'done' } });
    await panel.message.press('Enter');
    assert.equal((await panel.intent('send')).text, 'Next');
  });
});
