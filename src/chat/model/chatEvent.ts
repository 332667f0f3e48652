import type { ReplyTurn, Turn } from './turn';

/** A change to a conversation. */
export type ChatEvent = { readonly conversationId: string } & (
  | { readonly type: 'created' }
  /** Its name, bot, unread mark, pin or place on the service changed. */
  | { readonly type: 'changed' }
  | { readonly type: 'deleted' }
  /** This window deleted it, and the deletion can no longer be undone. */
  | { readonly type: 'purged' }
  /** A new turn was added, at the end or before another one, or an existing one was replaced. */
  | { readonly type: 'turn'; readonly turn: Turn; readonly before?: string }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  /** The turns before those shown first have been read. */
  | { readonly type: 'earlierTurns'; readonly turns: readonly Turn[] }
  | { readonly type: 'chunk'; readonly turnId: string; readonly text: string }
  | { readonly type: 'ended'; readonly turn: ReplyTurn }
  /** The draft changed. `page`: the one in whose composer it did, if any. */
  | { readonly type: 'draft'; readonly text: string; readonly page?: object }
  /** The draft is on the disk. */
  | { readonly type: 'draftSaved'; readonly text: string }
  /** The composer's contents other than the draft changed. */
  | { readonly type: 'composing' }
  | { readonly type: 'queue' }
  /** The documents listed by the service changed. */
  | { readonly type: 'documents' }
  /** The documents that the bot may answer from. */
  | { readonly type: 'focus' }
  /** A file that replies were made from has changed. */
  | { readonly type: 'sourceFile'; readonly uri: string }
  /** Another window started or stopped writing it, or saving started or stopped failing. */
  | { readonly type: 'noticed' }
);
