import assert from 'node:assert/strict';
import { waitUntil } from '../../support/waitUntil';
import { describePanel } from '../support/panel';
import { message, panelState, streaming, summary } from '../support/states';

describePanel('header', { width: 400 }, (panel) => {
  beforeEach(async () => {
    const hour = 3_600_000;
    const state = panelState(
      { name: 'Plans', turns: [message('1', 'Hi'), streaming('2', 'He')] },
      {
        conversations: [
          summary('a', 'Release notes', { streaming: true, at: Date.now() - 2 * hour }),
          summary('b', 'Onboarding', { unread: true, bot: { id: 'echo', name: 'Echo' } }),
          summary('c', 'Releases before', { at: Date.now() - 49 * hour }),
        ],
      },
    );
    await panel.snapshot(state);
    await panel.intents();
  });

  const list = () => panel.page.getByRole('dialog', { name: 'Conversations' });
  const rows = () => list().getByRole('row');
  const onMessage = () => panel.message.evaluate((box) => box === document.activeElement);

  const heading = () => panel.page.getByRole('heading', { level: 1 });
  const headingHeight = async () => (await heading().boundingBox())?.height ?? 0;

  it('shows the name of the conversation', async () => {
    assert.equal(await heading().innerText(), 'Plans');
    await panel.change({ type: 'title', name: 'Better plans', bot: { id: 'echo', name: 'Echo' } });
    assert.equal(await heading().innerText(), 'Better plans');
    assert.ok((await headingHeight()) > 20);
  });

  it('takes no room for a conversation without a name, and in an editor, whose tab has the name', async () => {
    await panel.change({ type: 'title', name: '' });
    assert.equal(await heading().innerText(), 'New Conversation');
    assert.ok((await headingHeight()) <= 1);
    await panel.change({ type: 'title', name: 'Plans' });
    const app = panel.page.locator('#app');
    await app.evaluate((element) => element.classList.add('in-editor'));
    assert.equal(await panel.page.locator('.header').evaluate((element) => element.clientHeight), 0);
    await app.evaluate((element) => element.classList.remove('in-editor'));
  });

  it('has no buttons: the actions are in VS Code’s title bar', async () => {
    assert.equal(await panel.page.locator('header').getByRole('button').count(), 0);
  });

  describe('conversation list', () => {
    beforeEach(async () => {
      await panel.post({ type: 'showList' });
      await list().getByRole('row').first().waitFor();
    });
    afterEach(async () => {
      if ((await list().count()) > 0) await panel.page.keyboard.press('Escape');
    });

    it('shows name, bot and age, and marks streaming and unread conversations', async () => {
      // The active row shows its actions instead of the age.
      const shown = async () => (await rows().allInnerTexts()).map((text) => text.split('\n').join(', '));
      await waitUntil('the rows are laid out', async () => (await shown()).every((text) => text !== ''));
      assert.deepEqual(await shown(), [
        'Release notes, Guide',
        'Onboarding, Echo, 3 hr. ago',
        'Releases before, Guide, 2 days ago',
      ]);
      const marks = (index: number) => rows().nth(index).getByRole('img');
      assert.equal(await marks(0).getAttribute('aria-label'), 'Replying');
      assert.equal(await marks(1).getAttribute('aria-label'), 'New reply');
      assert.equal(await marks(2).count(), 0);
    });

    it('opens a conversation with arrow keys and Enter, and focuses the text box', async () => {
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.press('ArrowUp');
      await panel.page.keyboard.press('ArrowUp');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'c' }]);
      assert.equal(await list().count(), 0);
      assert.equal(await onMessage(), true);
    });

    it('opens a conversation by a click', async () => {
      await list().getByText('Onboarding').click();
      assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'b' }]);
    });

    it('filters by name and bot', async () => {
      await panel.page.keyboard.type('REL guide');
      assert.equal(await rows().count(), 2);
      await panel.page.keyboard.type(' bef');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'c' }]);
    });

    it('selects the first match when the filter changes', async () => {
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.type('releases');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'c' }]);
    });

    it('shows a message if nothing matches', async () => {
      await panel.page.getByRole('combobox', { name: 'Search conversations' }).fill('zzz');
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.press('Enter');
      await panel.respond(await panel.intent('search'), { hits: [], done: true });
      await list().getByText('No matching results.').waitFor();
      assert.deepEqual(await panel.intents(), []);
    });

    it("closes with Escape, which doesn't stop the reply", async () => {
      await panel.page.keyboard.press('Escape');
      assert.equal(await list().count(), 0);
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await onMessage(), true);
    });

    it('closes by a click outside', async () => {
      await panel.page.mouse.click(200, 500);
      assert.equal(await list().count(), 0);
      assert.equal(await onMessage(), true);
    });

    it('updates while it is open', async () => {
      await panel.change({ type: 'conversations', conversations: [summary('d', 'Only one')] });
      assert.deepEqual(await rows().locator('.list-name').allTextContents(), ['Only one']);
    });
  });
});
