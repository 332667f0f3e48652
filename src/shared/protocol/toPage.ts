import type {
  Bot,
  ConversationSummary,
  ConversationView,
  Ending,
  PanelState,
  Problem,
  Turn,
} from '../view/viewModel';
import type { RequestName, ResponseTo, SubscriptionName } from './requests';

/** A field of `T` that has a new value: the change has the name of the field, and no value if the field is now absent. */
type FieldChange<T, K extends keyof T = keyof T> = { [F in K]-?: { readonly type: F } & Pick<T, F> }[K];

/** One change of the page's state. */
export type Change =
  /** In a `conversation`, another conversation is shown. */
  | FieldChange<PanelState>
  | FieldChange<ConversationView, 'composing' | 'queue' | 'serviceDocuments'>
  /** A conversation of the list is new or changed. */
  | { readonly type: 'summary'; readonly summary: ConversationSummary }
  | { readonly type: 'conversationGone'; readonly conversationId: string }
  | { readonly type: 'title'; readonly name: string; readonly bot?: Bot }
  | { readonly type: 'forks'; readonly forks: Pick<ConversationView, 'forkedFrom' | 'forks'> }
  /** A new turn (the last one, or the one before `before`), or a replacement for the turn with its ID. */
  | { readonly type: 'turn'; readonly turn: Turn; readonly before?: string }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  /** Turns that come before those the page has; `more`: there are even earlier ones. */
  | { readonly type: 'earlierTurns'; readonly turns: readonly Turn[]; readonly more: boolean }
  /** Scrolls to a turn of the conversation, now or when it arrives. */
  | { readonly type: 'revealTurn'; readonly turnId: string }
  | { readonly type: 'chunk'; readonly turnId: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly turnId: string;
      readonly ending: Ending;
      readonly problem?: Problem;
      readonly skipped?: true;
    }
  /** The host has sent or queued this text: the composer drops it, and keeps what was typed after it. */
  | { readonly type: 'sent'; readonly text: string; readonly queued?: true }
  /** The message was refused: the composer keeps its text. */
  | { readonly type: 'notSent' }
  /** A new text for the composer, set by the host, or typed or sent in another page of the conversation. */
  | { readonly type: 'draft'; readonly text: string; readonly typed?: true }
  /** The draft is on the disk. */
  | { readonly type: 'draftSaved'; readonly text: string };

/** An action of a code block. */
export type CodeAction =
  | 'copy'
  | 'insertAtCursor'
  | 'replaceSelection'
  | 'newFile'
  | 'runInTerminal'
  | 'reviewChange'
  | 'toggleWrap';

/** Moves the keyboard focus within the page. */
export type FocusMessage =
  | 'focusComposer'
  /** To the transcript, where the arrow keys scroll. */
  | 'focusTranscript'
  /** To the previous or next turn; the composer comes after the last one. */
  | 'previousTurn'
  | 'nextTurn'
  /** Opens the conversation list, with the focus in its filter. */
  | 'showList'
  /** To the conversation's documents. */
  | 'showDocuments'
  /** Opens the find widget over the transcript. */
  | 'find'
  /** Opens the timeline of the transcript. */
  | 'showTimeline';

/**
 * What the host says to the page, which trusts it. After a snapshot come deltas, each with the next sequence number; on a gap
 * the page posts `ready` again.
 */
export type ToPage =
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly state: PanelState;
      /** Another one after the extension host has restarted: then drafts are those that were on the disk. */
      readonly session?: string;
    }
  | { readonly type: 'delta'; readonly seq: number; readonly changes: readonly Change[] }
  | { [T in FocusMessage]: { readonly type: T } }[FocusMessage]
  /** An entry of a code block's context menu was chosen; the page knows which block. */
  | { readonly type: 'codeAction'; readonly action: CodeAction }
  /** Copies the selection in the transcript as Markdown. */
  | { readonly type: 'copySelection' }
  | Response;

/** The host's answer to a request, or one of its answers to a subscription. */
export type Response = {
  readonly [K in RequestName | SubscriptionName]: {
    readonly type: 'response';
    readonly name: K;
    /** The `requestId` or `subscriptionId`. */
    readonly id: string;
  } & ({ readonly value: ResponseTo<K> } | { readonly error: RequestError });
}[RequestName | SubscriptionName];

/** Why a request failed: a code, and a sentence for the user. */
export interface RequestError {
  readonly code: string;
  readonly message: string;
}
