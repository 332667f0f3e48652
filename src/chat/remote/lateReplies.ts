import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findLastReply } from '../model/conversation';
import type { ReplyTurn } from '../model/turn';
import { MAX_LATE_MS, type MessageSync, mayBeCompleteOnService } from './messageSync';

/** Pauses between two looks in ms; the last one repeats. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

interface Watch {
  readonly turnId: string;
  timer?: ReturnType<typeof setTimeout>;
  looks: number;
}

/**
 * Shows replies that reach the service's history after their streams broke (docs/service.md: GET /messages): looks for
 * the last reply of each conversation on screen with growing pauses.
 */
export class LateReplies {
  readonly #chat: Chat;
  readonly #messageSync: MessageSync;
  readonly #pausesMs: readonly number[];
  readonly #watches = new Map<string, Watch>();
  readonly #subscription: { dispose(): void };
  #visible: ReadonlySet<string> = new Set();

  constructor(chat: Chat, messageSync: MessageSync, pausesMs: readonly number[] = PAUSES_MS) {
    this.#chat = chat;
    this.#messageSync = messageSync;
    this.#pausesMs = pausesMs;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /** Sets the IDs of the conversations that are on screen. */
  setVisible(conversationIds: ReadonlySet<string>): void {
    this.#visible = conversationIds;
    for (const id of [...this.#watches.keys(), ...conversationIds]) this.#updateWatch(id);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const { timer } of this.#watches.values()) clearTimeout(timer);
    this.#watches.clear();
  }

  #handleEvent({ type, conversationId }: ChatEvent): void {
    if (type === 'ended' || type === 'deleted' || type === 'earlierTurns') this.#updateWatch(conversationId);
  }

  #updateWatch(id: string): void {
    const reply = this.#visible.has(id) ? findLateReply(this.#chat.findConversation(id)) : undefined;
    const watch = this.#watches.get(id);
    if (reply && watch?.turnId === reply.id) return;
    clearTimeout(watch?.timer);
    this.#watches.delete(id);
    if (!reply) return;
    const started: Watch = { turnId: reply.id, looks: 0 };
    this.#watches.set(id, started);
    this.#scheduleLook(id, started);
  }

  #scheduleLook(id: string, watch: Watch): void {
    const pause = this.#pausesMs[Math.min(watch.looks, this.#pausesMs.length - 1)];
    watch.looks++;
    watch.timer = setTimeout(() => void this.#look(id, watch), pause);
  }

  async #look(id: string, watch: Watch): Promise<void> {
    // After a failure it is looked for again, too.
    await this.#messageSync.findCompleteReply(id, watch.turnId).catch(this.#chat.reportError);
    if (this.#watches.get(id) !== watch) return;
    if (findLateReply(this.#chat.findConversation(id))?.id === watch.turnId) this.#scheduleLook(id, watch);
    else this.#updateWatch(id);
  }
}

function findLateReply(conversation: Conversation | undefined): ReplyTurn | undefined {
  const reply = conversation && findLastReply(conversation);
  return reply && mayBeCompleteOnService(reply) && Date.now() - reply.at < MAX_LATE_MS ? reply : undefined;
}
