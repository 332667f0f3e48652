import assert from 'node:assert/strict';
import {
  canRetry,
  createForkName,
  deriveName,
  findDocument,
  getBotName,
  getFocusState,
  hasDerivedName,
  isReplaced,
  isStreaming,
  summarize,
} from '../../../src/chat/model/conversation';
import type { Failure } from '../../../src/chat/model/failure';
import { type DocumentTurn, interruptTurn, type ReplyTurn, type Turn } from '../../../src/chat/model/turn';
import { conversationOf } from '../support/conversations';

const message: Turn = { kind: 'message', id: 'm', text: 'Hi', at: 1 };
const createReply = (about: Partial<ReplyTurn> = {}): ReplyTurn => ({
  ...{ kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'Ho', at: 2 },
  ...about,
});
const createDocument = (about: Partial<DocumentTurn> = {}): DocumentTurn => ({
  ...{ kind: 'document', id: 'd', name: 'a.md', size: 1, sent: 1, at: 3, state: 'attached' },
  ...about,
});

describe('A conversation', () => {
  it('streams while its last reply is open', () => {
    const isOpen = (...turns: Turn[]) => isStreaming(conversationOf(turns));
    assert.equal(isOpen(message), false);
    assert.equal(isOpen(message, createReply(), createDocument()), true);
    assert.equal(isOpen(createReply(), createReply({ id: 'r2', ending: 'complete' })), false);
  });

  it('can retry its last reply unless a retry would cost or repeat something', () => {
    const isOffered = (code: Failure['code'] | undefined, turnId = 'r') => {
      const failure = code && ({ failure: { code, maySend: true } } as const);
      return canRetry(conversationOf([message, createReply({ ending: 'failed', ...failure })]), turnId);
    };
    assert.equal(isOffered('service'), true);
    assert.equal(isOffered('service', 'm'), false);
    assert.deepEqual(
      (['flagged', 'quotaReached', 'validation', undefined] as const).map((code) => isOffered(code)),
      [false, false, false, false],
    );
    assert.equal(canRetry(conversationOf([message]), 'r'), false);
  });

  it('shows the name of a reply’s bot, which was once stored as its id', () => {
    const bot = { id: 'guide', name: 'Guide' };
    assert.equal(getBotName({ bot }, createReply({ bot: 'guide' })), 'Guide');
    assert.equal(getBotName({ bot }, createReply({ bot: 'Echo' })), 'Echo');
    assert.equal(getBotName({}, createReply({ bot: 'guide' })), 'guide');
  });

  it('is listed with the time of its last turn', () => {
    const { bot: _, ...empty } = conversationOf([]);
    const summary = summarize(empty);
    assert.deepEqual([summary.at, summary.bot], [empty.createdAt, { id: '', name: '' }]);
    assert.deepEqual(Object.keys(summary).sort(), [
      ...['at', 'bot', 'id', 'name', 'pinned', 'streaming', 'unread'],
    ]);
    const workspace = { id: 'w', name: 'Work' };
    const full = summarize({
      ...conversationOf([createDocument(), createReply(), message]),
      archived: true,
      workspace,
    });
    assert.deepEqual([full.at, full.archived, full.workspace], [1, true, workspace]);
  });

  for (const { text, name } of [
    { text: ' \n  One \t line \r\nAnother', name: 'One line' },
    { text: '', name: '' },
    { text: '👋'.repeat(60), name: '👋'.repeat(60) },
    { text: '👋'.repeat(61), name: `${'👋'.repeat(59)}…` },
    { text: `${'x'.repeat(58)} yyy`, name: `${'x'.repeat(58)}…` },
  ])
    it(`is named “${name.slice(0, 12)}” (${name.length}) after a text with ${text.length} characters`, () => {
      assert.equal(deriveName(text), name);
    });

  it('is named after a document until it has a message', () => {
    const isNamed = (name: string, ...turns: Turn[]) => hasDerivedName(conversationOf(turns, name));
    assert.equal(isNamed('b.md', createDocument(), createDocument({ name: 'b.md' })), true);
    assert.equal(isNamed('a.xyz', createDocument({ name: 'a.xyz.txt' })), true);
    assert.equal(isNamed('a.md', createDocument({ name: 'a.txt.md' })), false);
    assert.equal(isNamed('a.xyz.txt', createDocument({ name: 'a.xyz.txt' })), true);
    assert.equal(isNamed('c.md', createDocument()), false);
    assert.equal(isNamed('a.md', createDocument(), message), false);
    assert.equal(hasDerivedName({ ...conversationOf([createDocument()], 'a.md'), earlier: true }), false);
  });

  it('is named after its original until it has a message, or another name', () => {
    const isNamed = (name: string, ...turns: Turn[]) =>
      hasDerivedName({
        ...conversationOf(turns, name),
        forkedFrom: { id: 'a', name: 'Plans', turnId: 't', forkName: createForkName('Plans', '分叉') },
      });
    assert.equal(isNamed('Plans (分叉)', createDocument()), true);
    assert.equal(isNamed('Plans (分叉)'), true);
    assert.equal(isNamed('Plans (分叉)', message), false);
    for (const name of ['', 'Plans', 'Plans (final)', 'Plans (Fork)', 'Plans (分叉) of mine'])
      assert.equal(isNamed(name), false, name);
    assert.equal(hasDerivedName(conversationOf([], 'Plans (Fork)')), false);
  });

  it('a document has a newer version unless that one’s upload failed or was canceled', () => {
    for (const [state, replaced] of [
      ['attached', true],
      ['uploading', true],
      ['failed', false],
      ['cancelled', false],
    ] as const) {
      const turns: Turn[] = [message, createDocument(), createDocument({ id: 'd2', replaces: 'd', state })];
      assert.equal(isReplaced({ turns }, 'd'), replaced, state);
      assert.equal(isReplaced({ turns }, 'd2'), false);
    }
  });

  it('finds a document by its id, and nothing else', () => {
    const turns: Turn[] = [createDocument(), message, createDocument({ id: 'd2' })];
    assert.equal(findDocument(conversationOf(turns), 'd'), turns[0]);
    assert.equal(findDocument(conversationOf(turns), 'm'), undefined);
    assert.equal(findDocument(conversationOf(turns), 'x'), undefined);
    assert.equal(findDocument(undefined, 'd'), undefined);
  });

  it('has a choice of documents while there is more than one', () => {
    const toDocument = (id: string) => ({ id, name: `${id}.md` });
    const getStates = (about: Partial<Parameters<typeof getFocusState>[0]>, ...ids: string[]) =>
      ids.map((id) => getFocusState({ turns: [], ...about }, id));
    const changes = [{ document: toDocument('b'), included: false }];
    assert.deepEqual(getStates({}, 'a'), [undefined]);
    assert.deepEqual(getStates({ focus: { included: ['a'], changes: [] } }, 'a', 'b'), [
      undefined,
      'included',
    ]);
    const two = ['a', 'b'];
    assert.deepEqual(getStates({ focus: { included: two, changes: [] } }, ...two), ['included', 'included']);
    assert.deepEqual(getStates({ focus: { included: two, changes } }, ...two), [undefined, 'excluded']);
    const excluded = [toDocument('b')];
    const focus = { included: ['a', 'c'], changes: [{ document: toDocument('b'), included: true }] };
    assert.deepEqual(getStates({ focus, excluded }, 'b'), ['included']);
    assert.deepEqual(getStates({ focus: { ...focus, changes: [] }, excluded }, 'b'), ['excluded']);
    // Documents that were uploaded here since are in the focus, too.
    for (const [turn, state] of [
      [createDocument({ documentId: 'u' }), 'included'],
      [createDocument({ documentId: 'u', state: 'failed' }), undefined],
      [createDocument(), undefined],
      [message, undefined],
    ] as const)
      assert.deepEqual(getStates({ focus: { included: ['a'], changes: [] }, turns: [turn] }, 'a'), [state]);
    const uploaded = [createDocument({ documentId: 'u' })];
    assert.deepEqual(getStates({ focus: { included: [], changes: [] }, turns: uploaded }, 'x'), [undefined]);
  });
});

describe('interruptTurn', () => {
  it('ends only what nothing is working on', () => {
    const failure = { code: 'interrupted', maySend: false } as const;
    assert.deepEqual(interruptTurn(createReply()), createReply({ ending: 'interrupted', failure }));
    for (const turn of [
      createReply({ ending: 'complete' }),
      message,
      createDocument(),
      createDocument({ state: 'failed' }),
      createDocument({ state: 'cancelled' }),
    ])
      assert.equal(interruptTurn(turn), turn);
    const uploading = createDocument({ state: 'uploading' });
    assert.deepEqual(interruptTurn(uploading), createDocument({ state: 'cancelled' }));
  });
});
