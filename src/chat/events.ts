import type { ReplyTurn, Turn } from './conversation';

/** What happened to a conversation. */
export type ChatEvent = { readonly conversationId: string } & (
  | { readonly type: 'created' }
  /** Its name, bot, unread mark or pin. */
  | { readonly type: 'changed' }
  | { readonly type: 'deleted' }
  | { readonly type: 'turn'; readonly turn: Turn }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  | { readonly type: 'chunk'; readonly turnId: string; readonly text: string }
  | { readonly type: 'ended'; readonly turn: ReplyTurn }
  /** What stands in the composer; `announce` where it was not the composer that changed it. */
  | { readonly type: 'draft'; readonly text: string; readonly announce: boolean }
);
