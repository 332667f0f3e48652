import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { getStatusKind, getStatusReadiness } from '../../shared/view/documentReadiness';
import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import type { Conversation } from '../model/conversation';
import { filterAwaitedDocuments, type QueuedMessage } from '../model/queuedMessage';
import { type DocumentTurn, isUploading } from '../model/turn';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Connect, Service } from '../remote/service';
import { attach, isResponseLost, matchDocuments, PENDING } from './matchDocuments';
import { readDocuments } from './readDocuments';

/** Polling intervals for a conversation in ms: each is twice the previous one, from the first to the maximum. */
export interface PollIntervals {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The minimum age of a list that is read again although no document is awaited. */
  readonly minListAgeMs: number;
}

const DEFAULT_INTERVALS: PollIntervals = { firstMs: 2000, maxMs: 60_000, minListAgeMs: 30_000 };
/** The longest conversion (docs/service.md: POST /documents/file). */
export const MAX_CONVERSION_MS = 60 * 60_000;
/** A service that has never listed documents lacks the list after this many responses without one. */
const MAX_RESPONSES_WITHOUT_LIST = 2;

interface Watch {
  timer?: ReturnType<typeof setTimeout>;
  intervalMs: number;
  readonly controller: AbortController;
  isPolling: boolean;
  /**
   * Whether the documents were listed since the conversation came on screen, so that those from elsewhere are
   * known.
   */
  hasListed: boolean;
}

/**
 * Polls the status of documents that are not ready, and the IDs that the service has not told
 * (docs/service.md: GET /documents), while a page shows their conversation or a queued message waits for them,
 * and stores them on the turns. A document that isn't ready in time pauses the queue. Failed requests are in the
 * request log.
 */
export class DocumentStatus {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: Connect;
  readonly #intervals: PollIntervals;
  readonly #watches = new Map<string, Watch>();
  /** IDs of the conversations on screen. */
  #visible: ReadonlySet<string> = new Set();
  /** Time of each conversation's last poll, in ms of `performance.now`. */
  readonly #polledAt = new Map<string, number>();
  /** IDs of the turns whose status is final. */
  readonly #finalTurnIds = new Set<string>();
  /** IDs of the turns that weren't ready in time: a list still updates them, but they aren't polled. */
  readonly #lateTurnIds = new Set<string>();
  /** When documents that the service lists without a time were first seen pending, in its ms since the epoch. */
  readonly #pendingSince = new Map<string, number>();
  /** Count of each service's responses without a list of documents; -Infinity from its first list on. */
  readonly #responsesWithoutList = new WeakMap<Service['capabilities'], number>();
  readonly #subscription: { dispose(): void };

  constructor(
    chat: Chat,
    remote: RemoteConversations,
    connect: Connect,
    intervals: PollIntervals = DEFAULT_INTERVALS,
  ) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#intervals = intervals;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /** Sets which conversations are on screen. */
  setVisible(conversationIds: ReadonlySet<string>): void {
    this.#visible = conversationIds;
    for (const id of this.#watches.keys()) this.#updateWatch(id);
    for (const id of conversationIds) this.#updateWatch(id);
  }

  /** Reads the documents of the conversations on screen again, unless that was done within the last 30 s. */
  pollNow(conversationIds: Iterable<string> = this.#visible): void {
    for (const id of conversationIds) {
      const watch = this.#watches.get(id);
      const age = performance.now() - (this.#polledAt.get(id) ?? Number.NEGATIVE_INFINITY);
      if (!watch || watch.isPolling || age < this.#intervals.minListAgeMs) continue;
      watch.hasListed = false;
      this.#schedulePoll(id, watch, 0);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const id of this.#watches.keys()) this.#unwatch(id);
  }

  #updateWatch(id: string): void {
    const isGone = this.#chat.findConversation(id)?.remote?.gone;
    if (!isGone && (this.#visible.has(id) || this.#isAwaited(id))) this.#watch(id);
    else this.#unwatch(id);
  }

  /** Returns whether a queued message waits for a document of the conversation. */
  #isAwaited(id: string): boolean {
    const { queue } = this.#chat.findConversation(id) ?? {};
    return (
      queue?.paused === undefined &&
      queue?.messages.some(({ documents, serviceDocuments }) => documents ?? serviceDocuments) === true
    );
  }

  #watch(id: string): void {
    if (this.#watches.has(id)) return;
    const watch: Watch = {
      intervalMs: this.#intervals.firstMs,
      controller: new AbortController(),
      isPolling: false,
      hasListed: false,
    };
    this.#watches.set(id, watch);
    this.#pollSoon(id, watch);
  }

  #unwatch(id: string): void {
    const watch = this.#watches.get(id);
    clearTimeout(watch?.timer);
    watch?.controller.abort();
    this.#watches.delete(id);
  }

  /** Polls early when a document is added or read from disk. */
  #handleEvent(event: ChatEvent): void {
    // The service may no longer have the conversation, or have it again.
    if (event.type === 'queue' || event.type === 'changed') this.#updateWatch(event.conversationId);
    if (event.type === 'turn' && event.turn.kind === 'document') this.#forgetIfRestarted(event.turn);
    // Another machine may have added documents in the meantime.
    if (event.type === 'ended') this.pollNow([event.conversationId]);
    const watch = this.#watches.get(event.conversationId);
    const isNew =
      event.type === 'earlierTurns' ||
      (event.type === 'queue' && this.#removeAwaitedFromLate(event.conversationId)) ||
      (event.type === 'turn' && event.turn.kind === 'document' && this.#isOpen(event.turn));
    if (!watch || !isNew || watch.isPolling) return;
    watch.intervalMs = this.#intervals.firstMs;
    this.#pollSoon(event.conversationId, watch);
  }

  /** A document that is uploaded again keeps its turn's ID. */
  #forgetIfRestarted(turn: DocumentTurn): void {
    if (!isUploading(turn)) return;
    this.#finalTurnIds.delete(turn.id);
    this.#lateTurnIds.delete(turn.id);
  }

  /** Lets late documents that a queued message waits for be polled again. Returns whether there are any. */
  #removeAwaitedFromLate(id: string): boolean {
    if (!this.#isAwaited(id)) return false;
    const { messages = [] } = this.#chat.findConversation(id)?.queue ?? {};
    return findAwaitedIds(messages).filter((turnId) => this.#lateTurnIds.delete(turnId)).length > 0;
  }

  /** Polls now, unless the last poll was too recent. */
  #pollSoon(id: string, watch: Watch): void {
    const polledAt = this.#polledAt.get(id) ?? Number.NEGATIVE_INFINITY;
    this.#schedulePoll(id, watch, Math.max(0, polledAt + this.#intervals.firstMs - performance.now()));
  }

  #schedulePoll(id: string, watch: Watch, ms: number): void {
    clearTimeout(watch.timer);
    const conversation = this.#chat.findConversation(id);
    if (
      watch.hasListed &&
      this.#findOpenDocuments(conversation).every((turn) => this.#lateTurnIds.has(turn.id)) &&
      !isListedUnderWay(conversation)
    )
      return;
    watch.timer = setTimeout(() => void this.#poll(id, watch).catch(this.#chat.reportError), ms);
  }

  async #poll(id: string, watch: Watch): Promise<void> {
    const { remote } = this.#chat.findConversation(id) ?? {};
    if (!remote || remote.gone) return;
    const { signal } = watch.controller;
    watch.isPolling = true;
    let service: Service | undefined;
    try {
      service = this.#connect(remote.baseUrl);
      const delayMs = service.client.rateLimit.getDelay(Date.now());
      if (delayMs > 0) return this.#schedulePoll(id, watch, delayMs);
      this.#polledAt.set(id, performance.now());
      const documents = await readDocuments(
        service,
        { chat: this.#chat, remote: this.#remote },
        id,
        remote.id,
        signal,
      );
      if (signal.aborted) return;
      if (documents) {
        this.#responsesWithoutList.set(service.capabilities, Number.NEGATIVE_INFINITY);
        watch.hasListed = true;
        this.#updateTurns(id, documents);
        const canRemove = service.capabilities.has('DELETE /documents/{id}');
        this.#chat.documents.setListed(id, { documents, canRemove });
      } else if (!this.#mayHaveList(service)) {
        watch.hasListed = true;
        return this.#updateTurns(id, undefined);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
    } finally {
      watch.isPolling = false;
    }
    const now = Date.now();
    this.#endLateConversions(id, service?.client.clock.toServiceTime(now) ?? now);
    this.#schedulePoll(id, watch, watch.intervalMs);
    watch.intervalMs = Math.min(2 * watch.intervalMs, this.#intervals.maxMs);
  }

  /** Returns whether the service may list documents although its last response had no list. */
  #mayHaveList({ capabilities }: Service): boolean {
    if (!capabilities.has('GET /documents')) return false;
    const count = (this.#responsesWithoutList.get(capabilities) ?? 0) + 1;
    this.#responsesWithoutList.set(capabilities, count);
    return count < MAX_RESPONSES_WITHOUT_LIST;
  }

  /** Updates the turns with the documents that the service listed; undefined if it has no list. */
  #updateTurns(id: string, documents: readonly Document[] | undefined): void {
    const conversation = this.#chat.findConversation(id);
    if (!conversation) return;
    const byId = new Map(documents?.map((document) => [document.id, document]));
    const matches = matchDocuments(conversation.turns, documents ?? []);
    for (const turn of this.#findOpenDocuments(conversation)) {
      const document = matches.get(turn.id) ?? byId.get(turn.documentId ?? '');
      if (!documents || (document && document.status === undefined)) this.#finalTurnIds.add(turn.id);
      if (document) this.#putIfChanged(id, turn, attach(turn, conversation.turns, document));
      else if (turn.state !== 'attached') continue;
      // The status that came with the acceptance is never updated.
      else if (!documents) this.#putIfChanged(id, turn, withoutStatus(turn));
      else if (turn.documentId === undefined) this.#putIfChanged(id, turn, { ...turn, status: PENDING });
    }
  }

  /** Stops polling documents that should have been ready by now, and pauses the queue if it waits for one. */
  #endLateConversions(id: string, serviceTime: number): void {
    const isLate = (acceptedAt: number) => serviceTime - acceptedAt > MAX_CONVERSION_MS;
    const conversation = this.#chat.findConversation(id);
    const { paused, messages = [] } = conversation?.queue ?? {};
    // What a paused queue waits for is late once the queue runs. In another window it may be running.
    const heldBack = findAwaitedIds(paused === undefined ? [] : messages);
    const turns = this.#findOpenDocuments(conversation).filter(
      (turn) => isLate(turn.acceptedAt ?? turn.at) && !heldBack.includes(turn.id),
    );
    for (const turn of turns) {
      // One that is listed under this name later could be another one.
      const ids = turn.documentId === undefined ? this.#finalTurnIds : this.#lateTurnIds;
      ids.add(turn.id);
    }
    const lateOnService = (conversation?.listed?.documents ?? []).filter((document) => {
      if (getStatusReadiness(document.status) !== 'pending') return false;
      if (document.createdAt !== undefined) return isLate(document.createdAt * 1000);
      const since = this.#pendingSince.get(document.id) ?? serviceTime;
      this.#pendingSince.set(document.id, since);
      return isLate(since);
    });
    this.#stopWaiting(id, [...turns, ...lateOnService]);
    for (const turn of turns) {
      if (turn.state === 'attached' && turn.documentId === undefined)
        this.#putIfChanged(id, turn, withoutStatus(turn));
    }
  }

  /** Pauses a running queue if a message waits for one of the documents, and no longer waits for them. */
  #stopWaiting(id: string, late: readonly { readonly id: string }[]): void {
    const ids = new Set(late.map((document) => document.id));
    const { paused, messages = [] } = this.#chat.findConversation(id)?.queue ?? {};
    if (paused !== undefined || !findAwaitedIds(messages).some((awaitedId) => ids.has(awaitedId))) return;
    this.#chat.queues.pause(id, 'documentLate');
    const isInTime = (documentId: string) => !ids.has(documentId);
    void this.#chat.queues.change(id, (messages) =>
      messages.map((message) => filterAwaitedDocuments(message, isInTime, isInTime)),
    );
  }

  #putIfChanged(id: string, before: DocumentTurn, turn: DocumentTurn): void {
    const isNew =
      turn.status !== before.status || turn.documentId !== before.documentId || turn.state !== before.state;
    if (isNew) this.#chat.writer.putDocument(id, turn);
  }

  #findOpenDocuments(conversation: Conversation | undefined): DocumentTurn[] {
    const documents = conversation?.turns.filter((turn) => turn.kind === 'document') ?? [];
    return documents.filter((turn) => this.#isOpen(turn));
  }

  #isOpen(turn: DocumentTurn): boolean {
    if (this.#finalTurnIds.has(turn.id)) return false;
    if (turn.state !== 'attached') return isResponseLost(turn);
    return turn.status === undefined || getStatusKind(turn.status) === 'underWay';
  }
}

function withoutStatus({ status: _, ...turn }: DocumentTurn): DocumentTurn {
  return turn;
}

/** Returns the IDs of the documents that messages wait for: of turns, and of the service. */
function findAwaitedIds(messages: readonly QueuedMessage[]): string[] {
  return messages.flatMap(({ documents = [], serviceDocuments = [] }) => [...documents, ...serviceDocuments]);
}

/** Returns whether the service is converting a document that it listed, including those from elsewhere. */
function isListedUnderWay(conversation: Conversation | undefined): boolean {
  const { documents = [] } = conversation?.listed ?? {};
  return documents.some(({ status }) => getStatusReadiness(status) === 'pending');
}
