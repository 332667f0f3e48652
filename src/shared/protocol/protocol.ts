import type { CodeTheme } from '../view/codeTheme';
import type {
  Bot,
  ChatFont,
  ComposingView,
  ConversationSummary,
  ConversationView,
  Ending,
  Notice,
  Overflow,
  PanelState,
  Problem,
  QueueView,
  QuotaEstimate,
  ServiceDocument,
  Setup,
  Turn,
} from '../view/viewModel';
import type { Exchanges } from './intents';

/** One change of the page's state. */
export type Change =
  | { readonly type: 'setup'; readonly setup: Setup }
  | { readonly type: 'sendWith'; readonly sendWith: PanelState['sendWith'] }
  | { readonly type: 'codeTheme'; readonly codeTheme: CodeTheme }
  | { readonly type: 'chatFont'; readonly chatFont: ChatFont }
  | { readonly type: 'conversations'; readonly conversations: readonly ConversationSummary[] }
  /** A conversation of the list is new or changed. */
  | { readonly type: 'summary'; readonly summary: ConversationSummary }
  | { readonly type: 'conversationGone'; readonly conversationId: string }
  /** Another conversation is shown. */
  | { readonly type: 'conversation'; readonly conversation: ConversationView }
  | { readonly type: 'title'; readonly name: string; readonly bot?: Bot }
  | { readonly type: 'forks'; readonly forks: Pick<ConversationView, 'forkedFrom' | 'forks'> }
  /** A new turn (the last one, or the one before `before`), or a replacement for the turn with its id. */
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
  /** A new text for the composer, set by the host. */
  | { readonly type: 'draft'; readonly text: string }
  /** The composer's chips and options. */
  | { readonly type: 'composing'; readonly composing: ComposingView }
  /** The messages waiting to be sent; absent if there are none. */
  | { readonly type: 'queue'; readonly queue?: QueueView }
  | { readonly type: 'serviceDocuments'; readonly documents: readonly ServiceDocument[] }
  /** Absent if the user is to be asked what to do with a long text. */
  | { readonly type: 'overflow'; readonly overflow?: Overflow }
  | { readonly type: 'quota'; readonly quota: QuotaEstimate }
  /** Absent if there is nothing to show of a folder. */
  | { readonly type: 'uploadFolder'; readonly uploadFolder?: string }
  /** Absent if there is no notice any more. */
  | { readonly type: 'notice'; readonly notice?: Notice };

/** An action of a code block. */
export type CodeAction =
  | 'copy'
  | 'insertAtCursor'
  | 'replaceSelection'
  | 'newFile'
  | 'runInTerminal'
  | 'reviewChange'
  | 'toggleWrap';

/**
 * Messages from the host to the page. After a snapshot come deltas, each with the next sequence number;
 * on a gap the page posts `ready` again.
 */
export type ToPage =
  | { readonly type: 'snapshot'; readonly seq: number; readonly state: PanelState }
  | { readonly type: 'delta'; readonly seq: number; readonly changes: readonly Change[] }
  | { readonly type: 'focusComposer' }
  /** Moves the focus to the transcript, where the arrow keys scroll. */
  | { readonly type: 'focusTranscript' }
  /** Moves the focus to the previous or next turn; the composer comes after the last one. */
  | { readonly type: 'previousTurn' }
  | { readonly type: 'nextTurn' }
  /** Opens the conversation list, with the focus in its filter. */
  | { readonly type: 'showList' }
  /** Moves the focus to the conversation's documents. */
  | { readonly type: 'showDocuments' }
  /** Opens the find widget over the transcript. */
  | { readonly type: 'find' }
  /** Opens the timeline of the transcript. */
  | { readonly type: 'showTimeline' }
  | Response
  /** An entry of a code block's context menu was chosen; the page knows which block. */
  | { readonly type: 'codeAction'; readonly action: CodeAction }
  /** Copies the selection in the transcript as Markdown. */
  | { readonly type: 'copySelection' };

/** The host's answer to a request, or one of its answers to a subscription. */
export type Response = {
  readonly [K in keyof Exchanges]: {
    readonly type: 'response';
    readonly name: K;
    /** The `requestId` or `subscriptionId`. */
    readonly id: string;
    /** Absent if the request failed. */
    readonly value?: Exchanges[K][1];
  };
}[keyof Exchanges];
