import type { CodeTheme } from './codeTheme';
import type {
  Bot,
  ChatFont,
  ComposingView,
  ConversationSummary,
  ConversationView,
  Ending,
  Notice,
  NoticeAction,
  Overflow,
  PanelState,
  Problem,
  QueueView,
  QuotaEstimate,
  SearchHit,
  SendTime,
  ServiceConversation,
  ServiceDocument,
  Setup,
  Turn,
} from './viewModel';

/** Maximum size of the bytes in an `uploadChunk`. */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/** What the page asks of the host. Only intents: no command ids and no URLs to fetch; the host checks each one. */
export type ToHost =
  /** The page has loaded or has missed a delta, and needs a snapshot. */
  | { readonly type: 'ready' }
  /** The page got or lost the keyboard focus. */
  | { readonly type: 'focused'; readonly on: boolean }
  | {
      readonly type: 'send';
      readonly conversationId: string;
      readonly text: string;
      /** Ids of the chips to include; absent if the message doesn't come from the composer. */
      readonly context?: readonly string[];
      /** What to do with a text that is too long for one message; without it such a text isn't sent. */
      readonly overflow?: Overflow;
      /** Whether to wait for documents that are being converted; `ready` by default. */
      readonly time?: SendTime;
    }
  /** Sends a queued message before all others, whatever it waits for, and stops a streaming reply. */
  | { readonly type: 'sendQueued'; readonly conversationId: string; readonly messageId: string }
  /** Starts editing a queued message, which isn't sent meanwhile; without `messageId`, ends editing. */
  | { readonly type: 'editQueued'; readonly conversationId: string; readonly messageId?: string }
  /** Changes the text of a queued message. */
  | {
      readonly type: 'changeQueued';
      readonly conversationId: string;
      readonly messageId: string;
      readonly text: string;
    }
  | { readonly type: 'removeQueued'; readonly conversationId: string; readonly messageId: string }
  /** Moves a queued message up (-1) or down (1) by one place. */
  | {
      readonly type: 'moveQueued';
      readonly conversationId: string;
      readonly messageId: string;
      readonly step: -1 | 1;
    }
  /** Resumes a paused queue. */
  | { readonly type: 'resumeQueue'; readonly conversationId: string }
  /** Asks the user what to add to the next message. */
  | { readonly type: 'addContext'; readonly conversationId: string }
  | { readonly type: 'removeContext'; readonly conversationId: string; readonly chipId: string }
  | { readonly type: 'setWebSearch'; readonly conversationId: string; readonly on: boolean }
  /** Saves what to do with long texts; without `overflow`, the user is asked again. */
  | { readonly type: 'setOverflow'; readonly overflow?: Overflow }
  | { readonly type: 'stop'; readonly conversationId: string }
  /** Retries what failed: the message of a reply, or a document's upload from the step that failed. */
  | { readonly type: 'retry'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'cancelUpload'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'draft'; readonly conversationId: string; readonly text: string }
  | { readonly type: 'openConversation'; readonly conversationId: string }
  /** Requests the service's conversations that match a keyword; answered by `serviceConversations`. */
  | { readonly type: 'listService'; readonly keyword: string }
  /** Opens a conversation of the service. */
  | { readonly type: 'openFromService'; readonly remoteId: string }
  /** Fetches the whole of a reply that was interrupted. */
  | { readonly type: 'showWhole'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'renameConversation'; readonly conversationId: string }
  | { readonly type: 'changeBot'; readonly conversationId: string }
  | { readonly type: 'deleteConversation'; readonly conversationId: string }
  | { readonly type: 'pinConversation'; readonly conversationId: string; readonly pinned: boolean }
  /** Searches turns for words; answered by `searchResults`. Ends the previous search; an empty query does only that. */
  | { readonly type: 'search'; readonly query: string }
  /** Opens a conversation at a turn. */
  | { readonly type: 'openTurn'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'noticeAction'; readonly conversationId: string; readonly action: NoticeAction }
  /** Lets the user pick files to upload to the conversation. */
  | { readonly type: 'attach'; readonly conversationId: string }
  /** Uploads a document as plain text after the service refused its type. */
  | { readonly type: 'retryAsText'; readonly conversationId: string; readonly turnId: string }
  /** Removes a document that wasn't attached from the list. */
  | { readonly type: 'removeDocument'; readonly conversationId: string; readonly turnId: string }
  /** Opens the file of a document. */
  | { readonly type: 'openDocument'; readonly conversationId: string; readonly turnId: string }
  /** Opens the address of a document that only the service has, after VS Code's confirmation. */
  | { readonly type: 'openServiceDocument'; readonly conversationId: string; readonly documentId: string }
  /** Removes such a document from the service, after a confirmation. */
  | { readonly type: 'removeServiceDocument'; readonly conversationId: string; readonly documentId: string }
  /** Uploads the file of a document again. */
  | { readonly type: 'updateDocument'; readonly conversationId: string; readonly turnId: string }
  | {
      readonly type: 'updateOnSave';
      readonly conversationId: string;
      readonly turnId: string;
      readonly on: boolean;
    }
  /** Changes whether the bot may answer from a document. */
  | {
      readonly type: 'includeDocument';
      readonly conversationId: string;
      readonly turnId: string;
      readonly on: boolean;
    }
  | {
      readonly type: 'includeServiceDocument';
      readonly conversationId: string;
      readonly documentId: string;
      readonly on: boolean;
    }
  /** Uploads dropped files and folders, given by VS Code as URIs. */
  | { readonly type: 'dropUris'; readonly conversationId: string; readonly uris: readonly string[] }
  /**
   * Starts an upload of files whose bytes follow, file by file: a chunk after each `uploadTaken`, then `uploadEnd`. Ends an
   * earlier upload of the page. `folders`: folders were left out, because a page can't read them.
   */
  | {
      readonly type: 'uploadBegin';
      readonly conversationId: string;
      readonly uploadId: string;
      readonly files: readonly { readonly name: string; readonly size: number }[];
      readonly folders: boolean;
    }
  | { readonly type: 'uploadChunk'; readonly uploadId: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'uploadEnd'; readonly uploadId: string }
  | { readonly type: 'setBaseUrl' }
  | { readonly type: 'setApiKey' }
  | { readonly type: 'chooseBot' }
  | { readonly type: 'showLog' }
  | { readonly type: 'openLink'; readonly href: string }
  /** Opens one of a reply's sources. */
  | {
      readonly type: 'openSource';
      readonly conversationId: string;
      readonly turnId: string;
      readonly index: number;
    }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'replaceSelection'; readonly text: string }
  /** Inserts shell commands at the terminal's prompt without running them. */
  | { readonly type: 'runInTerminal'; readonly text: string }
  /** Shows a change to a workspace file for review. Without `lines`, the text is the whole file. */
  | {
      readonly type: 'reviewChange';
      readonly path: string;
      readonly text: string;
      /** First and last line to replace, from 1. */
      readonly lines?: readonly [first: number, last: number];
    }
  /** Asks which of these are files of the workspace; answered by `existingPaths`. */
  | { readonly type: 'checkPaths'; readonly paths: readonly string[] }
  /** Opens a file of the workspace; lines count from 1. */
  | { readonly type: 'openFile'; readonly path: string; readonly line?: number }
  | { readonly type: 'newFile'; readonly text: string; readonly language: string };

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
  /** The start or the last chunk of an upload was received; the rest is only needed if `accepted`. */
  | { readonly type: 'uploadTaken'; readonly uploadId: string; readonly accepted: boolean }
  /** What a search has found so far, newest conversation first. */
  | {
      readonly type: 'searchResults';
      readonly query: string;
      readonly hits: readonly SearchHit[];
      readonly done: boolean;
    }
  /** Conversations of the service that aren't stored here, newest first. */
  | {
      readonly type: 'serviceConversations';
      readonly keyword: string;
      readonly conversations: readonly ServiceConversation[];
    }
  /** The files of the workspace among the paths in `checkPaths`. */
  | { readonly type: 'existingPaths'; readonly paths: readonly string[] }
  /** An entry of a code block's context menu was chosen; the page knows which block. */
  | { readonly type: 'codeAction'; readonly action: CodeAction }
  /** Copies the selection in the transcript as Markdown. */
  | { readonly type: 'copySelection' };
