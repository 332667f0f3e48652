import assert from 'node:assert/strict';
import type { MentionView } from '../../../src/shared/conversation/mention';
import type { ConversationSummary, PanelState, Problem, Turn } from '../../../src/shared/view/viewModel';
import type { Panel } from './panel';
import { patientIntervals } from './patientTimers';
import { scrollUp } from './scrolling';
import { AT, document, message, panelState, reply, streaming, summary } from './states';

/** A state of the panel: what the host posts, then what the user does. */
export interface Scene {
  state(): PanelState;
  act?(panel: Panel): Promise<unknown>;
}

/** Declares a test for each scene, which runs while the panel shows it. */
export function itInScenes(
  panel: Panel,
  title: string,
  test: (scene: Scene, name: string) => Promise<void>,
  names: readonly string[] = Object.keys(scenes),
): void {
  for (const name of names) {
    it(`${title}: ${name}`, () => inScene(panel, name, (scene) => test(scene, name)));
  }
}

/** Brings the panel into a scene, with all lazy scripts loaded, while a function runs. */
async function inScene(panel: Panel, name: string, look: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = scenes[name] ?? assert.fail(`There is no scene called ${name}.`);
  try {
    await panel.snapshot(scene.state());
    await panel.page.locator('.setup').or(panel.button('Search the Web')).first().waitFor();
    // As for a user, whatever was shown before.
    await panel.page.evaluate(() => window.document.querySelector('textarea')?.focus());
    if (scene.act) {
      await scene.act(panel);
      await panel.drawn();
    }
    await look(scene);
  } finally {
    await leaveScene(panel);
  }
}

/** Closes what a scene opened, so that the next one starts like the first. */
async function leaveScene({ page }: Panel): Promise<void> {
  await Promise.all([
    page.mouse.move(0, 0),
    page.evaluate(() => window.document.dispatchEvent(new DragEvent('dragleave'))),
  ]);
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
}

const HOUR_MS = 3_600_000;
const rich = `# Title

Some **bold**, *soft* and \`inline\` words with a [link](https://example.com).

- one
- [x] two

> A quote

| a | b |
|---|---:|
| 1 | 2 |

---

\`\`\`ts
const veryLong = '${'x'.repeat(200)}';
\`\`\`
`;
const failed: Problem = {
  text: 'The service didn’t accept the request.',
  detail: 'The given data was invalid.',
  fields: [{ name: 'bot_id', messages: ['No such bot.'] }],
  actions: ['retry', 'showLog'],
};
const question = message('1', 'How do I run the tests?');
const answer = reply('2', 'Run `npm test` in a fresh clone. It installs what is missing first.');
/** Types a question that was answered before, and offers the answer. */
async function offerEarlierAnswer(panel: Panel): Promise<void> {
  await panel.takeAll('findEarlierAnswer');
  await panel.message.fill('How can I run all the tests?');
  await panel.respond(await panel.intent('findEarlierAnswer'), {
    ...{
      conversationId: 'earlier',
      turnId: 'm',
      text: question.text,
      bot: 'Guide',
      at: AT - 30 * 24 * HOUR_MS,
    },
    isNew: true,
  });
  await panel.page.locator('.asked').waitFor();
}

const said = (...turns: Turn[]): Pick<Scene, 'state'> => ({
  state: () => panelState({ name: 'Running the tests', turns: [question, ...turns] }),
});
const kept = [
  summary('a', 'Running the tests', { at: AT - HOUR_MS, pinned: true }),
  summary('b', 'Plans for the next release of the whole product', { at: AT - 2 * HOUR_MS, streaming: true }),
  summary('c', 'Meeting rooms', { at: AT - 3 * HOUR_MS, unread: true }),
  summary('d', '', { at: AT - 30 * HOUR_MS }),
];
const listed = (...conversations: PanelState['conversations']): Pick<Scene, 'state'> => ({
  state: () => panelState({ name: 'Running the tests', turns: [question, answer] }, { conversations }),
});
const openList = async (panel: Panel) => {
  await panel.page.evaluate(() => {
    window.intents = [];
  });
  await panel.post({ type: 'showList' });
  return panel.intent('listService');
};
const find = async (panel: Panel, query: string) => {
  await openList(panel);
  await panel.page.locator('.list-filter').fill(query);
  return panel.intent('search');
};
/** Opens the find widget with a query, whatever it was left with. */
const findText = async (panel: Panel, text: string, regex = false) => {
  await panel.page.evaluate(patientIntervals());
  await panel.post({ type: 'find' });
  await panel.page.locator('.find-input:focus').fill(text);
  const option = panel.page.locator('.find-option').nth(2);
  if ((await option.getAttribute('aria-pressed')) !== `${regex}`) await option.click();
};
const chips = [
  {
    id: 'a',
    kind: 'selection',
    name: 'schedule.ts:1-40',
    text: `schedule.ts\n\`\`\`ts\n${'const a = 1; // and so on, with quite some more to say\n'.repeat(28)}\`\`\``,
  },
  { id: 'b', kind: 'terminal', name: 'Terminal bash', text: 'b' },
] as const;
const prompts = [
  {
    id: 'a',
    name: 'Review API',
    description: `Reviews an API, ${'and so on, '.repeat(9)}`,
    source: 'personal',
  },
  { id: 'b', name: 'a-name-that-is-so-long-that-it-does-not-fit-into-any-of-them', source: 'workspace' },
  { id: 'c', name: 'Explain', description: 'Explain this code.', source: 'builtIn' },
] as const;
const takeListRequests = (panel: Panel) => panel.takeAll('listPrompts');
const openPrompts = async (panel: Panel) => {
  // From before: the focus test presses Tab, which accepts a prompt.
  await panel.takeAll('usePrompt');
  await takeListRequests(panel);
  await panel.page.keyboard.type('/');
  await panel.respond(await panel.intent('listPrompts'), prompts);
  await panel.page.locator('.completions .list').waitFor();
};
const mentions: readonly MentionView[] = [
  { id: '1', kind: 'editor', name: 'schedule.ts', description: 'src/planner', characters: 1234 },
  {
    ...{ id: '2', kind: 'selection', name: 'Selection in schedule.ts', description: 'schedule.ts:3-20' },
    characters: 420,
  },
  {
    id: '3',
    kind: 'problems',
    name: 'Problems in plan.ts',
    description: 'src/planner/plan.ts',
    characters: 96,
  },
  { id: '4', kind: 'diff', name: 'Git Diff', description: 'planner', characters: 48_000 },
  { id: '5', kind: 'terminal', name: 'Terminal Selection', description: 'bash' },
  { id: '6', kind: 'document', name: 'handbook.pdf', characters: 34 },
  {
    ...{ id: '7', kind: 'file', name: 'a-name-that-is-so-long-that-it-does-not-fit-into-any-of-them.md' },
    ...{ description: 'docs/and/a/path/that/is/long/too', characters: 20 },
  },
  { id: '8', kind: 'folder', name: 'planner', description: 'src', uploads: true },
  { id: '9', kind: 'symbol', name: 'createPlan', description: 'src/planner/plan.ts:12' },
];
const openMentions = async (panel: Panel) => {
  await panel.takeAll('useMention');
  await panel.takeAll('findMentions');
  await panel.page.keyboard.type('@');
  return panel.intent('findMentions');
};
const everyDocument = [
  document('d1', { state: 'queued', waitsUntil: AT }),
  document('d2', { state: 'signing', name: 'a-rather-long-name-of-a-report-on-the-last-quarter.docx' }),
  document('d3', { state: 'uploading', sent: 2_000_000 }),
  document('d4', { state: 'registering', unsaved: true }),
  document('d5', { state: 'attached', opens: true, status: 'syncing' }),
  document('d6', { state: 'attached', opens: true, file: 'changed', updateOnSave: true }),
  document('d7', { state: 'attached', opens: true, file: 'gone' }),
  document('d8', { state: 'failed', problem: failed, offersText: true }),
  document('d9', { state: 'cancelled' }),
];
const setup = (step: 'baseUrl' | 'apiKey' | 'bot', problem?: Problem): Pick<Scene, 'state'> => ({
  state: () => panelState({}, { setup: { step, serviceHost: 'bots.example', ...(problem && { problem }) } }),
});
const notice = (kind: NonNullable<PanelState['notice']>['kind'], ...actions: NoticeActions) => ({
  state: () =>
    panelState(
      { name: 'Running the tests', turns: [question, answer] },
      { notice: { kind, text: 'What has come to pass, in a sentence of some length.', actions } },
    ),
});
const hosts = ['bots.example.com', 'removed.example.com', 'staging.example.com'] as const;
const getBaseUrl = (host: string) => `https://${host}/api/v1`;
const services = [
  { baseUrl: getBaseUrl(hosts[0]), name: 'Production' },
  { baseUrl: getBaseUrl(hosts[2]), name: 'Staging of the product with the long name' },
];
const placeOn = (conversation: ConversationSummary, host: string = hosts[0]): ConversationSummary => ({
  ...conversation,
  bot: { ...conversation.bot, baseUrl: getBaseUrl(host) },
});
const removedText =
  'This conversation belongs to bots.customer-with-a-long-name.example.com, which isn’t one of your services. You can read and export it; to continue it, add the service again.';
const proposal = { host: 'bots.customer-with-a-long-name.example.com:8443' };
type NoticeActions = NonNullable<PanelState['notice']>['actions'];

/** All states of the panel by name. */
const scenes: Readonly<Record<string, Scene>> = {
  'first run, URL': { state: () => panelState({}, { setup: { step: 'baseUrl' } }) },
  'first run, key': setup('apiKey'),
  'first run, bot': setup('bot'),
  'first run, a problem': setup('apiKey', failed),
  'set-up strip': {
    state: () => panelState({ turns: [question, answer] }, { setup: { step: 'apiKey', problem: failed } }),
  },
  'empty conversation': { state: () => panelState() },
  'empty conversation, Ctrl+Enter sends': {
    state: () => panelState({}, { sendWith: 'ctrlEnter', quota: { messages: 3 } }),
  },
  waiting: said(streaming('2')),
  'waiting for a search of the web': said({ ...streaming('2'), webSearch: true }),
  streaming: said(streaming('2', rich)),
  complete: said(reply('2', rich)),
  stopped: said(reply('2', 'Run `npm', { ending: 'stopped' })),
  interrupted: said(
    reply('2', 'Run `npm', {
      ending: 'interrupted',
      skipped: true,
      problem: { text: 'The connection ended.', actions: ['showWhole', 'retry'] },
    }),
  ),
  failed: said(reply('2', '', { ending: 'failed', problem: failed })),
  'failed, counting down': {
    state: () =>
      panelState({
        turns: [
          question,
          reply('2', '', { ending: 'failed', problem: { ...failed, retryAt: Date.now() + 60_000 } }),
        ],
      }),
  },
  'code and its toolbar': {
    ...said(reply('2', '```ts\nexport const answer = 42;\n```\n\n    indented\n\n- [ ] a\n- [x] b\n')),
    act: async (panel) => {
      await panel.page.locator('.code-block').first().hover();
      await panel.page.locator('.code-block pre').first().focus();
    },
  },
  'a diagram': {
    ...said(reply('2', '```mermaid\nflowchart TD\n  A[Start] --> B[End]\n```\n')),
    act: (panel) => panel.button('Open Diagram').focus(),
  },
  formulas: {
    ...said(reply('2', `Of $x^2$, $\\def\\x{}$ and\n\n$$\n\\frac{a}{b} = ${'c + '.repeat(60)} d\n$$\n`)),
    act: (panel) => panel.page.locator('.md-drawn > math').nth(1).waitFor(),
  },
  sources: said(
    reply('2', 'From what you gave me.', {
      webSearch: true,
      sources: [
        { name: 'handbook.md', opens: 'file' },
        { name: 'A page with a rather long name that has no end', opens: 'link' },
        { name: 'gone.md' },
      ],
    }),
  ),
  'a long message, collapsed': {
    state: () =>
      panelState({
        turns: [
          message(
            '1',
            `Review **this**:\n\n1. \`plan.ts\`\n2. the tests\n\n${'What else is there? '.repeat(90)}`,
          ),
          answer,
        ],
      }),
    act: (panel) => panel.button('Show More').waitFor(),
  },
  'tables, the toolbar': {
    ...said(
      reply(
        '2',
        `| Bot | Model | Answers from | Price |\n|---|---|---|---:|\n${'| Guide | large-2 | the handbook, as it was last week | 1.20 |\n'.repeat(4)}\n\n| a | b |\n|---|---|\n| 1<br>2 | H<sub>2</sub>O |\n`,
      ),
    ),
    act: async (panel) => {
      await panel.button('Copy Table as CSV').first().waitFor();
      await panel.page.locator('td').first().hover();
    },
  },
  'a message with code': {
    state: () => panelState({ turns: [message('1', `Why?\n\`\`\`\n${'code '.repeat(60)}\n\`\`\`\nSo?`)] }),
  },
  'edit and ask again': {
    ...said(answer),
    act: (panel) => panel.button('Edit and Ask Again').press('Enter'),
  },
  forked: {
    state: () =>
      panelState(
        {
          turns: [question, answer, message('3', 'And the linter?')],
          forkedFrom: { id: 'a', name: 'Running', turnId: '1' },
          forks: [
            { id: 'b', name: 'Plans', turnId: '2' },
            { id: 'gone', name: 'A plan that is no longer here', turnId: '2' },
          ],
        },
        { conversations: kept },
      ),
    act: (panel) => panel.page.locator('.fork-link').nth(2).waitFor(),
  },
  'forked, without messages': {
    state: () =>
      panelState(
        { turns: everyDocument.slice(4, 5), forkedFrom: { id: 'b', name: 'Plans', turnId: '1' } },
        { conversations: kept },
      ),
    act: async (panel) => {
      await panel.page.locator('.fork-link').waitFor();
      await panel.page.locator('.document').first().waitFor();
    },
  },
  'earlier turns loading': {
    state: () => panelState({ turns: [question, answer], earlier: true }),
  },
  'away from the end': {
    ...said(reply('2', rich.repeat(3))),
    act: async (panel) => {
      await panel.page.locator('.transcript').evaluate((it) => it.scrollTo({ top: 0 }));
      await panel.button('Scroll to Bottom').waitFor();
    },
  },
  'new lines, away from the end': {
    ...said(answer, message('3', 'And more?'), streaming('4', 'So\n\n'.repeat(99))),
    act: async (panel) => {
      await scrollUp(panel, 3000);
      await panel.stream('4', 'a\n\nb\n');
      await panel.page.locator('.jump-new').waitFor();
    },
  },
  'documents, a few': {
    state: () => {
      const unread = document('d10', { state: 'attached', status: 'failed' });
      return panelState({ turns: [question, answer, ...everyDocument.slice(4, 6), unread] });
    },
    act: (panel) => panel.page.locator('.document').nth(2).waitFor(),
  },
  'documents, on the service only': {
    state: () =>
      panelState({
        turns: [question, answer, document('d5', { state: 'attached', opens: true, status: 'sync_failed' })],
        serviceDocuments: [
          { id: 's1', name: 'handbook.pdf', origin: 'older', removable: true, opens: true },
          {
            id: 's2',
            name: 'a-rather-long-name-of-a-plan.docx',
            origin: 'addedElsewhere',
            status: 'syncing',
          },
        ],
      }),
    act: (panel) => panel.page.locator('.document').nth(2).waitFor(),
  },
  'documents, excluded': {
    state: () =>
      panelState({
        turns: [
          ...[question, answer],
          document('d5', { state: 'attached', opens: true, file: 'changed', focus: 'excluded' }),
        ],
        serviceDocuments: [
          ...(['excluded', 'included'] as const).map(
            (focus) => ({ id: focus, name: 'plan.docx', origin: 'older', removable: true, focus }) as const,
          ),
        ],
      }),
    act: (panel) => panel.page.locator('.document').nth(2).waitFor(),
  },
  'sources that have changed since a reply': {
    state: () => {
      const sources = [
        { name: 'pricing.md', opens: 'file', since: 'changed', hasChanges: true },
        { name: 'gone.md', since: 'gone' },
      ] as const;
      return panelState({ turns: [question, { ...answer, sources }] });
    },
    act: (panel) => panel.page.locator('.sources-changed').waitFor(),
  },
  'documents of the workspace that have changed': {
    state: () => {
      const documentSync = { changed: 3, total: 40, branch: 'feature/a-rather-long-name-of-a-branch' };
      return panelState({ turns: [question, answer] }, { documentSync });
    },
    act: (panel) => panel.page.locator('.sync-line').waitFor(),
  },
  'documents, a folder': {
    state: () => {
      const turns = [question, answer, document('d5', { state: 'attached', opens: true, status: 'synced' })];
      return panelState({ turns }, { uploadFolder: 'a-rather-long-name-of-a-folder-of-plans' });
    },
    act: (panel) => panel.page.locator('.document').nth(1).waitFor(),
  },
  'documents, folded': {
    state: () => panelState({ turns: [question, answer, ...everyDocument] }),
    act: (panel) =>
      panel.page
        .getByRole('button', { name: panel.translate('{0} documents', everyDocument.length) })
        .waitFor(),
  },
  'documents, unfolded': {
    state: () => panelState({ turns: [question, answer, ...everyDocument] }),
    act: (panel) =>
      panel.page
        .getByRole('button', { name: panel.translate('{0} documents', everyDocument.length) })
        .click(),
  },
  'files dragged over it': {
    ...said(answer),
    act: async (panel) => {
      await panel.page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['a'], 'a.txt'));
        window.document.dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
      });
      await panel.page.locator('.drop-zone').waitFor();
    },
  },
  'chips, a preview, web search': {
    state: () =>
      panelState({
        turns: [question, answer],
        draft: 'What does this do?',
        composing: { context: chips, webSearch: true },
      }),
    act: (panel) => panel.page.locator('.chip-name').first().focus(),
  },
  'queue behind a reply': {
    state: () =>
      panelState({
        turns: [question, streaming('2', 'So')],
        draft: 'And the linter?',
        queue: {
          messages: [
            { id: 'q1', text: 'And how do I run a single one?', context: [] },
            { id: 'q2', text: `Why does this fail? ${'It did not before. '.repeat(8)}`, context: chips },
            { id: 'q3', text: 'Thanks!', context: [], webSearch: true },
          ],
        },
      }),
    act: (panel) => panel.page.getByRole('list', { name: panel.translate('Queue') }).waitFor(),
  },
  'queue, paused': {
    state: () =>
      panelState({
        turns: [question, reply('2', 'Run', { ending: 'stopped' })],
        queue: {
          messages: [
            { id: 'q1', text: 'And how do I run a single one?', context: [], maybeSent: true },
            { id: 'q2', text: 'Thanks!', context: [] },
          ],
          paused: 'Paused because you stopped the reply.',
        },
      }),
    act: (panel) => panel.button('Remove').first().focus(),
  },
  'queue, a message edited, documents converting': {
    state: () =>
      panelState({
        turns: [question, answer, ...everyDocument.slice(4, 5)],
        draft: 'What does it say of tests?',
        queue: {
          messages: [
            { id: 'q1', text: 'And how do I run a single one?', context: [] },
            { id: 'q2', text: 'Thanks!', context: [] },
          ],
          waitsFor: 'handbook.pdf',
        },
      }),
    act: (panel) => panel.button('Edit').first().press('Enter'),
  },
  'empty conversation, prompts': {
    state: () => panelState(),
    act: async (panel) =>
      panel.respond((await takeListRequests(panel)).at(-1) ?? (await panel.intent('listPrompts')), prompts),
  },
  'prompts, the list': { ...said(answer), act: openPrompts },
  'prompts, the inputs': {
    ...said(answer),
    act: async (panel) => {
      await openPrompts(panel);
      await panel.page.keyboard.press('Enter');
      const parts = [
        { text: 'Review ' },
        { text: 'path of the API', input: 'api' },
        { text: '', input: 'aim' },
      ];
      await panel.respond(await panel.intent('usePrompt'), parts);
      await panel.page.locator('.prompt-form').waitFor();
    },
  },
  'earlier answer, the line': {
    state: () => panelState({ turns: [question, answer] }),
    act: offerEarlierAnswer,
  },
  'earlier answer, shown': {
    state: () => panelState({ turns: [question, reply('2', rich)] }),
    async act(panel) {
      await offerEarlierAnswer(panel);
      await panel.page.locator('.asked-show').click();
      await panel.respond(await panel.intent('readEarlierAnswer'), { text: rich, isCut: true });
      await panel.page.locator('.asked-text').waitFor();
    },
  },
  'mentions, the list': {
    ...said(answer),
    act: async (panel) => {
      await panel.respond(await openMentions(panel), { mentions, isSearching: false });
      await panel.page.locator('.completions .list-item').first().waitFor();
    },
  },
  'mentions, searching': {
    ...said(answer),
    act: async (panel) => {
      await openMentions(panel);
      await panel.page.getByText(panel.translate('Searching…')).waitFor();
    },
  },
  'too long, the offer': {
    state: () => panelState({ turns: [question, answer], draft: 'x '.repeat(1001) }),
    act: (panel) => panel.button('Send as Document').waitFor(),
  },
  'too long, remembered': {
    state: () => panelState({ draft: 'x '.repeat(1001) }, { overflow: 'split' }),
    act: (panel) => panel.button('Ask Each Time').waitFor(),
  },
  'too long, by hand': {
    state: () => panelState({ draft: 'x '.repeat(1001) }),
    act: (panel) => panel.button('Shorten Manually').press('Enter'),
  },
  'notice: not saved': notice('storage', 'tryAgain', 'showLog'),
  'notice: another window': notice('otherWindow', 'takeOver'),
  'notice: gone': notice('gone', 'startAnew'),
  'notice: two bots': notice('compared', 'continueHere'),
  'notice: the limit': notice('quota'),
  'notice: the service was removed': {
    state: () =>
      panelState(
        { name: 'Running the tests', turns: [question, answer] },
        { notice: { kind: 'serviceRemoved', text: removedText, actions: ['addService'] } },
      ),
  },
  'proposed service': {
    state: () => panelState({ name: 'Running the tests', turns: [question, answer] }, { proposal }),
  },
  'proposed service, first run': {
    state: () => panelState({}, { setup: { step: 'baseUrl' }, proposal }),
  },
  list: { ...listed(...kept), act: openList },
  'list, empty': { ...listed(), act: openList },
  'list, selecting': {
    ...listed(...kept),
    act: async (panel) => {
      await openList(panel);
      await panel.page.keyboard.press('Shift+ArrowDown');
      await panel.page.locator('.list-count').waitFor();
    },
  },
  'list, filtered, with workspaces': {
    ...listed(
      ...kept,
      summary('e', 'Naming things', { workspace: { id: 'file:///a', name: 'a-workspace-with-a-long-name' } }),
      summary('f', 'Old plans', { archived: true, pinned: true }),
    ),
    act: async (panel) => {
      await openList(panel);
      await panel.page.locator('.list-facet').last().selectOption('archived');
      await panel.page.locator('.list-filter').focus();
    },
  },
  'list, filtered by a removed service': {
    state: () =>
      panelState({}, { services, conversations: kept.map((it, index) => placeOn(it, hosts[index % 3])) }),
    act: async (panel) => {
      await openList(panel);
      await panel.page.locator('.list-facet').first().selectOption('removed.example.com');
      await panel.page.locator('.list-filter').focus();
    },
  },
  'list, a row’s buttons': {
    ...listed(...kept),
    act: async (panel) => {
      await openList(panel);
      await panel.page.keyboard.press('Tab');
    },
  },
  'list, search hits': {
    ...listed(...kept),
    act: async (panel) => {
      const request = await find(panel, 'ro');
      const found = { conversationId: 'x', name: 'Old talk', bot: { id: 'guide', name: 'Guide' }, at: AT };
      const text = {
        before: '…said before the ',
        match: 'room',
        after: ' and after it, for two lines or so…',
      };
      const hits = ['t', 'u'].map((turnId) => ({ ...found, ...text, turnId }));
      await panel.respond(request, { hits, done: true });
      await panel.page.getByText(panel.translate('In messages')).waitFor();
    },
  },
  'list, nothing found': {
    ...listed(...kept),
    act: async (panel) => {
      await panel.respond(await find(panel, 'nowhere'), { hits: [], done: true });
      await panel.page.getByText(panel.translate('No matching results.')).waitFor();
    },
  },
  'list, on the service': {
    ...listed(...kept),
    act: async (panel) => {
      const request = await openList(panel);
      const conversations = [{ id: 's', name: 'Said elsewhere', bot: { id: 'echo', name: 'Echo' }, at: AT }];
      await panel.respond(request, conversations);
      await panel.page.getByText(panel.translate('On the service')).waitFor();
    },
  },
  find: {
    ...said(answer),
    act: async (panel) => {
      await findText(panel, 'in');
      await panel.page.getByText(panel.translate('{0} of {1}', 1, 3)).waitFor();
    },
  },
  timeline: {
    state: () =>
      panelState({
        name: 'Running the tests',
        turns: [
          question,
          reply(
            '2',
            '# In a clone\n\nRun them.\n\n## Once\n\n# With a name that is so long that it is cut off\n',
          ),
          message('3', 'And the linter? Does it run too?'),
          streaming('4', '## Biome\n\nSo'),
        ],
      }),
    act: async (panel) => {
      await panel.post({ type: 'showTimeline' });
      await panel.page.locator('.timeline-row').nth(5).waitFor();
    },
  },
  'timeline, the rail of a wide page': {
    state: () =>
      panelState({ turns: [question, answer, message('3', 'And the linter?'), reply('4', 'Too.')] }),
    act: async (panel) => {
      if ((panel.page.viewportSize()?.width ?? 0) >= 960)
        await panel.page.locator('.timeline-tick').last().hover();
    },
  },
  'timeline, nothing found': {
    ...said(answer),
    act: async (panel) => {
      await panel.post({ type: 'showTimeline' });
      await panel.page.locator('.timeline .list-filter:focus').fill('nowhere');
      await panel.page.getByText(panel.translate('No matching results.')).waitFor();
    },
  },
  'find, invalid expression': {
    ...said(answer),
    act: async (panel) => {
      await findText(panel, '(in', true);
      await panel.page.getByText(panel.translate('Invalid regular expression')).waitFor();
    },
  },
};
