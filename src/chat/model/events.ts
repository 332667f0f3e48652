import type { ReplyTurn, Turn } from './conversation';

/** What happened to a conversation. */
export type ChatEvent = { readonly conversationId: string } & (
  | { readonly type: 'created' }
  /** Its name, bot, unread mark or pin, or its place on the service. */
  | { readonly type: 'changed' }
  | { readonly type: 'deleted' }
  /** One that is new is the last, unless it comes before another; one that is known is replaced. */
  | { readonly type: 'turn'; readonly turn: Turn; readonly before?: string }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  /** The turns before those that were shown first have been read. */
  | { readonly type: 'earlierTurns'; readonly turns: readonly Turn[] }
  | { readonly type: 'chunk'; readonly turnId: string; readonly text: string }
  | { readonly type: 'ended'; readonly turn: ReplyTurn }
  /** What stands in the composer; `announce` where it was not the composer that changed it. */
  | { readonly type: 'draft'; readonly text: string; readonly announce: boolean }
  /** What stands in the composer besides the text. */
  | { readonly type: 'composing' }
  /** Which messages wait to be sent, and for what. */
  | { readonly type: 'queue' }
  /** What the service lists as its documents. */
  | { readonly type: 'documents' }
  /** Which of its documents the bot may answer from. */
  | { readonly type: 'focus' }
  /** Another window began to write it, or ceased to; or it can't be saved, or can again. */
  | { readonly type: 'noticed' }
);
