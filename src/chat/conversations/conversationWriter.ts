import type { Workspace } from '../../shared/view/viewModel';
import { type About, findReply } from '../model/conversation';
import type { ConversationChange, MutableConversation } from '../model/conversationChange';
import { createHeader, type Recall, type TranscriptRecord, toRecord } from '../model/record';
import type { DocumentTurn, ReplyTurn, TextTurn, Turn } from '../model/turn';
import type { ConversationStore } from '../store/store';
import type { OpenConversations } from './openConversations';
import type { WritePermission } from './writePermissions';

/**
 * Makes this window's changes to open conversations: applies them, fires their events and saves them. Ignores
 * conversations that aren't open. Messages and replies need a write permission; records that stand for themselves don't
 * (docs/store.md: One writer for each conversation).
 */
export class ConversationWriter {
  readonly #store: ConversationStore;
  readonly #open: OpenConversations;
  readonly #getWorkspace: () => Workspace | undefined;
  /** IDs of the turns that this window wrote and will end itself. */
  readonly ownTurnIds = new Set<string>();

  /** `getWorkspace` returns the workspace that new conversations belong to. */
  constructor(store: ConversationStore, open: OpenConversations, getWorkspace: () => Workspace | undefined) {
    this.#store = store;
    this.#open = open;
    this.#getWorkspace = getWorkspace;
  }

  /** Updates the properties of a conversation other than its turns. Needs no permission: each stands for itself. */
  updateConversation(id: string, about: Partial<About>): void {
    const conversation = this.#open.findConversation(id);
    const keys = Object.keys(about) as (keyof typeof about)[];
    if (!conversation || keys.every((key) => conversation[key] === about[key])) return;
    Object.assign(conversation, about);
    this.#commit(conversation, { type: 'changed' }, about);
  }

  /** Appends a message or reply, inserts it before another turn, or replaces the turn with the same ID. */
  putTurn(permission: WritePermission, turn: TextTurn, before?: string): void {
    this.#putTurn(this.#findWritable(permission), turn, before);
  }

  removeTurn(permission: WritePermission, turnId: string): void {
    const conversation = this.#findWritable(permission);
    if (conversation) this.#commit(conversation, { type: 'turnRemoved', turnId });
  }

  appendText(permission: WritePermission, turnId: string, text: string): void {
    const conversation = this.#findWritable(permission);
    if (conversation) this.#commit(conversation, { type: 'chunk', turnId, text });
  }

  /** Ends a reply, even after its permission was lost: it ends as interrupted. */
  endReply(permission: WritePermission, turn: ReplyTurn): void {
    const conversation = this.#findWritable(permission, 'endReply');
    if (!conversation) return;
    // Mark as unread first: a page that shows the ending clears the mark again.
    conversation.unread = true;
    this.#commit(conversation, { type: 'ended', turn });
    if (conversation.unread) this.#commit(conversation, { type: 'changed' }, { unread: true });
  }

  /**
   * Replaces what is known of a reply except its text. Needs no permission: the service says it of a reply that has ended,
   * to every window alike.
   */
  putReplyDetails(id: string, turn: ReplyTurn): void {
    const conversation = this.#open.findConversation(id);
    const reply = findReply(conversation, turn.id);
    if (conversation && reply)
      this.#commit(conversation, { type: 'turn', turn: { ...turn, text: reply.text } });
  }

  /**
   * Appends a document, or replaces the one with the same ID. Needs no permission: an upload goes on while another window
   * writes, and a document's status stands for itself.
   */
  putDocument(id: string, turn: DocumentTurn): void {
    this.#putTurn(this.#open.findConversation(id), turn);
  }

  /** Needs no permission, as `putDocument`. */
  removeDocument(id: string, { id: turnId }: DocumentTurn): void {
    const conversation = this.#open.findConversation(id);
    if (conversation) this.#commit(conversation, { type: 'turnRemoved', turnId });
  }

  /** Saves a conversation that has turns but no file yet. Needs no permission: no other window knows it. */
  saveWhole(conversation: MutableConversation): void {
    this.#createFile(conversation);
    for (const turn of conversation.turns)
      this.#store.appendToTranscript(conversation.id, { type: 'turn', turn });
  }

  /** Waits for the earlier turns of a conversation whose file was lost; returns a function that returns it from memory. */
  async prepareRecall(id: string): Promise<Recall> {
    const opened = this.#open.findConversation(id);
    // What couldn't be read is lost with the file.
    if (opened) await this.#open.whenWhole(opened).catch(() => undefined);
    return () => {
      const conversation = this.#open.findConversation(id);
      if (!conversation || !this.#open.isStored(id)) return;
      const about = toRecord({ type: 'changed', conversationId: id }, conversation);
      const turns = conversation.turns.map((turn): TranscriptRecord => ({ type: 'turn', turn }));
      return [createHeader(id, conversation.createdAt), ...(about ? [about] : []), ...turns];
    };
  }

  /**
   * Finds the conversation that a permission is for. Once it was released or lost, another window may be writing, so
   * nothing is written any more. What was lost may still end the reply, which nobody else can.
   */
  #findWritable(
    { conversationId, isReleased, lost }: WritePermission,
    purpose?: 'endReply',
  ): MutableConversation | undefined {
    const mayWrite = !isReleased && (purpose === 'endReply' || !lost.aborted);
    return mayWrite ? this.#open.findConversation(conversationId) : undefined;
  }

  #putTurn(conversation: MutableConversation | undefined, turn: Turn, before?: string): void {
    if (!conversation) return;
    if (!this.#open.isStored(conversation.id)) this.#createFile(conversation);
    this.#commit(conversation, { type: 'turn', turn, ...(before !== undefined && { before }) });
  }

  /** `about`: the properties that changed. The others aren't stored again: another window may have changed them. */
  #commit(conversation: MutableConversation, change: ConversationChange, about: Partial<About> = {}): void {
    if (change.type === 'turn') this.ownTurnIds.add(change.turn.id);
    const event = this.#open.applyAndFire(conversation, change);
    const record = this.#open.isStored(conversation.id) ? toRecord(event, about) : undefined;
    if (record) this.#store.appendToTranscript(conversation.id, record);
  }

  /** Creates the conversation's file, before its first turn. */
  #createFile(conversation: MutableConversation): void {
    const workspace = this.#getWorkspace();
    if (workspace) conversation.workspace = workspace;
    this.#store.createTranscript(conversation.id, conversation.createdAt);
    this.#open.setStored(conversation.id);
    const about = toRecord({ type: 'changed', conversationId: conversation.id }, conversation);
    if (about) this.#store.appendToTranscript(conversation.id, about);
  }
}
