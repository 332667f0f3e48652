import { countCodePoints, MAX_MESSAGE_CODE_POINTS } from '../client/limits';
import type { Ending, MessageTurn } from '../shared/conversation';
import type { Chat } from './chat';
import { type Conversation, canRetry, isStreaming, lastReply, type ReplyTurn } from './conversation';
import { type Failure, returnsText, toFailure } from './failure';
import type { Remote } from './remote';
import type { Service } from './service';

/** `elsewhere`: another window is writing the conversation. */
export type SendResult = 'sent' | 'empty' | 'tooLong' | 'busy' | 'noBot' | 'elsewhere';

/** Why a reply is left although nobody pressed Stop: its window closes, or another one took the conversation over. */
const LEFT: Failure = { code: 'interrupted', maySend: false };

interface Running {
  readonly controller: AbortController;
  /** Settles when everything of the reply is on the disk. */
  done: Promise<void>;
}

/** The replies in flight: one a conversation; conversations stream side by side. */
export class Replies {
  readonly #chat: Chat;
  readonly #remote: Remote;
  readonly #connect: () => Service;
  readonly #running = new Map<string, Running>();

  constructor(chat: Chat, remote: Remote, connect: () => Service) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
  }

  /** Sends a message and streams the reply into the conversation. Takes the text, or says why not and changes nothing. */
  async send(id: string, text: string): Promise<SendResult> {
    const conversation = this.#chat.find(id);
    if (!conversation?.bot) return 'noBot';
    if (text.trim() === '') return 'empty';
    if (countCodePoints(text) > MAX_MESSAGE_CODE_POINTS) return 'tooLong';
    if (this.#running.has(id) || isStreaming(conversation)) return 'busy';
    const message: MessageTurn = { kind: 'message', id: crypto.randomUUID(), text, at: Date.now() };
    const begun = await this.#begin(conversation, message, () => {
      this.#chat.setDraft(id, '');
      this.#chat.nameAfter(id, text);
      this.#chat.putTurn(id, message);
    });
    return begun ? 'sent' : 'elsewhere';
  }

  /** Asks again for the reply that failed or was interrupted, if it is the conversation's last; false where it is not done. */
  async retry(id: string, turnId: string): Promise<boolean> {
    const conversation = this.#chat.find(id);
    if (!conversation || this.#running.has(id) || !canRetry(conversation, turnId)) return false;
    const reply = lastReply(conversation);
    const message = conversation.turns.find((turn) => turn.id === reply?.messageId);
    if (message?.kind !== 'message') return false;
    return this.#begin(conversation, message, () => {
      // A partial reply stays where it is; an empty one gives way to the next.
      if (reply?.text === '') this.#chat.removeTurn(id, turnId);
    });
  }

  stop(id: string): void {
    this.#running.get(id)?.controller.abort();
  }

  /** Ends what another window writes: from then on this one may. */
  async takeOver(id: string): Promise<void> {
    const lease = await this.#chat.acquire(id, { force: true });
    await lease?.release();
  }

  /** Ends every reply, because the window closes; resolves when what came of them is on the disk. */
  async dispose(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(LEFT);
    await Promise.all(running.map(({ done }) => done));
  }

  /** Takes the right to write, and puts an open reply into the conversation; false where another window has it. */
  async #begin(conversation: Conversation, message: MessageTurn, prepare: () => void): Promise<boolean> {
    const { id } = conversation;
    const running: Running = { controller: new AbortController(), done: Promise.resolve() };
    this.#running.set(id, running);
    const lease = await this.#chat.acquire(id);
    if (!lease) {
      this.#running.delete(id);
      return false;
    }
    prepare();
    const reply: ReplyTurn = {
      kind: 'reply',
      id: crypto.randomUUID(),
      messageId: message.id,
      bot: conversation.bot?.name ?? '',
      text: '',
      at: Date.now(),
    };
    this.#chat.putTurn(id, reply);
    lease.lost.addEventListener('abort', () => running.controller.abort(LEFT));
    running.done = this.#stream(id, reply.id, message.text, running.controller.signal)
      .finally(() => this.#running.delete(id))
      .then(() => this.#saved(id))
      .finally(() => lease.release());
    return true;
  }

  async #stream(id: string, turnId: string, content: string, signal: AbortSignal): Promise<void> {
    let sending = false;
    let skipped = false;
    const end = (ending: Ending, failure?: Failure) => this.#end(id, turnId, ending, skipped, failure);
    try {
      // What the person said is on the disk before it leaves.
      await this.#saved(id);
      signal.throwIfAborted();
      const service = this.#connect();
      const conversationId = await this.#remote.ensure(id, service, signal);
      sending = true;
      const stream = service.client.streamReply(
        { conversationId, content },
        {
          signal,
          onSkipped: () => {
            skipped = true;
          },
        },
      );
      for await (const text of stream) this.#chat.appendText(id, turnId, text);
      end('complete');
    } catch (error) {
      // Until the conversation exists, no message has left: it may be sent again.
      const failure = { ...toFailure(error, Date.now()), ...(!sending && { maySend: true }) };
      const partial = this.#find(id, turnId)?.text !== '';
      if (signal.reason === LEFT) end('interrupted', LEFT);
      else if (signal.aborted) end('stopped');
      else if (partial || failure.code === 'interrupted') end('interrupted', failure);
      else {
        end('failed', failure);
        if (returnsText(failure) && this.#chat.find(id)?.draft === '') this.#chat.setDraft(id, content, true);
      }
    }
  }

  #end(id: string, turnId: string, ending: Ending, skipped: boolean, failure?: Failure): void {
    const reply = this.#find(id, turnId);
    if (!reply || reply.ending !== undefined) return;
    this.#chat.endReply(id, {
      ...reply,
      ending,
      ...(failure && { failure }),
      ...(skipped && { skipped: true }),
    });
  }

  /** Where the disk takes nothing the conversation says so itself, and the chat goes on. */
  async #saved(id: string): Promise<void> {
    await this.#chat.saved(id).catch(() => undefined);
  }

  #find(id: string, turnId: string): ReplyTurn | undefined {
    const turn = this.#chat.find(id)?.turns.findLast((each) => each.id === turnId);
    return turn?.kind === 'reply' ? turn : undefined;
  }
}
