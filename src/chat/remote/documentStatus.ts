import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { statusKind } from '../../shared/conversionStatus';
import type { Chat } from '../conversations/chat';
import type { Conversation, DocumentTurn } from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { attach, isLost, matchDocuments, PENDING } from './matchDocuments';
import { readDocuments } from './readDocuments';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/** Polling intervals for a conversation in ms: each is twice the previous one. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** A conversion takes up to an hour (docs/service.md: POST /documents/file); beyond this it isn't polled. */
const LONGEST_CONVERSION = 2 * 60 * 60_000;
interface Watch {
  timer?: ReturnType<typeof setTimeout>;
  pause: number;
  readonly controller: AbortController;
  asking: boolean;
  /**
   * Whether the documents were listed since the conversation came on screen, so that those from elsewhere are
   * known.
   */
  listed: boolean;
}

/**
 * Polls the status of documents that are not ready, and the ids that the service has not told (contract: GET
 * /documents), while a page shows their conversation or a queued message waits for them, and stores them on
 * the turns. Failed requests are in the request log.
 */
export class DocumentStatus {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;
  readonly #onError: (error: unknown) => void;
  readonly #pauses: Pauses;
  readonly #watches = new Map<string, Watch>();
  /** Ids of the conversations on screen. */
  #shown: ReadonlySet<string> = new Set();
  /** When each conversation was last polled, in ms of `performance.now`. */
  readonly #askedAt = new Map<string, number>();
  /** Ids of the turns whose status is final. */
  readonly #settled = new Set<string>();
  readonly #listening: { dispose(): void };

  /** `onError` receives errors that are not the service's. */
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

  /** Sets which conversations are on screen. */
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

  /** Returns whether a queued message waits for a document of the conversation. */
  #isAwaited(id: string): boolean {
    const { queue } = this.#chat.find(id) ?? {};
    return queue?.paused === undefined && queue?.messages.some(({ documents }) => documents) === true;
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

  /** Polls early when a document is added or read from disk. */
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

  /** Polls now, unless the last poll was too recent. */
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

  /** Updates the turns with the documents that the service listed; undefined if it has no list. */
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
    return turn.status === undefined || statusKind(turn.status) === 'underWay';
  }
}

/** Returns whether the service is converting a document that it listed, including those from elsewhere. */
function isListedUnderWay(conversation: Conversation | undefined): boolean {
  const { documents = [] } = conversation?.listed ?? {};
  return documents.some(({ status }) => status !== undefined && statusKind(status) === 'underWay');
}
