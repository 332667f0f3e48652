import type { Conversation, ReplyTurn } from './conversation';
import type { ChatEvent } from './events';
import type { TranscriptRecord } from './record';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A conversation that is open in this window. */
export type LiveConversation = Mutable<Conversation>;

/** What happened, to a conversation that is known. */
export type Happening = ChatEvent extends infer E
  ? E extends ChatEvent
    ? Omit<E, 'conversationId'>
    : never
  : never;

/** Makes it so in a conversation that is open. */
export function apply(conversation: LiveConversation, happening: Happening): void {
  const { turns } = conversation;
  switch (happening.type) {
    case 'turn':
    case 'ended': {
      // A copy: chunks are added to it, and what was told and is kept must stay what it was.
      const turn = { ...happening.turn };
      const index = turns.findLastIndex(({ id }) => id === turn.id);
      const before = 'before' in happening ? turns.findIndex(({ id }) => id === happening.before) : -1;
      if (index >= 0) conversation.turns = turns.with(index, turn);
      // Its place is among the turns that are still being read, and it with them.
      else if ('before' in happening && before < 0 && conversation.earlier) break;
      else conversation.turns = before < 0 ? [...turns, turn] : turns.toSpliced(before, 0, turn);
      break;
    }
    case 'turnRemoved':
      conversation.turns = turns.filter(({ id }) => id !== happening.turnId);
      break;
    case 'chunk': {
      const reply = turns.findLast(({ id }) => id === happening.turnId);
      // In place: a chunk must not cost what the conversation is long.
      if (reply?.kind === 'reply') (reply as Mutable<ReplyTurn>).text += happening.text;
    }
  }
}

/** What another window's record says, in the words of this one. */
export function happeningOf(conversation: LiveConversation, record: TranscriptRecord): Happening {
  switch (record.type) {
    case 'about': {
      const { type: _, ...about } = record;
      Object.assign(conversation, about);
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
