import type { Document } from '../client/models';
import { ServiceError } from '../client/serviceError';
import { statusKind } from '../shared/documentStatus';
import type { Chat } from './chat';
import { type Conversation, type DocumentTurn, documentOf } from './conversation';
import type { ChatEvent } from './events';
import type { Service } from './service';

/** ms between two questions about a conversation: each is twice the one before. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** ms. A conversion takes up to an hour (docs/service.md: POST /documents/file); what takes longer is not waited for. */
const LONGEST_CONVERSION = 2 * 60 * 60_000;
/** A list that never ends is left. */
const MOST_PAGES = 50;

interface Watch {
  timer?: ReturnType<typeof setTimeout>;
  pause: number;
  readonly controller: AbortController;
  asking: boolean;
}

/**
 * Puts the service's own word for a document's state on its turn (contract: GET /documents), while a page shows its conversation and
 * the document is not ready. A service that has no such operation is asked once. Failures are in the log of requests.
 */
export class DocumentStatus {
  readonly #chat: Chat;
  readonly #connect: () => Service;
  readonly #onError: (error: unknown) => void;
  readonly #pauses: Pauses;
  readonly #watches = new Map<string, Watch>();
  /** When each conversation was asked about last, in ms of `performance.now`. */
  readonly #askedAt = new Map<string, number>();
  /** Turns of which the service will not say more. */
  readonly #settled = new Set<string>();
  /** Base URLs of services that don't answer the question. */
  readonly #without = new Set<string>();
  readonly #listening: { dispose(): void };

  /** `onError` hears of what is not the service's fault. */
  constructor(
    chat: Chat,
    connect: () => Service,
    onError: (error: unknown) => void,
    pauses: Pauses = { first: 5000, longest: 60_000 },
  ) {
    this.#chat = chat;
    this.#connect = connect;
    this.#onError = onError;
    this.#pauses = pauses;
    this.#listening = chat.onEvent((event) => this.#follow(event));
  }

  /** These conversations, and no others, are on screen. */
  show(conversationIds: ReadonlySet<string>): void {
    for (const id of this.#watches.keys()) if (!conversationIds.has(id)) this.#leave(id);
    for (const id of conversationIds) this.#watch(id);
  }

  dispose(): void {
    this.#listening.dispose();
    this.show(new Set());
  }

  #watch(id: string): void {
    if (this.#watches.has(id)) return;
    const watch: Watch = { pause: this.#pauses.first, controller: new AbortController(), asking: false };
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
    if (this.#openIn(this.#chat.find(id)).length === 0) return;
    watch.timer = setTimeout(() => void this.#ask(id, watch).catch(this.#onError), ms);
  }

  async #ask(id: string, watch: Watch): Promise<void> {
    const conversation = this.#chat.find(id);
    const open = this.#openIn(conversation);
    const { remote } = conversation ?? {};
    if (!remote || open.length === 0 || this.#without.has(remote.baseUrl)) return;
    this.#askedAt.set(id, performance.now());
    watch.asking = true;
    try {
      const service = this.#connect();
      if (service.baseUrl !== remote.baseUrl) return;
      const wanted = new Set(open.map(({ documentId }) => documentId));
      const found = await listed(service, remote.id, wanted, watch.controller.signal);
      for (const turn of open) this.#put(id, turn, found.get(turn.documentId ?? ''));
    } catch (error) {
      if (watch.controller.signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
      if (error.status === 404 || error.status === 405) this.#without.add(remote.baseUrl);
    } finally {
      watch.asking = false;
    }
    if (watch.controller.signal.aborted || this.#without.has(remote.baseUrl)) return;
    this.#askIn(id, watch, watch.pause);
    watch.pause = Math.min(2 * watch.pause, this.#pauses.longest);
  }

  #put(id: string, { id: turnId, at }: DocumentTurn, document: Document | undefined): void {
    const isLate = Date.now() - at > LONGEST_CONVERSION;
    if (isLate || (document && document.status === undefined)) this.#settled.add(turnId);
    const turn = documentOf(this.#chat.find(id), turnId);
    const status = document?.status;
    if (turn && status !== undefined && status !== turn.status) this.#chat.putTurn(id, { ...turn, status });
  }

  #openIn(conversation: Conversation | undefined): DocumentTurn[] {
    const documents = conversation?.turns.filter((turn) => turn.kind === 'document') ?? [];
    return documents.filter((turn) => this.#isOpen(turn));
  }

  #isOpen({ id, state, documentId, status }: DocumentTurn): boolean {
    if (state !== 'attached' || documentId === undefined || this.#settled.has(id)) return false;
    return status === undefined || statusKind(status) === 'underWay';
  }
}

/** The documents of a conversation by id, page by page until those wanted are there. */
async function listed(
  { client }: Service,
  conversationId: string,
  wanted: ReadonlySet<string | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Document>> {
  const found = new Map<string, Document>();
  let page: number | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { items, nextPage } = await client.listDocuments({ conversationId, page }, signal);
    for (const document of items) if (wanted.has(document.id)) found.set(document.id, document);
    if (nextPage === undefined || nextPage === page || found.size === wanted.size) break;
    page = nextPage;
  }
  return found;
}
