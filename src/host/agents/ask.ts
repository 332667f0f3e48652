import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { findLastReply, type MessageTurn, type ReplyTurn } from '../../chat/model/conversation';
import type { Sources } from '../../chat/remote/sources';
import type { Replies, SendResult } from '../../chat/replies/replies';
import type { Bots } from '../service/bots';
import type { SetupGuide } from '../service/setupGuide';
import { Refusal } from './refusal';

const { t } = vscode.l10n;

/** ms for which a reply that has ended waits for the documents it was made from. */
const SOURCES_TIME = 5_000;

export interface AgentServices {
  readonly chat: Chat;
  readonly replies: Replies;
  readonly sources: Sources;
  readonly setup: SetupGuide;
  readonly bots: Bots;
}

interface Question {
  readonly conversationId: string;
  readonly text: string;
  readonly via: NonNullable<MessageTurn['via']>;
}

/**
 * Says something in a conversation and follows its reply to the end, sources included; the token stops it as Stop does.
 * Throws a Refusal where nothing was sent, or where the conversation was deleted meanwhile.
 */
export async function ask(
  { chat, replies, sources }: Pick<AgentServices, 'chat' | 'replies' | 'sources'>,
  { conversationId, text, via }: Question,
  token: vscode.CancellationToken,
  onText: (text: string) => void = () => undefined,
): Promise<ReplyTurn> {
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  const latest = () => {
    const conversation = chat.find(conversationId);
    return conversation && findLastReply(conversation);
  };
  const listening = chat.onEvent((event) => {
    if (event.type === 'chunk' && event.conversationId === conversationId) onText(event.text);
  });
  const stopping = token.onCancellationRequested(() => replies.stop(conversationId));
  const webSearch = chat.find(conversationId)?.composing?.webSearch && { webSearch: true as const };
  try {
    const result = await replies.send(conversationId, text, { via, ...webSearch });
    if (result !== 'sent') throw new Refusal(whyNot(result));
    await replies.whenDone(conversationId);
    if (latest()?.ending === 'complete')
      await within(SOURCES_TIME, token, sources.whenSettled(conversationId));
    // Whoever asked has it before them.
    chat.markRead(conversationId);
    const reply = latest();
    if (!reply) throw new Refusal(t('The conversation was deleted.'));
    return reply;
  } finally {
    listening.dispose();
    stopping.dispose();
  }
}

/** Resolves with the promise, after so many ms, or when the token says so: whatever comes first. */
function within(time: number, token: vscode.CancellationToken, promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    const listening = token.onCancellationRequested(() => resolve());
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      listening.dispose();
    });
  });
}

function whyNot(result: Exclude<SendResult, 'sent'>): string {
  const sentences: Record<typeof result, string> = {
    empty: t('There is no message to send.'),
    tooLong: t('The message is too long.'),
    busy: t('The bot is still replying in this conversation.'),
    noBot: t('No bot is chosen.'),
    elsewhere: t('Another window is writing this conversation.'),
  };
  return sentences[result];
}
