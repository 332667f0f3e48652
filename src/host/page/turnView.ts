import type { Conversation, Turn } from '../../chat/conversation';
import { canRetry } from '../../chat/conversation';
import type { ConversationView, Turn as TurnView } from '../../shared/conversation';
import { problemOf, uploadProblemOf } from '../failureText';

/** A turn as the page shows it: failures become sentences. */
export function turnView(conversation: Conversation, turn: Turn): TurnView {
  if (turn.kind === 'message') return turn;
  if (turn.kind === 'reply') {
    const { failure, messageId: _, ...view } = turn;
    return failure ? { ...view, problem: problemOf(failure, canRetry(conversation, turn.id)) } : view;
  }
  const { failure, failedAt, ...view } = turn;
  return failure ? { ...view, problem: uploadProblemOf(failure, failedAt) } : view;
}

export function conversationView(conversation: Conversation): ConversationView {
  const { id, name, bot, turns, draft } = conversation;
  return { id, name, ...(bot && { bot }), turns: turns.map((turn) => turnView(conversation, turn)), draft };
}
