import type { ConversationView, MessageTurn, QueuedMessageView } from '../../shared/view/viewModel';
import type { HostConnection, SavedDraft } from './hostConnection';
import { getDraft, markDraftPosted, type PageState, setText, startEditing } from './state';

/** Pause in typing after which the draft is posted to the host. */
const DRAFT_DELAY_MS = 200;

/** Brings the composer's draft to the host, and saves what the host may not have yet: a reload can come at any time. */
export class DraftSync {
  readonly #host: HostConnection;
  readonly #onPause: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onPause`: called once typing pauses, when the draft should be posted. */
  constructor(host: HostConnection, onPause: () => void) {
    this.#host = host;
    this.#onPause = onPause;
  }

  /** Saves the draft that the host doesn't have yet, until it is posted. */
  save(state: PageState): void {
    const { conversation } = state.panel;
    const { text, sending, recalledId, editing } = state.composer;
    clearTimeout(this.#timer);
    const base = conversation.draft;
    const saved = recalledId !== undefined || (text === base && !editing);
    this.#host.saveDraft(
      conversation.id,
      saved
        ? undefined
        : {
            ...{ text, base, ...getLastMessage(conversation) },
            ...(editing && { editing, ...(sending !== undefined && { sending: true }) }),
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
    this.#host.post({ type: 'draft', conversationId: conversation.id, text });
    return markDraftPosted(state);
  }

  /** Restores the draft on the host, which drops a sent message from it, for a message that wasn't sent from the composer. */
  restoreOnHost({ panel }: PageState): void {
    const { id, draft } = panel.conversation;
    if (draft !== '') this.#host.post({ type: 'draft', conversationId: id, text: draft });
  }

  /** Posts the draft of the conversation being left. The page stays alive, so only a draft the host never gets stays saved. */
  leave(state: PageState): PageState {
    const posted = this.post(state);
    if (!posted.composer.editing) this.discard(posted);
    return posted;
  }

  /** Discards the saved draft. */
  discard({ panel }: PageState): void {
    this.#host.saveDraft(panel.conversation.id, undefined);
  }

  /** Restores a draft typed just before a reload that didn't reach the host, and a past message being edited. */
  restoreDraft(state: PageState): PageState {
    const { conversation } = state.panel;
    const { id, draft } = conversation;
    this.#host.saveConversationId(id);
    const saved = this.#host.getSavedDraft(id);
    let restored = state;
    if (saved && isCurrent(saved, conversation) && state.composer.text === draft)
      restored = saved.editing ? startEditing(state, saved.editing, saved.text) : setText(state, saved.text);
    this.save(restored);
    return restored;
  }
}

/** Returns whether the text wasn't sent, and belongs to what the host has. */
function isCurrent(saved: SavedDraft, conversation: ConversationView): boolean {
  const { text, base, after, editing, sending } = saved;
  const messages = getMessages(conversation);
  const newer = after === undefined ? [] : messages.slice(messages.findIndex(({ id }) => id === after) + 1);
  if (!editing) return base === conversation.draft && newer.length === 0;
  // Others may have sent something since. The bot gets an edited text that is too long as a document or in parts.
  if (newer.some((turn) => turn.id !== editing && (sending || turn.text.includes(text)))) return false;
  return conversation.earlier === true || conversation.turns.some(({ id }) => id === editing);
}

/** The messages of the transcript, then those in the queue, which become turns with the same ids. */
function getMessages({ turns, queue }: ConversationView): readonly (MessageTurn | QueuedMessageView)[] {
  return [...turns.filter((turn) => turn.kind === 'message'), ...(queue?.messages ?? [])];
}

function getLastMessage(conversation: ConversationView): Pick<SavedDraft, 'after'> {
  const message = getMessages(conversation).at(-1);
  if (message) return { after: message.id };
  return conversation.earlier ? {} : { after: '' };
}
