import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { getStatusKind } from '../../shared/conversionStatus';
import type { Chat } from '../conversations/chat';
import type { Conversation, DocumentTurn } from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { attach, isLost, matchDocuments, PENDING } from './matchDocuments';
import { readDocuments } from './readDocuments';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/** ms between two questions about a conversation: each is twice the one before. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** ms. A conversion takes up to an hour (docs/service.md: POST /documents/file); what takes longer is not waited for. */
const LONGEST_CONVERSION = 2 * 60 * 60_000;
interface Watch {
  timer?: ReturnType<typeof setTimeout>;
  pause: number;
  readonly controller: AbortController;
  asking: boolean;
  /** The service has listed the documents since the conversation came on screen: those from elsewhere are known. */
  listed: boolean;
}

/**
 * Puts the service's own word for a document's state on its turn, and its id where that was not told (contract: GET
 * /documents), while a page shows its conversation, or a queued message waits for it, and the document is not ready.
 * Failures are in the log of requests.
 */
export class DocumentStatus {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;
  readonly #onError: (error: unknown) => void;
  readonly #pauses: Pauses;
  readonly #watches = new Map<string, Watch>();
  /** Ids of the conversations that are on screen. */
  #shown: ReadonlySet<string> = new Set();
  /** When each conversation was asked about last, in ms of `performance.now`. */
  readonly #askedAt = new Map<string, number>();
  /** Turns of which the service will not say more. */
  readonly #settled = new Set<string>();
  readonly #listening: { dispose(): void };

  /** `onError` hears of what is not the service's fault. */
  constructor(
    chat: Chat,
    remote: RemoteConversations,
    connect: () => Service,
    onError: (error: unknown) => void,
    pauses: Pauses = { first: 5000, longest: 60_000 },
  ) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#onError = onError;
    this.#pauses = pauses;
    this.#listening = chat.onEvent((event) => this.#follow(event));
  }

  /** These conversations, and no others, are on screen. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    for (const id of this.#watches.keys()) this.#watchOrLeave(id);
    for (const id of conversationIds) this.#watchOrLeave(id);
  }

  dispose(): void {
    this.#listening.dispose();
    for (const id of this.#watches.keys()) this.#leave(id);
  }

  #watchOrLeave(id: string): void {
    if (this.#shown.has(id) || this.#isAwaited(id)) this.#watch(id);
    else this.#leave(id);
  }

  /** Whether a message goes out once a document of the conversation is ready. */
  #isAwaited(id: string): boolean {
    const { queue } = this.#chat.find(id) ?? {};
    return (
      queue?.paused === undefined &&
      queue?.messages.some(({ documents, serviceDocuments }) => documents ?? serviceDocuments) === true
    );
  }

  #watch(id: string): void {
    if (this.#watches.has(id)) return;
    const watch: Watch = {
      pause: this.#pauses.first,
      controller: new AbortController(),
      asking: false,
      listed: false,
    };
    this.#watches.set(id, watch);
    this.#askSoon(id, watch);
  }

  #leave(id: string): void {
    const watch = this.#watches.get(id);
    clearTimeout(watch?.timer);
    watch?.controller.abort();
    this.#watches.delete(id);
  }

  /** A document that is new, or was read from the disk just now, is asked about as if its conversation were. */
  #follow(event: ChatEvent): void {
    if (event.type === 'queue') this.#watchOrLeave(event.conversationId);
    const watch = this.#watches.get(event.conversationId);
    const isNew =
      event.type === 'earlierTurns' ||
      (event.type === 'turn' && event.turn.kind === 'document' && this.#isOpen(event.turn));
    if (!watch || !isNew || watch.asking) return;
    watch.pause = this.#pauses.first;
    this.#askSoon(event.conversationId, watch);
  }

  /** Asks at once, unless the last question was only just. */
  #askSoon(id: string, watch: Watch): void {
    const askedAt = this.#askedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    this.#askIn(id, watch, Math.max(0, askedAt + this.#pauses.first - performance.now()));
  }

  #askIn(id: string, watch: Watch, ms: number): void {
    clearTimeout(watch.timer);
    const conversation = this.#chat.find(id);
    if (watch.listed && this.#openIn(conversation).length === 0 && !isListedUnderWay(conversation)) return;
    watch.timer = setTimeout(() => void this.#ask(id, watch).catch(this.#onError), ms);
  }

  async #ask(id: string, watch: Watch): Promise<void> {
    const { remote } = this.#chat.find(id) ?? {};
    if (!remote || remote.gone) return;
    const { signal } = watch.controller;
    watch.asking = true;
    try {
      const service = this.#connect();
      if (service.baseUrl !== remote.baseUrl) return;
      const delayMs = service.client.rateLimit.getDelay(Date.now());
      if (delayMs > 0) return this.#askIn(id, watch, delayMs);
      this.#askedAt.set(id, performance.now());
      const documents = await readDocuments(service, this.#remote, id, remote.id, signal);
      if (signal.aborted) return;
      watch.listed = true;
      this.#take(id, documents);
      if (!documents) return;
      const canRemove = service.capabilities.has('DELETE /documents/{id}');
      this.#chat.setListedDocuments(id, { documents, canRemove });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
    } finally {
      watch.asking = false;
    }
    this.#askIn(id, watch, watch.pause);
    watch.pause = Math.min(2 * watch.pause, this.#pauses.longest);
  }

  /** Puts on the turns what the service listed; undefined where it lists nothing. */
  #take(id: string, documents: readonly Document[] | undefined): void {
    const conversation = this.#chat.find(id);
    if (!conversation) return;
    const byId = new Map(documents?.map((document) => [document.id, document]));
    const matches = matchDocuments(conversation.turns, documents ?? []);
    for (const turn of this.#openIn(conversation)) {
      const document = matches.get(turn.id) ?? byId.get(turn.documentId ?? '');
      const isLate = Date.now() - turn.at > LONGEST_CONVERSION;
      if (!documents || isLate || (document && document.status === undefined)) this.#settled.add(turn.id);
      if (document) this.#put(id, turn, attach(turn, document));
      else if (turn.state === 'attached' && turn.documentId === undefined) {
        const { status: _, ...rest } = turn;
        this.#put(id, turn, this.#settled.has(turn.id) ? rest : { ...turn, status: PENDING });
      }
    }
  }

  #put(id: string, before: DocumentTurn, turn: DocumentTurn): void {
    const isNew =
      turn.status !== before.status || turn.documentId !== before.documentId || turn.state !== before.state;
    if (isNew) this.#chat.putTurn(id, turn);
  }

  #openIn(conversation: Conversation | undefined): DocumentTurn[] {
    const documents = conversation?.turns.filter((turn) => turn.kind === 'document') ?? [];
    return documents.filter((turn) => this.#isOpen(turn));
  }

  #isOpen(turn: DocumentTurn): boolean {
    if (this.#settled.has(turn.id)) return false;
    if (turn.state !== 'attached') return isLost(turn);
    return turn.status === undefined || getStatusKind(turn.status) === 'underWay';
  }
}

/** Whether the service still converts a document that it listed, from elsewhere too. */
function isListedUnderWay(conversation: Conversation | undefined): boolean {
  const { documents = [] } = conversation?.listed ?? {};
  return documents.some(({ status }) => status !== undefined && getStatusKind(status) === 'underWay');
}
