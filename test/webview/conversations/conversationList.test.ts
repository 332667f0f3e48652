import assert from 'node:assert/strict';
import type { ConversationSummary, SearchHit } from '../../../src/shared/view/viewModel';
import { waitUntil } from '../../support/waitUntil';
import { watchCount } from '../support/counts';
import { describePanel } from '../support/panel';
import { message, panelState, summary } from '../support/states';

const DAY_MS = 86_400_000;

describePanel('conversation list', { width: 400 }, (panel) => {
  const open = async (conversations: readonly ConversationSummary[], shown = 'shown') => {
    await panel.snapshot(panelState({ id: shown, turns: [message('1', 'Hi')] }, { conversations }));
    await panel.post({ type: 'showList' });
    await panel.page.getByRole('combobox', { name: 'Search conversations' }).waitFor();
    await panel.intents();
  };
  afterEach(async () => {
    if ((await list().count()) > 0)
      await panel.page.getByRole('combobox', { name: 'Search conversations' }).press('Escape');
  });
  const list = () => panel.page.getByRole('dialog', { name: 'Conversations' });
  const focused = () => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const several = () => [
    summary('a', 'Release notes', { at: Date.now() }),
    summary('b', 'Onboarding', { at: Date.now() - DAY_MS, pinned: true }),
    summary('c', 'Budget', { at: Date.now() - 3 * DAY_MS }),
  ];

  it('groups conversations by day, pinned ones first', async () => {
    await open(several());
    const groups = list().getByRole('rowgroup');
    assert.deepEqual(await groups.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label'))), [
      'Pinned',
      'Today',
      'Previous 7 days',
    ]);
    assert.match((await groups.nth(0).textContent()) ?? '', /Onboarding/);
  });

  it('pins, renames and deletes by mouse, and stays open', async () => {
    await open(several());
    await list().getByText('Budget').hover();
    await list().getByRole('button', { name: 'Pin', exact: true }).click();
    await panel.change({
      type: 'conversations',
      conversations: several().map((it) => (it.id === 'c' ? { ...it, pinned: true } : it)),
    });
    await list().getByText('Release notes').hover();
    await list().getByRole('button', { name: 'Rename…' }).click();
    await list().getByRole('button', { name: 'Delete' }).click();
    await list().getByText('Onboarding').hover();
    await list().getByRole('button', { name: 'Unpin' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'pinConversation', conversationId: 'c', pinned: true },
      { type: 'renameConversation', conversationId: 'a' },
      { type: 'deleteConversations', conversationIds: ['a'] },
      { type: 'pinConversation', conversationId: 'b', pinned: false },
    ]);
    assert.equal(await list().count(), 1);
  });

  it("does the same by keyboard: Tab to the row's buttons, F2 renames, Escape returns to the filter", async () => {
    await open(several());
    const { keyboard } = panel.page;
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    assert.equal(await focused(), 'Pin');
    await keyboard.press('Enter');
    assert.equal(await focused(), 'Search conversations and messages');
    for (const name of ['Pin', 'Rename…', 'Archive', 'Delete']) {
      await keyboard.press('Tab');
      assert.equal(await focused(), name);
    }
    await keyboard.press('Enter');
    await keyboard.press('F2');
    await keyboard.press('Tab');
    await keyboard.press('Escape');
    assert.equal(await focused(), 'Search conversations and messages');
    assert.deepEqual(await panel.intents(), [
      { type: 'pinConversation', conversationId: 'a', pinned: true },
      { type: 'deleteConversations', conversationIds: ['a'] },
      { type: 'renameConversation', conversationId: 'a' },
    ]);
    assert.equal(await list().count(), 1);
  });

  it('keeps the chosen conversation when it moves to another group', async () => {
    await open(several());
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await panel.change({
      type: 'conversations',
      conversations: several().map((it) => (it.id === 'c' ? { ...it, pinned: true } : it)),
    });
    await panel.page.keyboard.press('Enter');
    assert.deepEqual((await panel.intents()).at(-1), { type: 'openConversation', conversationId: 'c' });
  });

  // Not `innerText`, which is empty until a row is laid out.
  const names = () => list().locator('.list-name').allTextContents();
  const filed = () => {
    // Read once: the order of the rows must not depend on how long this takes.
    const now = Date.now();
    return [
      summary('a', 'Release notes', { at: now, workspace: { id: 'file:///app', name: 'app' } }),
      summary('b', 'Onboarding', { at: now - 1, unread: true, bot: { id: 'legal', name: 'Legal' } }),
      summary('c', 'Budget', { at: now - 2, archived: true }),
      summary('d', 'Roadmap', {
        at: now - 3,
        unread: true,
        workspace: { id: 'file:///app', name: 'app' },
      }),
    ];
  };

  it('filters by bot, workspace and status, also together, and says if nothing matches', async () => {
    await open(filed());
    const select = (name: string, option: string) => list().getByLabel(name).selectOption(option);
    assert.deepEqual(await names(), ['Release notes', 'Onboarding', 'Roadmap']);
    await select('Bot', 'Legal');
    assert.deepEqual(await names(), ['Onboarding']);
    await select('Bot', 'All Bots');
    await select('Workspace', 'app');
    assert.deepEqual(await names(), ['Release notes', 'Roadmap']);
    await select('Status', 'Unread');
    assert.deepEqual(await names(), ['Roadmap']);
    await select('Bot', 'Legal');
    await list().getByText('No conversations match the filters.').waitFor();
  });

  it('filters by service once there are two, and lists a removed one by its host', async () => {
    const at = (host: string) => ({ bot: { id: 'guide', name: 'Guide', baseUrl: `https://${host}/api/v1` } });
    const conversations = [
      summary('a', 'Release notes', at('bots.example.com')),
      summary('b', 'Onboarding', at('staging.example.com')),
      summary('c', 'Budget', at('removed.example.com')),
    ];
    await open(conversations);
    assert.equal(await list().getByLabel('Service').count(), 0);
    const services = [
      { baseUrl: 'https://bots.example.com/api/v1', name: 'Production' },
      { baseUrl: 'https://staging.example.com/api/v1', name: 'Sta\u202eging' },
    ];
    await panel.change({ type: 'services', services });
    const filter = list().getByLabel('Service', { exact: true });
    assert.deepEqual(await filter.locator('option').allTextContents(), [
      'All Services',
      'Production',
      'Sta\\u{202e}ging',
      'removed.example.com',
    ]);
    await filter.selectOption('Production');
    assert.deepEqual(await names(), ['Release notes']);
    await filter.selectOption('removed.example.com');
    assert.deepEqual(await names(), ['Budget']);
    await filter.selectOption('All Services');
    assert.equal((await names()).length, 3);
    await panel.change({ type: 'services' });
  });

  it('filters by service with the keyboard only, at 300 px', async () => {
    await panel.page.setViewportSize({ width: 300, height: 640 });
    const at = (host: string) => ({ bot: { id: 'guide', name: 'Guide', baseUrl: `https://${host}/api/v1` } });
    const hosts = ['bots.example.com', 'staging.example.com'];
    await open(hosts.map((host, index) => summary(host, `Plan ${index}`, at(host))));
    const services = hosts.map((host) => ({ baseUrl: `https://${host}/api/v1`, name: host }));
    await panel.change({ type: 'services', services });
    const { keyboard } = panel.page;
    const filter = list().getByLabel('Service', { exact: true });
    for (let press = 0; press < 20 && (await focused()) !== 'Service'; press++) await keyboard.press('Tab');
    assert.equal(await focused(), 'Service');
    // Typing selects an option, as in any list box.
    await keyboard.press('s');
    assert.equal(await filter.inputValue(), 'https://staging.example.com/api/v1');
    assert.deepEqual(await names(), ['Plan 1']);
    await keyboard.press('Escape');
    assert.equal(await focused(), 'Search conversations and messages');
    await panel.change({ type: 'services' });
    await panel.page.setViewportSize({ width: 400, height: 640 });
  });

  it('lists archived conversations only if the filter asks for them or the search finds them', async () => {
    await open(filed());
    await list().getByLabel('Status').selectOption('Archived');
    assert.deepEqual(await names(), ['Budget']);
    await list().getByLabel('Status').selectOption('Any Status');
    await panel.page.getByRole('combobox', { name: 'Search conversations' }).fill('b');
    assert.deepEqual(await names(), ['Onboarding', 'Budget']);
    assert.equal(await list().getByRole('rowgroup').last().getAttribute('aria-label'), 'Archived');
  });

  it('offers no workspaces if no conversation has one', async () => {
    await open(several());
    assert.equal(await list().getByLabel('Workspace').count(), 0);
  });

  it('archives a conversation, and lists it again', async () => {
    await open(filed());
    await list().getByText('Roadmap').hover();
    await list().getByRole('button', { name: 'Archive' }).click();
    await list().getByLabel('Status').selectOption('Archived');
    await list().getByRole('button', { name: 'Unarchive' }).click();
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type === 'archiveConversations'),
      [
        { type: 'archiveConversations', conversationIds: ['d'], archived: true },
        { type: 'archiveConversations', conversationIds: ['c'], archived: false },
      ],
    );
  });

  const selectedNames = () => list().locator('[aria-selected="true"] .list-name').allTextContents();

  it('selects with Shift and Ctrl by mouse, and deletes what is selected', async () => {
    await open(filed());
    await list()
      .getByText('Onboarding')
      .click({ modifiers: ['ControlOrMeta'] });
    assert.deepEqual(await selectedNames(), ['Onboarding']);
    await list()
      .getByText('Roadmap')
      .click({ modifiers: ['Shift'] });
    assert.deepEqual(await selectedNames(), ['Onboarding', 'Roadmap']);
    await list().getByText('Onboarding').click();
    assert.deepEqual(await selectedNames(), ['Roadmap']);
    await list().getByText('Release notes').click();
    await list().getByRole('status').getByText('2 selected').waitFor();
    await list().getByRole('button', { name: 'Delete' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'deleteConversations', conversationIds: ['a', 'd'] }]);
    assert.equal(await list().count(), 1);
  });

  const activeName = () => list().locator('.active .list-name').textContent();

  it('keeps the focus, and goes to the next row, when the active row or selected ones are deleted', async () => {
    await open(filed());
    const { keyboard } = panel.page;
    await keyboard.press('ArrowDown');
    await panel.change({ type: 'conversationGone', conversationId: 'b' });
    await list().getByText('Onboarding').waitFor({ state: 'detached' });
    assert.equal(await activeName(), 'Roadmap');

    await open(several());
    await keyboard.press('Shift+ArrowDown');
    await panel.change(
      { type: 'conversationGone', conversationId: 'b' },
      { type: 'conversationGone', conversationId: 'a' },
    );
    await list().getByText('Onboarding').waitFor({ state: 'detached' });
    assert.equal(await activeName(), 'Budget');
    assert.equal(await focused(), 'Search conversations and messages');
    // Nothing is selected any more, so Enter opens.
    await keyboard.press('Enter');
    assert.deepEqual((await panel.intents()).at(-1), { type: 'openConversation', conversationId: 'c' });
  });

  it('goes to the row above after the last one is archived', async () => {
    await open(filed());
    await panel.page.keyboard.press('ArrowUp');
    await panel.change({ type: 'summary', summary: { ...(filed()[3] ?? assert.fail()), archived: true } });
    await list().getByText('Roadmap').waitFor({ state: 'detached' });
    assert.equal(await activeName(), 'Onboarding');
  });

  it('gets the focus, not the composer behind it, when the host returns the focus after a dialog', async () => {
    await open(several());
    await panel.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await panel.post({ type: 'focusComposer' });
    assert.equal(await focused(), 'Search conversations and messages');
  });

  it('selects by keyboard: a range, all, and single rows; Escape ends selecting before it closes', async () => {
    await open(filed());
    const { keyboard } = panel.page;
    await keyboard.press('ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    assert.deepEqual(await selectedNames(), ['Onboarding', 'Roadmap']);
    await keyboard.press('Shift+ArrowUp');
    await keyboard.press('Shift+ArrowUp');
    assert.deepEqual(await selectedNames(), ['Release notes', 'Onboarding']);
    await keyboard.press('Enter');
    assert.deepEqual(await selectedNames(), ['Onboarding']);
    await keyboard.press('ControlOrMeta+a');
    assert.deepEqual(await selectedNames(), ['Release notes', 'Onboarding', 'Roadmap']);
    await keyboard.press('Escape');
    assert.equal(await list().getByRole('grid').getAttribute('aria-multiselectable'), 'false');
    assert.equal(await list().count(), 1);
    await keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    assert.deepEqual(await panel.intents(), []);
  });

  it('selects the text of the filter with Ctrl+A first, and then the rows that match', async () => {
    await open(filed());
    const { keyboard } = panel.page;
    await keyboard.type('o');
    await keyboard.press('ControlOrMeta+a');
    assert.equal(await list().getByRole('toolbar', { name: 'Selection' }).count(), 0);
    await keyboard.press('ControlOrMeta+a');
    await list().getByRole('button', { name: 'Export…' }).click();
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type === 'exportConversations'),
      [{ type: 'exportConversations', conversationIds: ['a', 'b', 'd'] }],
    );
  });

  it('acts only on what is selected and shown', async () => {
    await open(filed());
    await list().getByRole('button', { name: 'Select Conversations' }).click();
    assert.equal(await list().getByRole('button', { name: 'Archive' }).isDisabled(), true);
    await panel.page.keyboard.press('ControlOrMeta+a');
    await panel.page.keyboard.type('Roadmap');
    await list().getByRole('status').getByText('1 selected').waitFor();
    await list().getByRole('button', { name: 'Archive' }).click();
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type === 'archiveConversations'),
      [{ type: 'archiveConversations', conversationIds: ['d'], archived: true }],
    );
  });

  it('shows a message if there are no conversations yet', async () => {
    await open([]);
    await list().getByText('No conversations yet.').waitFor();
  });

  it('renders the first screen of a thousand conversations first, and reaches the last', async () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      summary(`n${index}`, `Conversation ${index}`, { at: Date.now() - index * DAY_MS }),
    );
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }, { conversations: many }));
    const drawn = await watchCount(panel, '.list-item');
    await panel.post({ type: 'showList' });
    await panel.page.getByRole('combobox', { name: 'Search conversations' }).waitFor();
    const [first = 0] = await drawn();
    assert.ok(first > 0 && first <= 100, `${first} rows at first`);
    await panel.page.keyboard.press('ArrowUp');
    // A row that isn't on the screen has no inner text.
    await panel.page.waitForFunction(() => {
      const last = [...document.querySelectorAll<HTMLElement>('.list-item')].at(-1);
      return last?.innerText.includes('Conversation 999');
    });
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'n999' }]);
  });

  it('renders all conversations eventually', async () => {
    await open(Array.from({ length: 1000 }, (_, index) => summary(`n${index}`, `Conversation ${index}`)));
    await panel.page.waitForFunction(() => document.querySelectorAll('.list-item').length === 1000);
  });

  it("doesn't scroll sideways at 200 px, and keeps names readable", async () => {
    await panel.page.setViewportSize({ width: 200, height: 500 });
    await open([summary('a', 'A name that is rather long for a narrow panel'), ...several()]);
    const name = await list().getByText('A name').boundingBox();
    assert.ok((name?.width ?? 0) > 100, `${name?.width} px`);
    await search('narrow', [hit()]);
    const overflow = await list().evaluate((it) =>
      [it, ...it.querySelectorAll('*')]
        .filter((each) => !each.matches('.list-name, .list-bot, .unseen, input'))
        .filter(
          (each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== 'visible',
        )
        .map((each) => each.className),
    );
    assert.deepEqual(overflow, []);
    await panel.page.setViewportSize({ width: 400, height: 640 });
  });

  const hit = (rest: Partial<SearchHit> = {}): SearchHit => ({
    conversationId: 'x',
    turnId: 't',
    name: 'Old talk',
    bot: { id: 'guide', name: 'Guide' },
    at: Date.now() - 40 * DAY_MS,
    before: '…said before the ',
    match: 'needle',
    after: ' and after it',
    ...rest,
  });
  const search = async (query: string, hits: SearchHit[], done = true) => {
    await panel.page.getByRole('combobox', { name: 'Search conversations' }).fill(query);
    const request = await panel.intent('search');
    assert.equal(request.query, query);
    await panel.respond(request, { hits, done });
    return request;
  };

  it('searches messages from two characters on, once typing pauses', async () => {
    const { page } = panel;
    await page.clock.install({ time: Date.now() });
    await open(several());
    await page.clock.pauseAt(Date.now() + 600_000);
    await page.keyboard.type('n');
    await page.clock.runFor(1000);
    for (const part of ['ee', 'dle', ' ']) {
      await page.clock.runFor(100);
      await page.keyboard.type(part);
    }
    assert.deepEqual(await panel.takeAll('search'), []);
    await page.clock.runFor(1000);
    const [request, ...others] = await panel.takeAll('search');
    assert.equal(request?.query, 'needle');
    assert.deepEqual(others, []);
    await page.clock.resume();
    await panel.respond(request, { hits: [hit()], done: true });
    const group = list().getByRole('rowgroup', { name: 'In messages' });
    await waitUntil('the hit is listed', async () =>
      /…said before the needle and after it\s+Old talk\s+\d+ days ago/.test(await group.innerText()),
    );
    assert.equal(await group.locator('mark').textContent(), 'needle');
    assert.deepEqual(await panel.intents(), []);
  });

  it('opens a hit by keyboard, after the matching names', async () => {
    await open(several());
    await search('budget', [hit(), hit({ turnId: 'u' })]);
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openTurn', conversationId: 'x', turnId: 'u' }]);
    assert.equal(await list().count(), 0);
  });

  it('ignores results of another query, and ends the search when it closes', async () => {
    await open(several());
    const outdated = await search('nee', [], false);
    const { subscriptionId } = await search('needle', [], false);
    assert.deepEqual(await panel.takeAll('unsubscribe'), [
      { type: 'unsubscribe', subscriptionId: outdated.subscriptionId },
    ]);
    await panel.respond(outdated, { hits: [hit()], done: true });
    assert.equal(await list().getByRole('row').count(), 0);
    await list().getByText('Searching messages…').waitFor();
    await panel.page.keyboard.press('Escape');
    assert.deepEqual(await panel.intent('unsubscribe'), { type: 'unsubscribe', subscriptionId });
  });
});
