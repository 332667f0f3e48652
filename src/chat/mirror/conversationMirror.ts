import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import type { Chat, PersonalChange } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import type { About, RemotePlace } from '../model/conversation';
import { createRestoredId } from '../remote/restoredId';
import { type Connect, type Service, waitForRateLimit } from '../remote/service';
import type { Mirror } from './mirror';
import {
  formatPlace,
  parsePlace,
  readListing,
  readUnsent,
  writeDraft,
  writeQueue,
} from './mirroredConversation';
import { type MirrorKind, splitMirrorKey } from './mirrorItems';

/** A conversation with one of these is listed again after the storage folder was lost. */
const LISTING_KINDS = ['pinned', 'archived', 'draft', 'queue'] as const satisfies readonly MirrorKind[];
/** What another machine may have changed of a conversation that is here. */
const ABOUT_KINDS = ['pinned', 'archived', 'name'] as const satisfies readonly MirrorKind[];
/** All that is forgotten of a deleted conversation, apart from that it was deleted. */
const OWN_KINDS = [...LISTING_KINDS, 'name', 'listed'] as const satisfies readonly MirrorKind[];
/** Delay after the first change of a draft. */
const DRAFT_DELAY_MS = 1000;
/** What a deleted conversation had is kept so long for an Undo or a failed deletion by a window with another storage folder. */
const FORGET_AFTER_MS = 24 * 3600_000;

interface Parts {
  readonly chat: Chat;
  readonly mirror: Mirror;
  readonly connect: Connect;
  /** Names a bot, as far as its name is known. */
  readonly nameBot: (botId: string, baseUrl: string) => Bot;
  readonly onError: (error: unknown) => void;
}

/** What is known of a conversation before its messages are read. */
type Found = Pick<About, 'name' | 'bot'> & { readonly at?: number };

/**
 * Mirrors what the user did to conversations (docs/store.md: The mirror), and returns it: to those that come back from the
 * service, and to those here if another machine changed it.
 */
export class ConversationMirror {
  readonly #parts: Parts;
  readonly #subscriptions: readonly { dispose(): void }[];
  readonly #closing = new AbortController();
  /** IDs of the conversations whose draft or place changed since the last write. */
  readonly #changed = new Set<string>();
  /** The names of the items of open conversations when they were written last. */
  readonly #names = new Map<string, string>();
  readonly #restoring = new Map<string, Promise<string | undefined>>();
  /** Those that the service doesn't have, or not for this account. */
  readonly #missing = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fetching: Promise<void> = Promise.resolve();
  /** Resolves once the conversations that needn't be asked for are listed again. */
  readonly whenRestored: Promise<void>;

  /** `onError` receives failures of the disk and of background work. */
  constructor(parts: Parts) {
    this.#parts = parts;
    const { chat, mirror, onError } = parts;
    chat.setRestoreLost((id) => this.#restoreLost(id));
    chat.queues.setOnWritten(async (id, messages) => {
      // It was deleted meanwhile, and nothing of it is mirrored any more.
      if (!chat.findConversation(id)) return;
      writeQueue(mirror, this.#getName(id), messages);
      this.#updateListing(id);
      await mirror.flush();
    });
    this.#subscriptions = [
      chat.onChatEvent((event) => this.#handleEvent(event)),
      chat.onPersonalChange((change) => this.#handlePersonalChange(change)),
      mirror.onDidChange(
        (keys) =>
          void this.#apply(keys)
            .then(() => this.restoreConversations())
            .catch(onError),
      ),
    ];
    this.whenRestored = chat.whenListed.then(() => this.#restoreAtStart()).catch(onError);
  }

  /**
   * Lists mirrored conversations that aren't here, of the services that are set up. Reports each one that can't be listed
   * now, which the next call tries again.
   */
  async restoreConversations(): Promise<void> {
    const { chat, mirror, onError } = this.#parts;
    // Before that, none would seem to be here.
    await chat.whenListed;
    // Another window may have deleted one.
    mirror.refresh();
    const unknown: string[] = [];
    for (const name of this.#findMissing()) {
      const listing = readListing(mirror, name);
      if (listing?.bot) await this.#restoreOnce(name, listing).catch(onError);
      else unknown.push(name);
    }
    if (unknown.length > 0)
      this.#fetching = this.#fetching.then(() => this.#restoreFromService()).catch(onError);
  }

  /**
   * Adds a conversation that was found on the service with what is mirrored of it, even if it was deleted here: the user
   * opens it. Returns its ID, or undefined if nothing is mirrored.
   */
  async restoreFound(place: Pick<RemotePlace, 'baseUrl' | 'id'>, found: Found): Promise<string | undefined> {
    const { mirror } = this.#parts;
    const name = formatPlace(place);
    mirror.set('deleted', name, undefined);
    return this.#hasAny(name, OWN_KINDS) ? this.#restoreOnce(name, found) : undefined;
  }

  /** Returns whether the user deleted a conversation, on any machine. */
  isDeleted(place: Pick<RemotePlace, 'baseUrl' | 'id'>): boolean {
    return this.#parts.mirror.get('deleted', formatPlace(place)) !== undefined;
  }

  /** Looks for changes by other windows and machines. */
  refresh(): void {
    this.#parts.mirror.refresh();
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#writeChanged();
    await this.#fetching;
    // Whoever asked for them gets their errors.
    await Promise.allSettled(this.#restoring.values());
    await this.#parts.mirror.dispose();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId: id } = event;
    if (event.type === 'chunk') return;
    switch (event.type) {
      case 'draft':
      case 'composing':
        this.#changed.add(id);
        this.#timer ??= setTimeout(() => this.#writeChanged(), DRAFT_DELAY_MS);
        break;
      case 'changed':
        this.#updateName(id);
        this.#updateListing(id);
        break;
      case 'purged':
        this.#forget(this.#getName(id));
        break;
    }
  }

  #handlePersonalChange({ conversationId: id, name, pinned, archived, deleted }: PersonalChange): void {
    const { mirror } = this.#parts;
    const place = this.#getName(id);
    this.#names.set(id, place);
    if (deleted && !parsePlace(place)) this.#forget(place);
    // What is on no service can't come back from one. It is mirrored once it is on one.
    if (!parsePlace(place)) return;
    if (name !== undefined) mirror.set('name', place, name);
    if (pinned !== undefined) mirror.set('pinned', place, pinned || undefined);
    if (archived !== undefined) mirror.set('archived', place, archived || undefined);
    if (deleted !== undefined) mirror.set('deleted', place, deleted || undefined);
    this.#updateListing(id);
    void mirror.flush();
  }

  #writeChanged(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { chat, mirror } = this.#parts;
    for (const id of this.#changed) {
      const conversation = chat.findConversation(id);
      if (!conversation) continue;
      writeDraft(mirror, this.#getName(id), conversation.draft, conversation.composing);
      this.#updateListing(id);
    }
    this.#changed.clear();
  }

  /** Moves what is mirrored of a conversation when it is created on a service, or created there again. */
  #updateName(id: string): void {
    const { chat, mirror } = this.#parts;
    const conversation = chat.findConversation(id);
    const before = this.#names.get(id) ?? id;
    const name = this.#getName(id);
    if (!conversation?.remote || before === name) return;
    this.#names.set(id, name);
    if (this.#hasAny(before, OWN_KINDS)) {
      writeQueue(mirror, name, conversation.queue?.messages ?? []);
      writeDraft(mirror, name, conversation.draft, conversation.composing);
      if (parsePlace(before)) this.#copyAbout(before, name);
      this.#forget(before);
    }
    this.#seed(id, name, Date.now());
  }

  #copyAbout(from: string, to: string): void {
    const { mirror } = this.#parts;
    for (const kind of ABOUT_KINDS) mirror.set(kind, to, mirror.get(kind, from));
  }

  /** Mirrors the pin and the archive state of a conversation that has them from before. */
  #seed(id: string, name: string, at: number): void {
    const { chat, mirror } = this.#parts;
    const { pinned, archived } = chat.findConversation(id) ?? chat.getSummary(id) ?? {};
    if (pinned && !mirror.getItem('pinned', name)) mirror.set('pinned', name, true, at);
    if (archived && !mirror.getItem('archived', name)) mirror.set('archived', name, true, at);
  }

  /** Mirrors what the list shows, as long as there is a reason to list the conversation again. */
  #updateListing(id: string): void {
    const { chat, mirror } = this.#parts;
    const name = this.#getName(id);
    if (!parsePlace(name)) return;
    const summary = chat.getSummary(id);
    if (!this.#hasAny(name, LISTING_KINDS)) mirror.set('listed', name, undefined);
    else if (summary) {
      const { name: title, bot, workspace, at } = summary;
      // A later time alone isn't worth a write: it only sorts the list after a loss.
      const known = readListing(mirror, name);
      const same = known?.id === id && known.name === title && known.bot?.id === bot.id;
      const named = bot.id === '' ? {} : { bot };
      if (!same || known?.bot?.name !== bot.name)
        mirror.set('listed', name, { id, name: title, ...named, ...(workspace && { workspace }), at });
    }
  }

  async #restoreAtStart(): Promise<void> {
    const { chat, mirror, onError } = this.#parts;
    mirror.refresh();
    await this.#forgetDeleted().catch(onError);
    for (const { id, at } of chat.listConversations()) {
      const name = this.#getName(id);
      if (!parsePlace(name)) continue;
      this.#names.set(id, name);
      this.#seed(id, name, at);
      this.#updateListing(id);
    }
    await this.#apply(
      ABOUT_KINDS.flatMap((kind) => [...mirror.getItems(kind).keys()].map((name) => `${kind} ${name}`)),
    );
    await this.restoreConversations();
  }

  async #forgetDeleted(): Promise<void> {
    const { chat, mirror } = this.#parts;
    const before = Date.now() - FORGET_AFTER_MS;
    const getDeleted = () =>
      [...mirror.getItems('deleted')].flatMap(([name, { value, at }]) =>
        value === undefined || at > before ? [] : name,
      );
    if (getDeleted().length === 0) return;
    // Another window may still undo its deletion of one that is in use.
    const usedIds = await chat.getUsedIds();
    for (const name of getDeleted())
      if (!usedIds.has(readListing(mirror, name)?.id ?? '')) this.#forget(name);
  }

  /** Makes changes by another machine to the conversations here. Reports each one that fails. */
  async #apply(keys: readonly string[]): Promise<void> {
    const { chat, mirror, onError } = this.#parts;
    for (const key of keys) {
      const { kind: changed, name } = splitMirrorKey(key);
      const kind = ABOUT_KINDS.find((each) => each === changed);
      const place = parsePlace(name);
      const id = place && chat.getIdsByRemoteId(place.baseUrl).get(place.id);
      const summary = id !== undefined && chat.getSummary(id);
      // What was forgotten of a conversation that was deleted elsewhere isn't a change to the one here.
      if (!kind || !place || !summary || this.isDeleted(place)) continue;
      const stored = mirror.get(kind, name);
      const value = kind === 'name' ? stored : stored === true;
      if ((kind === 'name') === (typeof value === 'string') && (summary[kind] ?? false) !== value)
        await chat.updateAnywhere(id, { [kind]: value }).catch(onError);
    }
  }

  /** Returns the names of the mirrored conversations that aren't here, of the services that are set up. */
  #findMissing(): readonly string[] {
    const { chat, mirror } = this.#parts;
    if (this.#closing.signal.aborted) return [];
    const names = LISTING_KINDS.flatMap((kind) =>
      [...mirror.getItems(kind)].flatMap(([name, { value }]) => (value === undefined ? [] : name)),
    );
    const here = new Map<string, ReadonlyMap<string, string> | undefined>();
    return [...new Set(names)].filter((name) => {
      const place = parsePlace(name);
      if (!place || this.isDeleted(place)) return false;
      const { baseUrl } = place;
      if (!here.has(baseUrl)) here.set(baseUrl, this.#findService(baseUrl) && chat.getIdsByRemoteId(baseUrl));
      return here.get(baseUrl)?.has(place.id) === false;
    });
  }

  /** Asks the services for what isn't known of conversations that come from another machine, one after the other. */
  async #restoreFromService(): Promise<void> {
    const failed = new Set<string>();
    for (const name of this.#findMissing()) {
      const place = parsePlace(name);
      const service = place && this.#findService(place.baseUrl);
      if (!service || failed.has(service.baseUrl) || this.#missing.has(name)) continue;
      try {
        await this.#restoreOneFromService(service, place.id, name);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        // The request is in the log; the next start asks this service again.
        if (error instanceof ServiceError) failed.add(service.baseUrl);
        else this.#parts.onError(error);
      }
    }
  }

  async #restoreOneFromService(service: Service, remoteId: string, name: string): Promise<void> {
    const { signal } = this.#closing;
    await waitForRateLimit(service, signal);
    const found = await service.client.getConversation(remoteId, signal).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || !isMissing(error)) throw error;
      this.#missing.add(name);
    });
    if (!found) return;
    const bot = found.botId === '' ? undefined : this.#parts.nameBot(found.botId, service.baseUrl);
    const at = (found.createdAt ?? 0) * 1000;
    await this.#restoreOnce(name, { name: found.name, ...(bot && { bot }), at });
  }

  /**
   * Restores a conversation by its ID here, such as the one that was shown last. Of one that is on no service, restores
   * only what wasn't sent. Returns whether the conversation is here now.
   */
  async #restoreLost(id: string): Promise<boolean> {
    const { chat, mirror } = this.#parts;
    mirror.refresh();
    for (const name of mirror.getItems('listed').keys()) {
      const listing = readListing(mirror, name);
      const place = parsePlace(name);
      if (listing?.id !== id || !place || this.isDeleted(place)) continue;
      return (await this.#restoreOnce(name, listing)) === id;
    }
    if (this.#hasAny(id, ['draft', 'queue'])) await chat.restoreUnsent(id, readUnsent(mirror, id));
    return false;
  }

  #restoreOnce(name: string, found: Found): Promise<string | undefined> {
    const restoring =
      this.#restoring.get(name) ?? this.#restore(name, found).finally(() => this.#restoring.delete(name));
    this.#restoring.set(name, restoring);
    return restoring;
  }

  /** Returns the conversation's ID here. Throws file system errors. */
  async #restore(name: string, found: Found): Promise<string | undefined> {
    const { chat, mirror } = this.#parts;
    const remote = parsePlace(name);
    if (!remote) return;
    await chat.load();
    const listing = readListing(mirror, name);
    const isOther =
      listing && (chat.findConversation(listing.id) ?? chat.getSummary(listing.id)) !== undefined;
    const id = listing && !isOther ? listing.id : createRestoredId(remote);
    // If it isn't free, it isn't lost: it is listed once its file can be read, or renamed back after its deletion was undone.
    const isFree = !(await chat.getUsedIds()).has(id);
    // Another window may have added it just now.
    const here = chat.getIdsByRemoteId(remote.baseUrl).get(remote.id);
    if (here !== undefined || !isFree || this.isDeleted(remote)) return here;
    const { workspace, at = found.at ?? Date.now() } = listing ?? {};
    const given = mirror.get('name', name);
    await chat.restoreUnsent(id, readUnsent(mirror, name));
    // Once the conversation is here, its draft in the mirror isn't looked at any more.
    await chat.whenDraftSaved(id);
    await chat.addFromService(id, at, {
      name: typeof given === 'string' ? given : found.name,
      ...(found.bot && { bot: found.bot }),
      remote,
      unread: false,
      pinned: mirror.get('pinned', name) === true,
      ...(mirror.get('archived', name) === true && { archived: true }),
      ...(workspace && { workspace }),
    });
    this.#names.set(id, name);
    this.#updateListing(id);
    return id;
  }

  #forget(name: string): void {
    for (const kind of OWN_KINDS) this.#parts.mirror.set(kind, name, undefined);
  }

  #hasAny(name: string, kinds: readonly MirrorKind[]): boolean {
    return kinds.some((kind) => this.#parts.mirror.get(kind, name) !== undefined);
  }

  #getName(id: string): string {
    const place = this.#parts.chat.getRemotePlace(id);
    return place ? formatPlace(place) : (this.#names.get(id) ?? id);
  }

  #findService(baseUrl: string): Service | undefined {
    try {
      return this.#parts.connect(baseUrl);
    } catch (error) {
      // It isn't set up.
      if (!(error instanceof ServiceError)) throw error;
      return undefined;
    }
  }
}

function isMissing({ status = 0 }: ServiceError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}
