import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Change } from '../../../src/shared/protocol/toPage';
import type { ConversationView, PanelState, ReplyTurn, Turn } from '../../../src/shared/view/viewModel';
import {
  applyPageChange,
  applySnapshot,
  createPageState,
  findStreamingReply,
  markDraftPosted,
  type PageState,
  setText,
} from '../../../src/webview/page/state';
import { document, message, panelState, reply, streaming, summary } from '../support/states';

describe('page state', () => {
  it("equals the host's state after any changes to a snapshot", () => {
    fc.assert(
      fc.property(fc.array(anyChange(), { maxLength: 40 }), (changes) => {
        const start = panelState({ id: 'a', turns: [message('1', 'Hi'), streaming('2')] });
        const host = new HostModel(start);
        let page = createPageState(start);
        for (const change of changes) {
          host.take(change);
          page = applyPageChange(page, change);
        }
        assert.deepEqual(page.panel, host.state);
      }),
      { numRuns: 500 },
    );
  });

  it('creates new objects only for what a chunk changes', () => {
    const turns = [message('1', 'Hi'), reply('2', 'Hello'), message('3', 'Go on'), streaming('4', 'So')];
    const before = createPageState(panelState({ turns }, { conversations: [summary('x', 'X')] }));
    const after = applyPageChange(before, { type: 'chunk', turnId: '4', text: ' far' });
    const { panel } = after;
    assert.deepEqual(panel.conversation.turns.at(-1), streaming('4', 'So far'));
    assert.deepEqual(turns.at(-1), streaming('4', 'So'));
    for (const index of [0, 1, 2]) assert.equal(panel.conversation.turns[index], turns[index]);
    assert.equal(panel.setup, before.panel.setup);
    assert.equal(panel.conversations, before.panel.conversations);
    assert.equal(after.composer, before.composer);
  });

  it("ignores changes of turns that it doesn't have", () => {
    const before = createPageState(panelState({ turns: [message('1', 'Hi')] }));
    assert.equal(applyPageChange(before, { type: 'chunk', turnId: '9', text: 'lost' }), before);
    assert.equal(applyPageChange(before, { type: 'ended', turnId: '1', ending: 'complete' }), before);
  });

  it('finds the streaming reply, also before documents', () => {
    const { conversation } = panelState({ turns: [streaming('1', 'So'), document('2')] });
    assert.equal(findStreamingReply(conversation)?.id, '1');
    assert.equal(findStreamingReply(panelState({ turns: [reply('1', 'Done')] }).conversation), undefined);
  });

  describe('drafts', () => {
    const sending = (text: string, now: string): PageState => ({
      ...markDraftPosted(setText(createPageState(panelState({ id: 'a' })), text)),
      composer: { text: now, sending: text },
    });

    it('drops exactly the sent text and keeps text typed after it', () => {
      const after = applyPageChange(sending('Hello', 'Hello there'), { type: 'sent', text: 'Hello' });
      assert.deepEqual(after.composer, { text: ' there' });
      assert.equal(after.sends, 1);
    });

    it('keeps text that was edited while sending', () => {
      const after = applyPageChange(sending('Hello', 'Help'), { type: 'sent', text: 'Hello' });
      assert.deepEqual(after.composer, { text: 'Help' });
    });

    it('keeps the whole text and allows sending again after a refusal', () => {
      const after = applyPageChange(sending('Hello', 'Hello there'), { type: 'notSent' });
      assert.deepEqual(after.composer, { text: 'Hello there' });
    });

    it("takes the host's draft, and appends text that the host doesn't have yet", () => {
      const heard = markDraftPosted(setText(createPageState(panelState({ id: 'a' })), 'Look'));
      const after = applyPageChange(setText(heard, 'Look!'), {
        type: 'draft',
        text: 'Look\n\n```ts\n1\n```\n',
      });
      assert.equal(after.composer.text, 'Look\n\n```ts\n1\n```\n!');
    });

    it('keeps what was changed in the text before the host had it beside the draft of another page', () => {
      const heard = markDraftPosted(setText(createPageState(panelState({ id: 'a' })), 'Hello'));
      const change = (text: string, typed: string) =>
        applyPageChange(setText(heard, text), { type: 'draft', text: typed, typed: true }).composer.text;
      assert.equal(change('Hello', 'Hello there'), 'Hello there');
      assert.equal(change('Hello', ''), '');
      assert.equal(change('Help', ''), 'Help');
      assert.equal(change('Help', 'Moss'), 'Moss\n\nHelp');
      assert.equal(change('', 'Moss'), 'Moss');
    });

    it('keeps typed text over an older snapshot', () => {
      const state = setText(createPageState(panelState({ id: 'a', draft: 'Hel' })), 'Hello');
      assert.equal(applySnapshot(state, panelState({ id: 'a', draft: 'Hel' })).composer.text, 'Hello');
    });

    it('detects in a snapshot that the message being sent was accepted', () => {
      const after = applySnapshot(sending('Hello', 'Hello there'), panelState({ id: 'a', draft: '' }));
      assert.deepEqual(after.composer, { text: ' there' });
    });

    it('keeps the text when the host shows the same conversation before it has received the draft', () => {
      for (const text of ['', 'Help', 'Hello']) {
        const posted = markDraftPosted(setText(createPageState(panelState({ id: 'a', draft: 'Hel' })), text));
        const { conversation } = panelState({ id: 'a', draft: 'Hel' });
        const after = applyPageChange(posted, { type: 'conversation', conversation });
        assert.deepEqual(after.composer, { text });
      }
    });

    it('shows the draft of the conversation that is opened', () => {
      const { conversation } = panelState({ id: 'b', draft: 'Other' });
      const after = applyPageChange(setText(createPageState(panelState({ id: 'a' })), 'One'), {
        type: 'conversation',
        conversation,
      });
      assert.deepEqual(after.composer, { text: 'Other' });
    });
  });
});

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The host's side of the same changes, written plainly. */
class HostModel {
  state: Mutable<PanelState>;

  constructor(state: PanelState) {
    this.state = structuredClone(state);
  }

  take(change: Change): void {
    const { state } = this;
    const conversation: Mutable<ConversationView> = structuredClone(state.conversation);
    const turns: Turn[] = [...conversation.turns];
    state.conversation = conversation;
    conversation.turns = turns;
    const place = 'turnId' in change ? turns.findIndex(({ id }) => id === change.turnId) : -1;
    const reply = turns[place]?.kind === 'reply' ? (turns[place] as Mutable<ReplyTurn>) : undefined;
    switch (change.type) {
      case 'setup':
        state.setup = change.setup;
        break;
      case 'sendWith':
        state.sendWith = change.sendWith;
        break;
      case 'conversations':
        state.conversations = change.conversations;
        break;
      case 'conversation': {
        const { id, draft } = conversation;
        // The draft of the conversation shown only changes by a `draft`.
        state.conversation = { ...change.conversation, ...(change.conversation.id === id && { draft }) };
        break;
      }
      case 'title':
        conversation.name = change.name;
        if (change.bot) conversation.bot = change.bot;
        break;
      case 'forks':
        Object.assign(conversation, change.forks);
        break;
      case 'turn': {
        const known = turns.findIndex(({ id }) => id === change.turn.id);
        const before = turns.findIndex(({ id }) => id === change.before);
        if (known >= 0) turns[known] = change.turn;
        else turns.splice(before < 0 ? turns.length : before, 0, change.turn);
        break;
      }
      case 'turnRemoved':
        if (place >= 0) turns.splice(place, 1);
        break;
      case 'chunk':
        if (reply) reply.text += change.text;
        break;
      case 'ended':
        if (!reply) break;
        reply.ending = change.ending;
        if (change.problem) reply.problem = change.problem;
        if (change.skipped) reply.skipped = true;
        break;
      case 'earlierTurns':
        for (const { id } of change.turns) {
          const known = turns.findIndex((turn) => turn.id === id);
          if (known >= 0) turns.splice(known, 1);
        }
        turns.unshift(...change.turns);
        conversation.earlier = change.more;
        break;
      case 'notice':
        if (change.notice) state.notice = change.notice;
        else delete state.notice;
        break;
      case 'sent':
        if (conversation.draft.startsWith(change.text)) {
          conversation.draft = conversation.draft.slice(change.text.length);
        }
        break;
      case 'draft':
        conversation.draft = change.text;
        break;
      case 'codeTheme':
        if (change.codeTheme) state.codeTheme = change.codeTheme;
        else delete state.codeTheme;
        break;
      case 'proposal':
        if (change.proposal) state.proposal = change.proposal;
        else delete state.proposal;
        break;
      case 'chatFont':
        if (change.chatFont) state.chatFont = change.chatFont;
        else delete state.chatFont;
        break;
      case 'summary': {
        const { conversations } = state;
        const { summary: changed } = change;
        const isListed = conversations.some(({ id }) => id === changed.id);
        const listed = isListed
          ? conversations.map((each) => (each.id === changed.id ? changed : each))
          : [...conversations, changed];
        state.conversations = listed.sort((one, other) => other.at - one.at);
        break;
      }
      case 'conversationGone':
        state.conversations = state.conversations.filter(({ id }) => id !== change.conversationId);
        break;
      case 'composing':
        if (change.composing) conversation.composing = change.composing;
        else delete conversation.composing;
        break;
      case 'quota':
        if (change.quota) state.quota = change.quota;
        else delete state.quota;
        break;
      case 'queue':
        if (change.queue) conversation.queue = change.queue;
        else delete conversation.queue;
        break;
      case 'serviceDocuments':
        if (change.serviceDocuments) conversation.serviceDocuments = change.serviceDocuments;
        else delete conversation.serviceDocuments;
        break;
      case 'overflow':
        if (change.overflow) state.overflow = change.overflow;
        else delete state.overflow;
        break;
      case 'services':
        if (change.services) state.services = change.services;
        else delete state.services;
        break;
      case 'documentSync':
        if (change.documentSync) state.documentSync = change.documentSync;
        else delete state.documentSync;
        break;
      case 'uploadFolder':
        if (change.uploadFolder !== undefined) state.uploadFolder = change.uploadFolder;
        else delete state.uploadFolder;
        break;
    }
  }
}

function anyChange(): fc.Arbitrary<Change> {
  const id = fc.constantFrom('1', '2', '3', '4');
  const text = fc.constantFrom('', 'Hello', ' wörld', '😀');
  const ending = fc.constantFrom<NonNullable<ReplyTurn['ending']>>(
    'complete',
    'stopped',
    'interrupted',
    'failed',
  );
  const turn = fc.oneof(
    fc.tuple(id, text).map(([i, it]) => message(i, it)),
    fc.tuple(id, text).map(([i, it]) => streaming(i, it)),
    fc.tuple(id, fc.nat(100)).map(([i, sent]) => document(i, { state: 'uploading', sent })),
  );
  const problem = { text: 'No.', actions: ['retry' as const] };
  const constantFrom = (...changes: [Change, ...Change[]]) => fc.constantFrom(...changes);
  // By kind, so that a missing one is a compile error.
  const byKind: Readonly<Record<Change['type'], fc.Arbitrary<Change>>> = {
    turn: fc
      .tuple(turn, fc.option(id, { nil: undefined }))
      .map(([it, before]) => ({ type: 'turn', turn: it, ...(before !== undefined && { before }) })),
    turnRemoved: id.map((turnId) => ({ type: 'turnRemoved', turnId })),
    chunk: fc.tuple(id, text).map(([turnId, it]) => ({ type: 'chunk', turnId, text: it })),
    ended: fc
      .tuple(id, ending)
      .map(([turnId, it]) => ({ type: 'ended', turnId, ending: it, problem, skipped: true })),
    sent: text.map((it) => ({ type: 'sent', text: it })),
    draft: text.map((it) => ({ type: 'draft', text: it })),
    draftSaved: text.map((it) => ({ type: 'draftSaved', text: it })),
    notSent: constantFrom({ type: 'notSent' }),
    proposal: constantFrom({ type: 'proposal' }, { type: 'proposal', proposal: { host: 'a.example' } }),
    title: constantFrom(
      { type: 'title', name: 'New' },
      { type: 'title', name: 'New', bot: { id: 'echo', name: 'Echo' } },
    ),
    forks: constantFrom(
      { type: 'forks', forks: { forkedFrom: { id: 'f', name: 'Moss', turnId: '1' } } },
      { type: 'forks', forks: { forks: [{ id: 'f', name: 'Moss', turnId: '1' }] } },
    ),
    sendWith: constantFrom({ type: 'sendWith', sendWith: 'ctrlEnter' }),
    notice: constantFrom(
      { type: 'notice', notice: { kind: 'storage', text: 'No.', actions: [] } },
      { type: 'notice' },
    ),
    revealTurn: constantFrom({ type: 'revealTurn', turnId: '1' }),
    earlierTurns: constantFrom(
      { type: 'earlierTurns', turns: [message('0', 'Before')], more: true },
      { type: 'earlierTurns', turns: [message('0', 'Before'), document('1')], more: false },
      { type: 'earlierTurns', turns: [], more: false },
    ),
    setup: constantFrom({ type: 'setup', setup: { step: 'apiKey', problem } }),
    conversations: constantFrom({ type: 'conversations', conversations: [summary('s', 'S', { at: 1 })] }),
    summary: fc
      .tuple(fc.constantFrom('s', 't', 'u'), fc.nat(2))
      .map(([summaryId, at]) => ({ type: 'summary', summary: summary(summaryId, `At ${at}`, { at }) })),
    conversationGone: fc
      .constantFrom('s', 't', 'u')
      .map((conversationId) => ({ type: 'conversationGone', conversationId })),
    conversation: constantFrom({
      type: 'conversation',
      conversation: panelState({ id: 'b', turns: [reply('1', 'Old')] }).conversation,
    }),
    queue: constantFrom(
      { type: 'queue', queue: { messages: [{ id: 'q', text: 'Later', context: [] }], paused: 'Why.' } },
      { type: 'queue' },
    ),
    serviceDocuments: constantFrom(
      { type: 'serviceDocuments', serviceDocuments: [{ id: 'd', name: 'a.txt', origin: 'addedElsewhere' }] },
      { type: 'serviceDocuments', serviceDocuments: [] },
    ),
    composing: fc
      .nat(3)
      .map((toCome) => ({ type: 'composing', composing: { context: [], webSearch: toCome > 1, toCome } })),
    overflow: constantFrom({ type: 'overflow', overflow: 'split' }, { type: 'overflow' }),
    quota: fc.nat(9).map((messages) => ({ type: 'quota', quota: { messages } })),
    services: constantFrom(
      { type: 'services' },
      { type: 'services', services: [{ baseUrl: 'https://a.example/v1', name: 'A' }] },
    ),
    documentSync: constantFrom(
      { type: 'documentSync', documentSync: { changed: 3, total: 40, branch: 'main' } },
      { type: 'documentSync' },
    ),
    uploadFolder: constantFrom(
      { type: 'uploadFolder', uploadFolder: 'Plans' },
      { type: 'uploadFolder', uploadFolder: '' },
      { type: 'uploadFolder' },
    ),
    codeTheme: constantFrom({
      type: 'codeTheme',
      codeTheme: [{ scope: ['comment'], foreground: '#112233' }],
    }),
    chatFont: fc.integer({ min: 8, max: 30 }).map((size) => ({ type: 'chatFont', chatFont: { size } })),
  };
  return fc.oneof(...Object.values(byKind));
}
