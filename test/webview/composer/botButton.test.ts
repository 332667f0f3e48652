import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { panelState } from '../support/states';

describePanel('bot button', { width: 300 }, (panel) => {
  it('is named by the bot, follows a change, and asks for another bot by keyboard', async () => {
    const conversationId = await panel.showLoaded(panelState());
    await panel.change({ type: 'title', name: '', bot: { id: 'echo', name: 'Echo' } });
    await panel.button('Bot: Echo').press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'changeBot', conversationId }]);
  });

  it('shows no bot button without a bot', async () => {
    const { conversation, ...state } = panelState();
    const { bot: _, ...withoutBot } = conversation;
    await panel.showLoaded({ ...state, conversation: withoutBot });
    assert.equal(await panel.page.getByRole('button', { name: /^Bot:/ }).count(), 0);
  });

  it('is cut in a narrow panel if the bot has a long name, with all buttons on one line', async () => {
    const bot = { id: 'long', name: 'A bot with quite a long name, of a department with a longer one' };
    await panel.showLoaded(panelState({ bot }));
    const tops = await panel.page
      .locator('.composer-bar')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, `${tops}`);
    const button = await panel.button(`Bot: ${bot.name}`).boundingBox();
    assert.ok(button && button.width > 60 && button.x + button.width < 300 - 22);
  });
});
