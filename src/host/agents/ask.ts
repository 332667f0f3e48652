import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { MessageTurn, ReplyTurn } from '../../chat/model/turn';
import type { SendResult } from '../../chat/replies/replies';
import type { Bots } from '../service/bots';
import type { SetupGuide } from '../service/setupGuide';
import { AgentRefusal } from './refusal';

const { t } = vscode.l10n;

/** Maximum wait for a reply's sources after its end. */
const SOURCES_TIMEOUT_MS = 5_000;

export type AgentServices = Pick<ChatServices, 'chat' | 'replies' | 'sources'> & {
  readonly setup: SetupGuide;
  readonly bots: Bots;
};

interface Question {
  readonly conversationId: string;
  readonly text: string;
  readonly via: NonNullable<MessageTurn['via']>;
  /** The agent's name, if it has told it. */
  readonly agent?: string;
}

/**
 * Sends a message in a conversation and waits for the reply and its sources; cancelling the token stops the
 * reply. Throws an AgentRefusal if nothing was sent or if the conversation was deleted in the meantime.
 */
export async function ask(
  { chat, replies, sources }: Pick<ChatServices, 'chat' | 'replies' | 'sources'>,
  { conversationId, text, via, agent }: Question,
  token: vscode.CancellationToken,
  onText: (text: string) => void = () => undefined,
): Promise<ReplyTurn> {
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  const id = crypto.randomUUID();
  // The user may have queued messages, whose replies follow.
  const findAnswer = () =>
    chat
      .findConversation(conversationId)
      ?.turns.findLast((turn): turn is ReplyTurn => turn.kind === 'reply' && turn.messageId === id);
  const listening = chat.onChatEvent((event) => {
    if (event.type === 'chunk' && event.turnId === findAnswer()?.id) onText(event.text);
  });
  const stopping = token.onCancellationRequested(() => {
    if (!findAnswer()?.ending) replies.stop(conversationId);
  });
  const webSearch = chat.findConversation(conversationId)?.composing?.webSearch && {
    webSearch: true as const,
  };
  try {
    const result = await replies.send(conversationId, text, {
      ...{ id, via },
      ...(agent !== undefined && { agent }),
      ...webSearch,
    });
    if (result !== 'sent') throw new AgentRefusal(formatSendResult(result));
    await replies.whenDone(conversationId);
    if (findAnswer()?.ending === 'complete')
      await waitWithin(SOURCES_TIMEOUT_MS, token, sources.whenSettled(conversationId));
    // The reply was shown where the question was asked.
    chat.markRead(conversationId);
    const reply = findAnswer();
    if (!reply) throw new AgentRefusal(t('The conversation was deleted.'));
    return reply;
  } finally {
    listening.dispose();
    stopping.dispose();
  }
}

/** Resolves when the promise settles, the timeout passes or the token is canceled, whichever is first. */
function waitWithin(
  timeoutMs: number,
  token: vscode.CancellationToken,
  promise: Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs);
    const listening = token.onCancellationRequested(() => resolve());
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      listening.dispose();
    });
  });
}

function formatSendResult(result: Exclude<SendResult, 'sent'>): string {
  const sentences: Record<typeof result, string> = {
    empty: t('There is no message to send.'),
    tooLong: t('The message is too long.'),
    busy: t('The bot is still replying in this conversation.'),
    noBot: t('No bot is chosen.'),
    otherWindow: t('Another window is writing to this conversation.'),
  };
  return sentences[result];
}
