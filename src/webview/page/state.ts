import type { Change } from '../../shared/protocol/toPage';
import { joinTexts } from '../../shared/text/joinTexts';
import type {
  ConversationSummary,
  ConversationView,
  PanelState,
  ReplyTurn,
  Turn,
} from '../../shared/view/viewModel';

/** The page's state: a replica of the host's state, and what only the page knows. */
export interface PageState {
  /** `panel.conversation.draft` is the draft as the host has it. */
  readonly panel: PanelState;
  readonly composer: Composer;
  /** Number of messages that the host sent for this page without queuing them. */
  readonly sends: number;
  /** A message being sent that didn't come from the composer. */
  readonly asking?: string;
  /** Number of times that another conversation was opened: the same one may be opened anew after a brief visit to another. */
  readonly opened: number;
  /** Number of turns added before those that the conversation was opened with. */
  readonly prepended: number;
  /** The turn to scroll to, and to focus, which may still have to arrive; a new object for each request. */
  readonly reveal?: { readonly turnId: string; readonly focus?: true };
  /** Why the host couldn't do what the user asked for last, until the user closes it or opens another conversation. */
  readonly failure?: string;
}

export interface Composer {
  /** Content of the text box; ahead of the host's draft while the user types. */
  readonly text: string;
  /** The text being sent to the host; the next one waits for the answer. */
  readonly sending?: string;
  /** Id of the past message that the text was recalled from; typing turns it into a draft. */
  readonly recalledId?: string;
  /** Id of the past message being edited in the text box; the host keeps the draft for later. */
  readonly editing?: string;
}

/** Returns whether the page has a composer: the setup takes its place in an empty conversation. */
export function hasComposer({ conversation, setup }: PanelState): boolean {
  return conversation.turns.length > 0 || setup.step === 'done';
}

/** Creates the state from the first snapshot. */
export function createPageState(panel: PanelState): PageState {
  return { panel, composer: { text: panel.conversation.draft }, sends: 0, opened: 0, prepended: 0 };
}

/** Replaces the replica by a snapshot, keeping text that hasn't reached the host. */
export function applySnapshot(state: PageState, panel: PanelState): PageState {
  const { conversation } = state.panel;
  const next = replaceConversation({ ...state, panel: { ...panel, conversation } }, panel.conversation);
  // The snapshot shows whether a message being sent was accepted: no answer will follow.
  const { sending: _, ...composer } = next.composer;
  const { asking: __, ...rest } = next;
  return { ...rest, composer };
}

/** Returns the state after one change, with new objects only for what changed. */
export function applyPageChange(state: PageState, change: Change): PageState {
  const { panel } = state;
  switch (change.type) {
    case 'summary': {
      return {
        ...state,
        panel: { ...panel, conversations: upsertSummary(panel.conversations, change.summary) },
      };
    }
    case 'conversationGone': {
      const conversations = panel.conversations.filter(({ id }) => id !== change.conversationId);
      return { ...state, panel: { ...panel, conversations } };
    }
    case 'conversation': {
      const { id, draft } = panel.conversation;
      // The conversation shown may have crossed a draft posted by the page; what the host puts into a draft comes as a `draft`.
      const isShown = change.conversation.id === id;
      return replaceConversation(state, { ...change.conversation, ...(isShown && { draft }) });
    }
    case 'title': {
      const { name, bot } = change;
      return updateConversation(state, (conversation) => ({ ...conversation, name, ...(bot && { bot }) }));
    }
    case 'forks':
      return updateConversation(state, (conversation) => ({ ...conversation, ...change.forks }));
    case 'turn':
      return updateConversation(state, (conversation) => ({
        ...conversation,
        turns: upsertTurn(conversation.turns, change.turn, change.before),
      }));
    case 'turnRemoved':
      return updateConversation(state, (conversation) => ({
        ...conversation,
        turns: conversation.turns.filter(({ id }) => id !== change.turnId),
      }));
    case 'earlierTurns': {
      const { turns, more } = change;
      const ids = new Set(turns.map(({ id }) => id));
      // The host posts documents before the turns around them: they get their places.
      const others = panel.conversation.turns.filter(({ id }) => !ids.has(id));
      const added = turns.length + others.length - panel.conversation.turns.length;
      return {
        ...updateConversation(state, (conversation) => ({
          ...conversation,
          turns: [...turns, ...others],
          earlier: more,
        })),
        prepended: state.prepended + added,
      };
    }
    case 'revealTurn':
      return { ...state, reveal: { turnId: change.turnId } };
    case 'chunk':
      return updateReply(state, change.turnId, (reply) => ({ ...reply, text: reply.text + change.text }));
    case 'ended': {
      const { ending, problem, skipped } = change;
      return updateReply(state, change.turnId, (reply) => ({
        ...reply,
        ending,
        ...(problem && { problem }),
        ...(skipped && { skipped }),
      }));
    }
    case 'sent':
      return dropSentText(state, change.text, change.queued === true);
    case 'notSent': {
      const { asking: _, ...rest } = state;
      const { sending: __, ...composer } = state.composer;
      return { ...rest, composer };
    }
    case 'draft': {
      const conversation = { ...panel.conversation, draft: change.text };
      // What is typed in another page isn't for the message being edited.
      if (change.typed && state.composer.editing) return updateConversation(state, () => conversation);
      return replaceConversation(state, conversation);
    }
    case 'draftSaved':
      return state;
    case 'composing':
    case 'queue':
    case 'serviceDocuments':
      return updateConversation(state, (conversation) => replaceField(conversation, change));
    default:
      return { ...state, panel: replaceField(panel, change) };
  }
}

/** Replaces the field that a change is named after, or removes it if the change has no value. */
function replaceField<T extends object>(object: T, { type, ...field }: { readonly type: keyof T }): T {
  const { [type]: _, ...rest } = object;
  return { ...rest, ...field } as T;
}

/** Replaces a summary in the list, or adds it; it keeps its place among those of its time. */
function upsertSummary(
  conversations: PanelState['conversations'],
  summary: ConversationSummary,
): PanelState['conversations'] {
  const index = conversations.findIndex(({ id }) => id === summary.id);
  const upserted = index < 0 ? [...conversations, summary] : conversations.with(index, summary);
  return upserted.sort((a, b) => b.at - a.at);
}

/** Removes a text from the composer after the host has sent or queued it. */
function dropSentText(state: PageState, text: string, queued: boolean): PageState {
  const { composer, panel } = state;
  const { asking, ...rest } = { ...state, sends: queued ? state.sends : state.sends + 1 };
  if (asking === text && composer.sending === undefined) return rest;
  const left = removeFirst(composer.text, text);
  // After editing a past message, the draft from before comes back.
  const next = { ...rest, composer: { text: composer.editing ? panel.conversation.draft + left : left } };
  // As on the host, text written since stays.
  return updateConversation(next, ({ draft, ...conversation }) => ({
    ...conversation,
    draft: draft.startsWith(text) ? draft.slice(text.length) : draft,
  }));
}

/** Sets the text the user typed. */
export function setText(state: PageState, text: string): PageState {
  const { recalledId: _, ...composer } = state.composer;
  return { ...state, composer: { ...composer, text } };
}

/** Recalls the past message before (-1) or after (1) the one in the composer; after the newest one the text is empty. */
export function recallMessage(state: PageState, step: 1 | -1): PageState {
  const messages = state.panel.conversation.turns.filter((turn) => turn.kind === 'message');
  const now = messages.findIndex(({ id }) => id === state.composer.recalledId);
  const next = (now < 0 ? messages.length : now) + step;
  const message = messages[Math.max(0, next)];
  return { ...state, composer: message ? { text: message.text, recalledId: message.id } : { text: '' } };
}

/** Puts a past message into the composer, to be edited and sent as a new one. */
export function startEditing(state: PageState, turnId: string, text: string): PageState {
  return { ...state, composer: { text, editing: turnId } };
}

/** Restores the draft from before editing. */
export function cancelEditing(state: PageState): PageState {
  return { ...state, composer: { text: state.panel.conversation.draft } };
}

/** Returns the text that the host should store as the conversation's draft. */
export function getDraft({ panel, composer }: PageState): string {
  return composer.recalledId !== undefined || composer.editing ? panel.conversation.draft : composer.text;
}

/** Marks the draft as posted to the host. */
export function markDraftPosted(state: PageState): PageState {
  return updateConversation(state, (conversation) => ({ ...conversation, draft: getDraft(state) }));
}

/** Returns the streaming reply of a conversation, if any. */
export function findStreamingReply(conversation: ConversationView): ReplyTurn | undefined {
  const last = conversation.turns.findLast((turn) => turn.kind === 'reply');
  return last?.ending === undefined ? last : undefined;
}

/** Replaces the conversation, keeping the composer's text if it is the same one. */
function replaceConversation(state: PageState, conversation: ConversationView): PageState {
  const { panel, composer } = state;
  const before = panel.conversation;
  const prepended = countPrepended(before.turns.slice(state.prepended), conversation.turns);
  const next = { ...state, panel: { ...panel, conversation }, prepended };
  if (conversation.id !== before.id) {
    const { reveal: _, asking: __, failure: ___, ...other } = next;
    return { ...other, composer: { text: conversation.draft }, opened: state.opened + 1, prepended: 0 };
  }
  if (conversation.draft === before.draft) return next;
  if (composer.recalledId !== undefined) return { ...next, composer: { text: conversation.draft } };
  if (composer.editing) {
    // Text that the host appends to the draft goes into the text being edited.
    const added = conversation.draft.startsWith(before.draft)
      ? conversation.draft.slice(before.draft.length)
      : '';
    return { ...next, composer: { ...composer, text: composer.text + added } };
  }
  // The host changed the draft: text typed since the last posted draft follows it.
  const text = composer.text.startsWith(before.draft)
    ? conversation.draft + composer.text.slice(before.draft.length)
    : // What was posted last was changed since: both stay.
      joinTexts(conversation.draft, composer.text);
  return { ...next, composer: { ...composer, text } };
}

/** Returns how many turns come before those the conversation was opened with, so that the page keeps their elements. */
function countPrepended(opened: readonly Turn[], turns: readonly Turn[]): number {
  const indexes = new Map(turns.map(({ id }, index) => [id, index]));
  // From the end: the host posts documents before the turns around them.
  const last = opened.findLastIndex(({ id }) => indexes.has(id));
  const index = indexes.get(opened[last]?.id ?? '') ?? last;
  return Math.max(0, index - last);
}

function updateConversation(
  state: PageState,
  change: (conversation: ConversationView) => ConversationView,
): PageState {
  return { ...state, panel: { ...state.panel, conversation: change(state.panel.conversation) } };
}

function updateReply(state: PageState, turnId: string, change: (reply: ReplyTurn) => ReplyTurn): PageState {
  const { turns } = state.panel.conversation;
  // Streaming replies are at the end: searching from there is fast in long conversations.
  const index = turns.findLastIndex(({ id }) => id === turnId);
  const turn = turns[index];
  if (turn?.kind !== 'reply') return state;
  return updateConversation(state, (conversation) => ({
    ...conversation,
    turns: turns.with(index, change(turn)),
  }));
}

function upsertTurn(turns: readonly Turn[], turn: Turn, before: string | undefined): readonly Turn[] {
  const index = turns.findLastIndex(({ id }) => id === turn.id);
  if (index >= 0) return turns.with(index, turn);
  const next = before === undefined ? -1 : turns.findIndex(({ id }) => id === before);
  return next < 0 ? [...turns, turn] : turns.toSpliced(next, 0, turn);
}

/** Removes the first occurrence of a part from a text. */
function removeFirst(text: string, part: string): string {
  const at = text.indexOf(part);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + part.length);
}
