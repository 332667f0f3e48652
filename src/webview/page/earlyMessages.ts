import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { SendTime } from '../../shared/view/viewModel';
import type { PageState } from './state';

/** A message the user sent before the host had answered the previous one. */
interface EarlyMessage {
  readonly conversationId: string;
  readonly text: string;
  readonly time: SendTime | undefined;
}

/** Holds the messages sent before the host answered, in the order in which they appear in the composer. */
export class EarlyMessages {
  #messages: readonly EarlyMessage[] = [];

  /** Adds the text that follows the messages already sent. */
  add({ panel, composer }: PageState, time: SendTime | undefined): void {
    const conversationId = panel.conversation.id;
    const earlier = this.#messages.filter((message) => message.conversationId === conversationId);
    const before = [composer.sending, ...earlier.map(({ text }) => text)].join('');
    // The sent text was edited since: the user has to send again.
    if (!composer.text.startsWith(before)) return;
    const text = composer.text.slice(before.length);
    if (text.trim() !== '') this.#messages = [...earlier, { conversationId, text, time }];
  }

  /** Removes the next message and returns it, if it can be sent: it is still in the composer and isn't too long. */
  takeNext({ panel, composer }: PageState): EarlyMessage | undefined {
    const [next, ...rest] = this.#messages;
    this.#messages = rest;
    if (next?.conversationId !== panel.conversation.id || !composer.text.startsWith(next.text)) return;
    // A message that is too long stays in the composer, for the user to decide.
    return countCodePoints(next.text) <= MESSAGE_LIMIT ? next : undefined;
  }

  clear(): void {
    this.#messages = [];
  }
}
