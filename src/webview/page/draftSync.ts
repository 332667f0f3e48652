import type { ConversationSummary, ConversationView } from '../../shared/view/viewModel';
import type { HostConnection, SavedDraft } from './hostConnection';
import { getDraft, markDraftPosted, type PageState, setText, startEditing } from './state';

/** Pause in typing after which the draft is posted to the host. */
const DRAFT_DELAY_MS = 200;
/** Earlier drafts that are recognized: those of many minutes of typing while nothing can be written. */
const MAX_EARLIER = 200;

/** Brings the composer's draft to the host, and saves what the host may not have yet: a reload can come at any time. */
export class DraftSync {
  readonly #host: HostConnection;
  readonly #onPause: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Hashes of the drafts before the one posted last: the host may be blocked, and its disk is behind. */
  #earlier: readonly number[] = [];

  /** `onPause`: called once typing pauses, when the draft should be posted. */
  constructor(host: HostConnection, onPause: () => void) {
    this.#host = host;
    this.#onPause = onPause;
  }

  /** Saves the draft that the host may not have, or may not have on the disk. */
  save(state: PageState): void {
    const { conversation } = state.panel;
    const { text, sending, recalledId, editing } = state.composer;
    clearTimeout(this.#timer);
    const base = conversation.draft;
    const { session } = this.#host;
    const earlier = this.#earlier;
    const isOnHost = text === base && (text === '' || earlier.length === 0);
    const saved = recalledId !== undefined || (isOnHost && !editing);
    this.#host.saveDraft(
      conversation.id,
      saved
        ? undefined
        : {
            ...{ text, base, earlier, ...(session && { session }), ...getPlace(conversation) },
            ...(editing && { editing }),
            ...(sending !== undefined && { sending: true }),
          },
    );
    // A message being sent is still in the text box: posting it as a draft would bring it back later.
    if (getDraft(state) !== base && sending === undefined)
      this.#timer = setTimeout(this.#onPause, DRAFT_DELAY_MS);
  }

  /** Posts the draft, if the host has another one. Returns the state with the posted draft. */
  post(state: PageState): PageState {
    clearTimeout(this.#timer);
    const { conversation } = state.panel;
    const text = getDraft(state);
    if (text === conversation.draft) return state;
    this.#earlier = [...this.#earlier, hash(conversation.draft)].slice(-MAX_EARLIER);
    this.#host.post({ type: 'draft', conversationId: conversation.id, text });
    const posted = markDraftPosted(state);
    this.save(posted);
    return posted;
  }

  /** Removes the saved draft once the host has it on the disk, and the page has no other one. */
  confirm(text: string, state: PageState): void {
    if (text !== state.panel.conversation.draft) return;
    this.#earlier = [];
    this.save(state);
  }

  /** Restores the draft on the host, which drops a sent message from it, for a message that wasn't sent from the composer. */
  restoreOnHost({ panel }: PageState): void {
    const { id, draft } = panel.conversation;
    if (draft !== '') this.#host.post({ type: 'draft', conversationId: id, text: draft });
  }

  /** Posts the draft of the conversation being left. The page stays alive, so only a draft the host never gets stays saved. */
  leave(state: PageState): PageState {
    const posted = this.post(state);
    if (!posted.composer.editing) this.#host.saveDraft(posted.panel.conversation.id, undefined);
    this.#earlier = [];
    return posted;
  }

  /** Restores a draft typed just before a reload that didn't reach the host, and a past message being edited. */
  restoreDraft(state: PageState): PageState {
    const { conversation } = state.panel;
    const { id, draft } = conversation;
    this.#host.saveConversationId(id);
    const saved = this.#host.getSavedDraft(id);
    let restored = state;
    const isOnHost = saved?.text === draft && !saved.editing;
    if (saved && !isOnHost && this.#isCurrent(saved, conversation) && state.composer.text === draft) {
      restored = saved.editing ? startEditing(state, saved.editing, saved.text) : setText(state, saved.text);
      this.#earlier = [...(saved.earlier ?? []), hash(saved.base)];
    }
    this.save(restored);
    return restored;
  }

  /** Removes what is saved of conversations that aren't in the whole list any more. */
  removeDeleted(listed: readonly ConversationSummary[], { panel }: PageState): void {
    // A new conversation isn't listed yet.
    const ids = new Set([panel.conversation.id, ...listed.map(({ id }) => id)]);
    this.#host.removeDrafts((id) => ids.has(id));
  }

  /** Returns whether the text wasn't sent, and belongs to what the host has. */
  #isCurrent(saved: SavedDraft, conversation: ConversationView): boolean {
    const { text, base, earlier = [], session, after, queued = [], editing, sending } = saved;
    const messages = conversation.turns.filter((turn) => turn.kind === 'message');
    const index = messages.findIndex(({ id }) => id === after);
    const later = after === undefined ? [] : messages.slice(index + 1);
    const newer = [...later, ...(conversation.queue?.messages ?? [])].filter(
      ({ id }) => !queued.includes(id),
    );
    if (!editing) {
      // The message was lost, and with it what came after it: the text may have been sent.
      if (after && index < 0 && !conversation.earlier) return false;
      const { draft } = conversation;
      // A host that goes on got all that was posted: there an earlier draft is what was typed in another page since.
      const isBehind = session === undefined || session !== this.#host.session;
      return newer.length === 0 && (base === draft || (isBehind && earlier.includes(hash(draft))));
    }
    // Others may have sent something since. The bot gets an edited text that is too long as a document or in parts.
    if (newer.some((turn) => turn.id !== editing && (sending || turn.text.includes(text)))) return false;
    return conversation.earlier === true || conversation.turns.some(({ id }) => id === editing);
  }
}

/** Returns what tells which messages are new after a reload. */
function getPlace({ turns, queue, earlier }: ConversationView): Pick<SavedDraft, 'after' | 'queued'> {
  const message = turns.findLast(({ kind }) => kind === 'message');
  const after = message?.id ?? (earlier ? undefined : '');
  return {
    ...(after !== undefined && { after }),
    ...(queue && { queued: queue.messages.map(({ id }) => id) }),
  };
}

/** Drafts can be long, and each key saves them. */
function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return sum;
}
