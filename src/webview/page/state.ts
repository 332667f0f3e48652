import type { Change } from '../../shared/protocol';
import type { ConversationView, PanelState, ReplyTurn, Turn } from '../../shared/viewModel';

/** What the page shows: its replica of the host's state, and what only the page knows. */
export interface PageState {
  /** `panel.conversation.draft` is the draft as the host has it. */
  readonly panel: PanelState;
  readonly composer: Composer;
  /** Counts the messages the host sent for this page at once. */
  readonly sends: number;
  /** A message on its way to the host that did not come from the composer. */
  readonly asking?: string;
  /** How many of the conversation's turns were put before those it came with. */
  readonly prepended: number;
  /** The turn to bring into sight; a new object each time, which waits for a turn that is still to come. */
  readonly reveal?: { readonly turnId: string };
}

export interface Composer {
  /** What stands in the text box; runs ahead of the host's draft while a person types. */
  readonly text: string;
  /** The text on its way to the host; no other is sent meanwhile. */
  readonly sending?: string;
  /** The text is this past message as it was said, a look back; typing makes it a draft. */
  readonly recalledId?: string;
  /** The text began as a past message; the host's draft waits for its turn meanwhile. */
  readonly editing?: true;
}

/** The state of a page that has just got its first snapshot. */
export function createPageState(panel: PanelState): PageState {
  return { panel, composer: { text: panel.conversation.draft }, sends: 0, prepended: 0 };
}

/** A snapshot replaces the replica; what a person typed and the host doesn't know yet stays. */
export function applySnapshot(state: PageState, panel: PanelState): PageState {
  const { conversation } = state.panel;
  const next = replaceConversation({ ...state, panel: { ...panel, conversation } }, panel.conversation);
  // Whether a message under way was taken shows in the snapshot: nothing more will be said of it.
  const { sending: _, ...composer } = next.composer;
  const { asking: __, ...rest } = next;
  return { ...rest, composer, prepended: 0 };
}

/** The state after one change: new objects only for what changed. */
export function applyChange(state: PageState, change: Change): PageState {
  const { panel } = state;
  switch (change.type) {
    case 'setup':
      return { ...state, panel: { ...panel, setup: change.setup } };
    case 'sendWith':
      return { ...state, panel: { ...panel, sendWith: change.sendWith } };
    case 'codeTheme':
      return { ...state, panel: { ...panel, codeTheme: change.codeTheme } };
    case 'chatFont':
      return { ...state, panel: { ...panel, chatFont: change.chatFont } };
    case 'conversations':
      return { ...state, panel: { ...panel, conversations: change.conversations } };
    case 'summary': {
      const others = panel.conversations.filter(({ id }) => id !== change.summary.id);
      const conversations = [...others, change.summary].sort((a, b) => b.at - a.at);
      return { ...state, panel: { ...panel, conversations } };
    }
    case 'conversationGone': {
      const conversations = panel.conversations.filter(({ id }) => id !== change.conversationId);
      return { ...state, panel: { ...panel, conversations } };
    }
    case 'conversation':
      return replaceConversation(state, change.conversation);
    case 'title': {
      const { name, bot } = change;
      return updateConversation(state, (conversation) => ({ ...conversation, name, ...(bot && { bot }) }));
    }
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
      return {
        ...updateConversation(state, (conversation) => ({
          ...conversation,
          turns: [...turns, ...conversation.turns],
          earlier: more,
        })),
        prepended: state.prepended + turns.length,
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
    case 'draft':
      return replaceConversation(state, { ...panel.conversation, draft: change.text });
    case 'composing':
      return updateConversation(state, (conversation) => ({ ...conversation, composing: change.composing }));
    case 'serviceDocuments':
      return updateConversation(state, (conversation) => ({
        ...conversation,
        serviceDocuments: change.documents,
      }));
    case 'queue':
      return updateConversation(state, ({ queue: _, ...conversation }) => ({
        ...conversation,
        ...(change.queue && { queue: change.queue }),
      }));
    case 'overflow': {
      const { overflow: _, ...rest } = panel;
      return { ...state, panel: { ...rest, ...(change.overflow && { overflow: change.overflow }) } };
    }
    case 'quota':
      return { ...state, panel: { ...panel, quota: change.quota } };
    case 'notice': {
      const { notice: _, ...rest } = panel;
      return { ...state, panel: { ...rest, ...(change.notice && { notice: change.notice }) } };
    }
  }
}

/** The host has made a message of a text, or queued it. */
function dropSentText(state: PageState, text: string, queued: boolean): PageState {
  const { composer, panel } = state;
  const { asking, ...rest } = { ...state, sends: queued ? state.sends : state.sends + 1 };
  if (asking === text && composer.sending === undefined) return rest;
  const left = removeFirst(composer.text, text);
  // What stood there before a past message was edited comes back.
  const next = { ...rest, composer: { text: composer.editing ? panel.conversation.draft + left : left } };
  // As the host does: what was written since stays.
  return updateConversation(next, ({ draft, ...conversation }) => ({
    ...conversation,
    draft: draft.startsWith(text) ? draft.slice(text.length) : draft,
  }));
}

/** What a person typed. */
export function setText(state: PageState, text: string): PageState {
  const { recalledId: _, ...composer } = state.composer;
  return { ...state, composer: { ...composer, text } };
}

/** The past message before (-1) or after (1) the one in the composer, or before all that was said; beyond the newest, nothing. */
export function recallMessage(state: PageState, step: 1 | -1): PageState {
  const messages = state.panel.conversation.turns.filter((turn) => turn.kind === 'message');
  const now = messages.findIndex(({ id }) => id === state.composer.recalledId);
  const next = (now < 0 ? messages.length : now) + step;
  const message = messages[Math.max(0, next)];
  return { ...state, composer: message ? { text: message.text, recalledId: message.id } : { text: '' } };
}

/** A past message is in the composer, to be changed and sent as a new one. */
export function startEditing(state: PageState, text: string): PageState {
  return { ...state, composer: { text, editing: true } };
}

/** The draft that stood there before. */
export function cancelEditing(state: PageState): PageState {
  return { ...state, composer: { text: state.panel.conversation.draft } };
}

/** What the host is to keep as the conversation's draft. */
export function getDraft({ panel, composer }: PageState): string {
  return composer.recalledId !== undefined || composer.editing ? panel.conversation.draft : composer.text;
}

/** The host has been told what stands in the composer. */
export function markDraftPosted(state: PageState): PageState {
  return updateConversation(state, (conversation) => ({ ...conversation, draft: getDraft(state) }));
}

/** The reply that streams in the conversation shown, if any. */
export function findStreamingReply(conversation: ConversationView): ReplyTurn | undefined {
  const last = conversation.turns.findLast((turn) => turn.kind === 'reply');
  return last?.ending === undefined ? last : undefined;
}

/** Shows a conversation as the host has it. */
function replaceConversation(state: PageState, conversation: ConversationView): PageState {
  const { panel, composer } = state;
  const next = { ...state, panel: { ...panel, conversation } };
  const before = panel.conversation;
  if (conversation.id !== before.id) {
    const { reveal: _, ...rest } = next;
    const { asking: __, ...other } = rest;
    return { ...other, composer: { text: conversation.draft }, prepended: 0 };
  }
  if (conversation.draft === before.draft) return next;
  if (composer.recalledId !== undefined) return { ...next, composer: { text: conversation.draft } };
  if (composer.editing) {
    // What the host puts in is wanted in what is being written.
    const added = conversation.draft.startsWith(before.draft)
      ? conversation.draft.slice(before.draft.length)
      : '';
    return { ...next, composer: { ...composer, text: composer.text + added } };
  }
  // The host changed the draft itself: what was typed since it last heard of it goes on behind.
  const since = composer.text.startsWith(before.draft) ? composer.text.slice(before.draft.length) : '';
  return { ...next, composer: { ...composer, text: conversation.draft + since } };
}

function updateConversation(
  state: PageState,
  change: (conversation: ConversationView) => ConversationView,
): PageState {
  return { ...state, panel: { ...state.panel, conversation: change(state.panel.conversation) } };
}

function updateReply(state: PageState, turnId: string, change: (reply: ReplyTurn) => ReplyTurn): PageState {
  const { turns } = state.panel.conversation;
  // Replies that stream are at the end, so the search is short in a long conversation.
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

/** Text without the first occurrence of a part. */
function removeFirst(text: string, part: string): string {
  const at = text.indexOf(part);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + part.length);
}
