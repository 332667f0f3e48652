import type { Bot } from '../../shared/view/viewModel';
import type { Chat } from '../conversations/chat';
import type { ComposedMessage } from '../model/composerState';
import type { ComposerResult, MessageSender } from './messageSender';

/** A question to two bots. */
export interface Question extends ComposedMessage {
  readonly webSearch: boolean;
}

/** Creates a conversation with each bot, with the question in its composer: what isn't sent stays there. */
export function createWithQuestion(
  chat: Chat,
  [first, second]: readonly [Bot, Bot],
  { text, context, webSearch }: Question,
): readonly [string, string] {
  const create = (bot: Bot) => {
    const { id } = chat.createConversation(bot);
    chat.composers.setDraft(id, text);
    chat.composers.setState(id, { context, webSearch });
    return id;
  };
  return [create(first), create(second)];
}

/**
 * Sends the question in each of the conversations, once. Resolves to the results, when each message is sent, queued or
 * refused.
 */
export function sendQuestion(
  sender: MessageSender,
  ids: readonly string[],
  { text, context }: Question,
): Promise<ComposerResult[]> {
  const message = { text, context: context.map(({ id }) => id) };
  return Promise.all(ids.map((id) => sender.send(id, message)));
}
