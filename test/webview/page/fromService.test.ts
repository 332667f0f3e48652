import assert from 'node:assert/strict';
import type { ServiceConversation } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply, summary } from '../support/states';

describePanel('conversations from the service', { width: 400 }, (panel) => {
  const list = () => panel.page.getByRole('dialog', { name: 'Conversations' });
  const filter = () => panel.page.getByRole('combobox', { name: 'Search conversations' });
  const there: ServiceConversation = {
    id: 'an id/with "marks"',
    name: 'Said elsewhere',
    bot: { id: 'echo', name: 'Echo' },
    at: Date.now() - 2 * 86_400_000,
  };
  const open = async (found: readonly ServiceConversation[]) => {
    const conversations = [summary('a', 'Release notes', { at: Date.now() })];
    await panel.renew();
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }, { conversations }));
    assert.equal(
      await panel.page.evaluate(() => window.intents.some(({ type }) => type === 'listService')),
      false,
      'nothing is asked before the list opens',
    );
    await panel.post({ type: 'showList' });
    await filter().waitFor();
    const request = await panel.intent('listService');
    assert.equal(request.keyword, '');
    await panel.respond(request, found);
  };
  afterEach(async () => {
    if ((await list().count()) > 0) await filter().press('Escape');
  });

  it("lists the service's conversations below the local ones, and opens them", async () => {
    await open([there]);
    const groups = list().getByRole('rowgroup');
    assert.deepEqual(await groups.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label'))), [
      'Today',
      'On the service',
    ]);
    assert.match((await groups.nth(1).textContent()) ?? '', /Said elsewhere.*Echo.*2 days ago/);
    await filter().press('ArrowDown');
    const active = await filter().getAttribute('aria-activedescendant');
    assert.ok(active && !/\s/.test(active));
    assert.equal(await panel.page.locator(`[id='${active}']`).getAttribute('aria-selected'), 'true');
    await panel.intents();
    // It can't be renamed here.
    await filter().press('F2');
    await filter().press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openFromService', remoteId: there.id }]);
    assert.equal(await list().count(), 0);
  });

  it('filters them like the others, and searches the service for the typed text', async () => {
    await open([there]);
    await filter().fill('mos');
    await list().getByText('Searching messages…').waitFor();
    assert.equal(await list().getByRole('row').count(), 0);
    const outdated = await panel.intent('listService');
    assert.equal(outdated.keyword, 'mos');
    await filter().fill('moss');
    const request = await panel.intent('listService');
    assert.equal(request.keyword, 'moss');
    const moss = { id: 'm', name: 'All about Moss', bot: { id: 'guide', name: 'Guide' } };
    // A late answer is ignored if the filter has changed.
    await panel.respond(outdated, []);
    await panel.respond(request, [there, moss]);
    await list().getByRole('row').filter({ hasText: 'All about Moss' }).waitFor();
    assert.equal(await list().getByRole('row').count(), 1);
  });

  it("shows no group if the service doesn't list conversations", async () => {
    await open([]);
    await list().getByRole('rowgroup', { name: 'On the service' }).waitFor({ state: 'detached' });
    assert.equal(await list().getByRole('rowgroup').count(), 1);
  });

  it('inserts a turn before another, and completes a reply that was interrupted', async () => {
    const broken = reply('2', 'Half a', {
      ending: 'interrupted',
      problem: { text: 'The connection ended.', actions: ['showWhole', 'retry'] },
    });
    const state = panelState({ turns: [message('1', 'Hi'), broken] });
    await panel.snapshot(state);
    await panel.change({ type: 'turn', turn: message('0', 'Before'), before: '1' });
    const texts = () => panel.page.getByRole('article').locator('.bubble, .markdown').allInnerTexts();
    assert.deepEqual(await texts(), ['Before', 'Hi', 'Half a']);
    await panel.intents();
    await panel.button('Show Full Reply').click();
    const { id } = state.conversation;
    assert.deepEqual(await panel.intents(), [{ type: 'showWhole', conversationId: id, turnId: '2' }]);
    await panel.change({ type: 'turn', turn: reply('2', 'Half a loaf, *whole*') });
    await panel.button('Show Full Reply').waitFor({ state: 'detached' });
    assert.deepEqual(await texts(), ['Before', 'Hi', 'Half a loaf, whole']);
  });

  it('shows that the service no longer has the conversation, and offers a new one', async () => {
    const notice = { kind: 'gone', text: 'No longer there.', actions: ['startAnew'] } as const;
    const state = panelState({ turns: [message('1', 'Hi')] }, { notice });
    await panel.snapshot(state);
    await panel.intents();
    await panel.button('Continue in New Conversation').click();
    const { id } = state.conversation;
    assert.deepEqual(await panel.intents(), [
      { type: 'noticeAction', conversationId: id, action: 'startAnew' },
    ]);
  });
});
