import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Change, Response, ToPage } from '../../../src/shared/protocol/protocol';
import { isHostMessage } from '../../../src/webview/page/messageSchemas';
import { forged } from '../../support/forged';
import { cases } from '../../support/fuzz';
import { Panel } from '../support/panel';
import { document, message, panelState, reply, summary } from '../support/states';

const problem = {
  text: 'No',
  detail: 'Why',
  fields: [{ name: 'a', messages: ['b'] }],
  actions: ['retry'],
  retryAt: 5,
} as const;
const composing = {
  context: [{ id: 'x', kind: 'file', name: 'a', text: 'b' }],
  webSearch: true,
} as const;
const turns = [
  message('m', 'Hi'),
  reply('r', 'Hello', { problem, sources: [{ name: 'a', opens: 'link' }] }),
  document('d', { problem }),
];
const state = panelState(
  { turns, composing, earlier: true },
  {
    codeTheme: [{ scope: ['a'], foreground: '#fff' }],
    chatFont: { family: 'Inter', size: 15 },
    conversations: [summary('c', 'Moss')],
    quota: { messages: 7, credits: 8.5 },
    notice: { kind: 'quota', text: 'Enough', actions: ['showLog'] },
    overflow: 'split',
    uploadFolder: 'Plans',
  },
);

const fork = { id: 'f', name: 'Fork', turnId: 'r' };

/** One message of each type; a missing one is a compile error. */
const changes: { [K in Change['type']]: Extract<Change, { type: K }> } = {
  setup: { type: 'setup', setup: { step: 'done', serviceHost: 'a.b', problem } },
  sendWith: { type: 'sendWith', sendWith: 'enter' },
  codeTheme: { type: 'codeTheme', codeTheme: [{ scope: ['a'], fontStyle: 'bold' }] },
  chatFont: { type: 'chatFont', chatFont: { size: 15 } },
  conversations: { type: 'conversations', conversations: [summary('c', 'Moss')] },
  summary: { type: 'summary', summary: summary('c', 'Moss') },
  conversationGone: { type: 'conversationGone', conversationId: 'c' },
  conversation: { type: 'conversation', conversation: state.conversation },
  title: { type: 'title', name: 'Moss', bot: { id: 'b', name: 'Guide' } },
  forks: { type: 'forks', forks: { forkedFrom: fork, forks: [fork] } },
  turn: { type: 'turn', turn: reply('r', 'Hello'), before: 'm' },
  turnRemoved: { type: 'turnRemoved', turnId: 'r' },
  earlierTurns: { type: 'earlierTurns', turns, more: false },
  revealTurn: { type: 'revealTurn', turnId: 'r' },
  chunk: { type: 'chunk', turnId: 'r', text: 'x' },
  ended: { type: 'ended', turnId: 'r', ending: 'failed', problem, skipped: true },
  sent: { type: 'sent', text: 'x' },
  notSent: { type: 'notSent' },
  draft: { type: 'draft', text: 'x' },
  serviceDocuments: {
    type: 'serviceDocuments',
    documents: [{ id: 'd', name: 'a', status: 'synced', origin: 'older', opens: true, removable: true }],
  },
  queue: {
    type: 'queue',
    queue: {
      messages: [{ id: 'q', text: 'a', context: composing.context, webSearch: true, maybeSent: true }],
      paused: 'Why',
      waitsFor: 'a.md',
      editing: 'q',
    },
  },
  composing: { type: 'composing', composing },
  overflow: { type: 'overflow', overflow: 'document' },
  quota: { type: 'quota', quota: { messages: 3 } },
  uploadFolder: { type: 'uploadFolder', uploadFolder: 'Plans' },
  notice: { type: 'notice', notice: { kind: 'gone', text: 'Gone', actions: ['startAnew'] } },
};
const responses: { [K in Response['name']]: Extract<Response, { name: K }> } = {
  uploadBegin: { type: 'response', name: 'uploadBegin', id: 'r', value: true },
  uploadChunk: { type: 'response', name: 'uploadChunk', id: 'r', value: true },
  search: {
    ...{ type: 'response', name: 'search', id: 'r' },
    value: {
      hits: [
        {
          conversationId: 'c',
          turnId: 't',
          name: 'n',
          bot: { id: 'b', name: 'B' },
          at: 1,
          before: '',
          match: 'x',
          after: '',
        },
      ],
      done: true,
    },
  },
  listService: {
    ...{ type: 'response', name: 'listService', id: 'r' },
    value: [{ id: '1', name: 'n', bot: { id: 'b', name: 'B' }, at: 1 }],
  },
  listPrompts: {
    ...{ type: 'response', name: 'listPrompts', id: 'r' },
    value: [{ id: 'p', name: 'n', description: 'd', source: 'personal' }],
  },
  usePrompt: {
    ...{ type: 'response', name: 'usePrompt', id: 'r' },
    value: [{ text: 'text' }, { text: 'hint', input: 'i' }],
  },
  findMentions: {
    ...{ type: 'response', name: 'findMentions', id: 's' },
    value: {
      mentions: [
        { id: '1', kind: 'file', name: 'n', description: 'd', characters: 1 },
        { id: '2', kind: 'folder', name: 'n', uploads: true },
      ],
      isSearching: true,
    },
  },
  useMention: { type: 'response', name: 'useMention', id: 'r', value: 'chip' },
  forkConversation: { type: 'response', name: 'forkConversation', id: 'r', value: true },
  checkPaths: { type: 'response', name: 'checkPaths', id: 'r', value: ['a'] },
};
const messages: { [K in ToPage['type']]: Extract<ToPage, { type: K }> } = {
  snapshot: { type: 'snapshot', seq: 1, state },
  delta: { type: 'delta', seq: 2, changes: Object.values(changes) },
  focusComposer: { type: 'focusComposer' },
  showList: { type: 'showList' },
  showDocuments: { type: 'showDocuments' },
  response: responses.search,
  codeAction: { type: 'codeAction', action: 'copy' },
  copySelection: { type: 'copySelection' },
  focusTranscript: { type: 'focusTranscript' },
  find: { type: 'find' },
  showTimeline: { type: 'showTimeline' },
  nextTurn: { type: 'nextTurn' },
  previousTurn: { type: 'previousTurn' },
};

/** Unknown properties are allowed; known ones must have the right type. */
const samples: readonly ToPage[] = [...Object.values(messages), ...Object.values(responses)];
const wrong = forged(samples, { unknownProperties: false });

describe("messages that aren't from the host", () => {
  it('are rejected by the schemas, 10,000 of them', () => {
    for (const each of samples) assert.ok(isHostMessage(each), each.type);
    fc.assert(
      fc.property(wrong, (each) => assert.ok(!isHostMessage(each))),
      cases(10_000),
    );
  });

  it("don't change the page, and log a warning", async () => {
    const panel = await Panel.show(panelState({ turns: [message('m', 'Hi'), reply('r', 'Hello')] }));
    let lines = 0;
    panel.page.on('console', (line) => {
      if (line.type() === 'warning') lines++;
    });
    // Loaded after the page.
    await panel.button('Bot: Guide').waitFor();
    const before = await panel.page.locator('#app').innerText();
    const some = fc.sample(wrong, { ...cases(200, 1) }).flatMap(asJson);
    await panel.post(...(some as ToPage[]));
    assert.equal(await panel.page.locator('#app').innerText(), before);
    assert.deepEqual(await panel.intents(), []);
    assert.deepEqual(panel.errors, []);
    assert.equal(lines, some.length);
    await panel.change({ type: 'title', name: 'Still here' });
    await panel.page.getByRole('heading', { name: 'Still here' }).waitFor();
    await panel.close();
  });
});

/** Serializes as JSON, since not everything that a message can carry can be passed to the test's page. */
function asJson(value: unknown): unknown[] {
  try {
    const text = JSON.stringify(value, (_, each) => (ArrayBuffer.isView(each) ? null : each)) ?? '';
    const plain: unknown = JSON.parse(text);
    return text.length < 100_000 && !isHostMessage(plain) ? [plain] : [];
  } catch {
    return [];
  }
}
