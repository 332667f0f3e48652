import assert from 'node:assert/strict';
import {
  applyConversationChange,
  type MutableConversation,
  recordToChange,
} from '../../../src/chat/model/conversationChange';
import type { Turn } from '../../../src/chat/model/turn';
import { conversationOf } from '../support/conversations';
import { createMessageTurn, createReplyTurn } from '../support/remoteMessages';

describe('A change of a conversation', () => {
  const question = createMessageTurn('a', 'Hi');
  const reply = createReplyTurn('b', 'a', 'Hel');
  const create = (turns: readonly Turn[], rest: Partial<MutableConversation> = {}): MutableConversation => ({
    ...conversationOf(turns),
    ...rest,
  });
  const getIds = ({ turns }: MutableConversation) => turns.map(({ id }) => id);

  it('adds a turn at the end or before another one, or replaces the one with its id', () => {
    const conversation = create([question]);
    applyConversationChange(conversation, { type: 'turn', turn: reply });
    applyConversationChange(conversation, { type: 'turn', turn: createMessageTurn('c', 'Bye'), before: 'b' });
    assert.deepEqual(getIds(conversation), ['a', 'c', 'b']);
    applyConversationChange(conversation, {
      type: 'turn',
      turn: createMessageTurn('a', 'Hello'),
      before: 'b',
    });
    applyConversationChange(conversation, { type: 'ended', turn: { ...reply, text: 'Hello' } });
    assert.deepEqual(
      conversation.turns.map((turn) => 'text' in turn && turn.text),
      ['Hello', 'Bye', 'Hello'],
    );
  });

  it('adds a turn before one that is gone at the end', () => {
    const conversation = create([question]);
    applyConversationChange(conversation, { type: 'turn', turn: reply, before: 'x' });
    assert.deepEqual(getIds(conversation), ['a', 'b']);
  });

  it('removes a turn', () => {
    const conversation = create([question, reply]);
    applyConversationChange(conversation, { type: 'turnRemoved', turnId: 'a' });
    assert.deepEqual(getIds(conversation), ['b']);
  });

  it('appends a chunk to its reply, not to the turn of the event that added it, a message or another reply', () => {
    const conversation = create([question]);
    applyConversationChange(conversation, { type: 'turn', turn: reply });
    applyConversationChange(conversation, { type: 'turn', turn: { ...reply, id: 'c' } });
    for (const turnId of ['b', 'a', 'x'])
      applyConversationChange(conversation, { type: 'chunk', turnId, text: 'lo' });
    assert.deepEqual(
      conversation.turns.map((turn) => 'text' in turn && turn.text),
      ['Hi', 'Hello', 'Hel'],
    );
    assert.equal(reply.text, 'Hel');
  });

  it('changes with the record of another window', () => {
    const conversation = create([question, reply]);
    assert.deepEqual(recordToChange(conversation, { type: 'about', name: 'A name' }), { type: 'changed' });
    assert.equal(conversation.name, 'A name');
    assert.ok(!('type' in conversation));
    assert.deepEqual(recordToChange(conversation, { type: 'turn', turn: question }), {
      type: 'turn',
      turn: question,
    });
    assert.deepEqual(
      recordToChange(conversation, { type: 'turn', turn: question, before: 'b', replaces: true }),
      {
        type: 'turn',
        turn: question,
        before: 'b',
      },
    );
    const { text: _, ...ended } = reply;
    assert.deepEqual(recordToChange(conversation, { type: 'ended', turn: ended, at: 1 }), {
      type: 'ended',
      turn: reply,
    });
    for (const id of ['a', 'x']) {
      const change = recordToChange(conversation, { type: 'ended', turn: { ...ended, id }, at: 1 });
      assert.equal(change.type === 'ended' && change.turn.text, '');
    }
    const chunk = { type: 'chunk', turnId: 'b', text: 'lo' } as const;
    assert.equal(recordToChange(conversation, chunk), chunk);
  });
});
