import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findDocument, findLastReply, isStreaming } from '../model/conversation';
import { recordToChange } from '../model/conversationChange';
import type { TranscriptRecord } from '../model/record';
import { interruptTurn, type Turn } from '../model/turn';
import type { StoreEvent } from '../store/storeEvents';
import type { Catalog } from './catalog';
import type { OpenConversations } from './openConversations';
import type { QueueStore } from './queueStore';
import type { WritePermissions } from './writePermissions';

interface Parts {
  readonly open: OpenConversations;
  readonly catalog: Catalog;
  readonly queues: QueueStore;
  readonly writePermissions: WritePermissions;
  /** IDs of the turns that this window wrote and will end itself. */
  readonly ownTurnIds: ReadonlySet<string>;
  /** Reports which other window writes a conversation. */
  readonly reportWriter: (id: string) => Promise<void>;
  /** Removes what this window stored of a conversation that another one has deleted. */
  readonly removeRemains: (id: string) => Promise<void>;
  readonly fireChatEvent: (event: ChatEvent) => void;
  readonly reportError: (error: unknown) => void;
}

/** Applies changes by other windows, and shows problems with the disk. */
export class StoreEventHandler {
  readonly #parts: Parts;
  /** The turns that this window marked as interrupted since a conversation's writer was gone, with what they were before. */
  readonly #interrupted = new Map<string, Map<Turn, Turn>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  handle(event: StoreEvent): void {
    const { open, catalog, queues, fireChatEvent, reportError } = this.#parts;
    switch (event.type) {
      case 'records':
        for (const record of event.records) this.#applyRecord(event.id, record);
        // Its window may have ended, and its lease may be gone, before this one saw it.
        if (this.#hasUnknownWriter(event.id)) this.#parts.reportWriter(event.id).catch(reportError);
        break;
      case 'created':
      case 'changed': {
        const { summary } = event;
        catalog.upsert(summary, summary.openReply !== undefined);
        // An open conversation fires its own events.
        if (!open.has(summary.id)) fireChatEvent({ type: 'changed', conversationId: summary.id });
        break;
      }
      case 'deleted':
        this.remove(event.id);
        this.#parts.removeRemains(event.id).catch(reportError);
        break;
      case 'deletion':
        // A draft that couldn't be written while it could be undone would be written later.
        this.#parts.removeRemains(event.id).catch(reportError);
        break;
      case 'queue':
        queues.rereadQueue(event.id).catch(reportError);
        break;
      case 'writer':
        this.#setNotice(event.id, { heldByOtherWindow: event.heldBy !== undefined });
        // The lease of a window that crashed seems to be held when it is seen first.
        if ((!event.heldBy || event.isBack) && catalog.setStreaming(event.id, event.heldBy !== undefined))
          fireChatEvent({ type: 'changed', conversationId: event.id });
        if (!event.heldBy) this.#interruptOpenTurns(event.id, 'reply');
        else {
          if (event.isBack) this.#reopenTurns(event.id);
          // Another writer doesn't continue them.
          this.#interrupted.delete(event.id);
        }
        break;
      case 'quiet':
        this.#interruptOpenTurns(event.id, 'document');
        break;
      case 'draftSaved': {
        const { id, text } = event;
        // It may have changed since, and a sent text is on the disk until its turn is.
        if (open.findConversation(id)?.draft === text)
          fireChatEvent({ type: 'draftSaved', conversationId: id, text });
        break;
      }
      case 'damaged':
        if (!open.findConversation(event.id)?.hasDamagedFile)
          this.#setNotice(event.id, { hasDamagedFile: true });
        break;
      case 'writeFailed':
      case 'writeRecovered':
        this.#setNotice(event.id, { unsaved: event.type === 'writeFailed' });
        break;
    }
  }

  /** Removes a deleted conversation from this window. */
  remove(id: string): void {
    const { open, catalog, fireChatEvent } = this.#parts;
    this.#interrupted.delete(id);
    const wasOpen = open.removeConversation(id);
    if (catalog.removeSummary(id) || wasOpen) fireChatEvent({ type: 'deleted', conversationId: id });
  }

  #applyRecord(id: string, record: TranscriptRecord): void {
    const { open, ownTurnIds, writePermissions } = this.#parts;
    const conversation = open.findConversation(id);
    if (!conversation) return;
    // While this window may write its own messages and replies, no other window does: it is reading back what it wrote.
    const turnId = getTurnId(record);
    const isOwn = turnId !== undefined && ownTurnIds.has(turnId);
    const isDocument =
      record.type === 'turn' ? record.turn.kind === 'document' : findDocument(conversation, turnId);
    if (isOwn && !isDocument && writePermissions.has(id)) return;
    if (isAboutEarlierTurn(conversation, record))
      open.applyLater(conversation, () => this.#applyRecord(id, record));
    else open.applyAndFire(conversation, recordToChange(conversation, record));
  }

  /** Returns whether another window began a reply, but isn't known to write. */
  #hasUnknownWriter(id: string): boolean {
    const conversation = this.#parts.open.findConversation(id);
    if (!conversation || conversation.heldByOtherWindow || !isStreaming(conversation)) return false;
    return !this.#parts.ownTurnIds.has(findLastReply(conversation)?.id ?? '');
  }

  /** Marks turns as interrupted that the previous writer left unfinished. */
  #interruptOpenTurns(id: string, kind: 'reply' | 'document'): void {
    const { open, ownTurnIds } = this.#parts;
    const conversation = open.findConversation(id);
    if (!conversation) return;
    if (conversation.earlier) {
      open.applyLater(conversation, () => {
        if (!conversation.heldByOtherWindow) this.#interruptOpenTurns(id, kind);
      });
    }
    const interruptedTurns = this.#interrupted.get(id) ?? new Map<Turn, Turn>();
    this.#interrupted.set(id, interruptedTurns);
    for (const turn of conversation.turns) {
      const interrupted = interruptTurn(turn);
      if (interrupted === turn || turn.kind !== kind || ownTurnIds.has(turn.id)) continue;
      if (interrupted.kind === 'reply') open.applyAndFire(conversation, { type: 'ended', turn: interrupted });
      else open.applyAndFire(conversation, { type: 'turn', turn: interrupted });
      const applied = conversation.turns.findLast(({ id: turnId }) => turnId === turn.id);
      if (applied) interruptedTurns.set(applied, turn);
    }
  }

  /** Reopens the turns that were marked as interrupted while their window seemed to be gone, and haven't changed since. */
  #reopenTurns(id: string): void {
    const { open } = this.#parts;
    const conversation = open.findConversation(id);
    for (const turn of conversation?.turns ?? []) {
      const before = this.#interrupted.get(id)?.get(turn);
      if (!conversation || !before) continue;
      // Chunks may have been added meanwhile.
      const reopened =
        before.kind === 'reply' && turn.kind === 'reply' ? { ...before, text: turn.text } : before;
      open.applyAndFire(conversation, { type: 'turn', turn: reopened });
    }
  }

  #setNotice(
    id: string,
    notice: Pick<Conversation, 'heldByOtherWindow' | 'unsaved' | 'hasDamagedFile'>,
  ): void {
    const conversation = this.#parts.open.findConversation(id);
    if (!conversation) return;
    Object.assign(conversation, notice);
    this.#parts.fireChatEvent({ type: 'noticed', conversationId: id });
  }
}

/** Returns whether a record changes a turn, or adds one before a turn, that is still being read. */
function isAboutEarlierTurn({ turns, earlier }: Conversation, record: TranscriptRecord): boolean {
  if (!earlier || record.type === 'about') return false;
  const isUnknown = (id: string | undefined) => !turns.some((turn) => turn.id === id);
  if (record.type !== 'turn') return isUnknown(getTurnId(record));
  const { turn, before, replaces } = record;
  return isUnknown(turn.id) && (replaces === true || (before !== undefined && isUnknown(before)));
}

/** Returns the ID of the turn that a record is about. */
function getTurnId(record: TranscriptRecord): string | undefined {
  if (record.type === 'about') return undefined;
  return 'turn' in record ? record.turn.id : record.turnId;
}
