import type { ChatEvent } from './chatEvent';
import { type Conversation, mergeAbout, pickAbout } from './conversation';
import type { TranscriptRecord } from './record';
import type { ReplyTurn } from './turn';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A conversation that is open in this window. */
export type MutableConversation = Mutable<Conversation>;

/** A change to a given conversation. */
export type ConversationChange = ChatEvent extends infer E
  ? E extends ChatEvent
    ? Omit<E, 'conversationId'>
    : never
  : never;

/** Applies a change to an open conversation. */
export function applyConversationChange(conversation: MutableConversation, change: ConversationChange): void {
  const { turns } = conversation;
  switch (change.type) {
    case 'turn':
    case 'ended': {
      // Copy: chunks are added to the turn in place, and the event's own turn must not change.
      const turn = { ...change.turn };
      const index = turns.findLastIndex(({ id }) => id === turn.id);
      const before = 'before' in change ? turns.findIndex(({ id }) => id === change.before) : -1;
      if (index >= 0) conversation.turns = turns.with(index, turn);
      else conversation.turns = before < 0 ? [...turns, turn] : turns.toSpliced(before, 0, turn);
      break;
    }
    case 'turnRemoved':
      conversation.turns = turns.filter(({ id }) => id !== change.turnId);
      break;
    case 'chunk': {
      const reply = turns.findLast(({ id }) => id === change.turnId);
      // Append in place: the cost of a chunk must not depend on the conversation's length.
      if (reply?.kind === 'reply') (reply as Mutable<ReplyTurn>).text += change.text;
    }
  }
}

/** Converts another window's record to a change. */
export function recordToChange(
  conversation: MutableConversation,
  record: TranscriptRecord,
): ConversationChange {
  switch (record.type) {
    case 'about': {
      const { type: _, ...about } = record;
      Object.assign(conversation, mergeAbout(pickAbout(conversation), about));
      return { type: 'changed' };
    }
    case 'turn':
      return {
        type: 'turn',
        turn: record.turn,
        ...(record.before !== undefined && { before: record.before }),
      };
    case 'ended': {
      const before = conversation.turns.findLast(({ id }) => id === record.turn.id);
      return { type: 'ended', turn: { ...record.turn, text: before?.kind === 'reply' ? before.text : '' } };
    }
    default:
      return record;
  }
}
