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

/** Of an `uploadChunk`. */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * What the page asks of the host. Intents only: no command ids, no URLs to fetch; the host checks every one.
 */
export type ToHost =
  /** The page is there, or has missed a delta: it wants a snapshot. */
  | { readonly type: 'ready' }
  /** The page has the keyboard, or no longer. */
  | { readonly type: 'focused'; readonly on: boolean }
  | {
      readonly type: 'send';
      readonly conversationId: string;
      readonly text: string;
      /** Ids of the chips that go along; none where it is not the composer that sends. */
      readonly context?: readonly string[];
      /** What to do with a text that is too long for one message; else it is not sent. */
      readonly overflow?: Overflow;
      /** Whether it waits for documents that are being converted; it does unless told. */
      readonly time?: SendTime;
    }
  /** Send a queued message before all others, whatever it waits for; a reply that streams is stopped. */
  | { readonly type: 'sendQueued'; readonly conversationId: string; readonly messageId: string }
  /** A queued message is being edited and isn't sent meanwhile; without `messageId`, none is any more. */
  | { readonly type: 'editQueued'; readonly conversationId: string; readonly messageId?: string }
  /** Change a queued message's text. */
  | {
      readonly type: 'changeQueued';
      readonly conversationId: string;
      readonly messageId: string;
      readonly text: string;
    }
  | { readonly type: 'removeQueued'; readonly conversationId: string; readonly messageId: string }
  /** Move a queued message up (-1) or down (1) by one place. */
  | {
      readonly type: 'moveQueued';
      readonly conversationId: string;
      readonly messageId: string;
      readonly step: -1 | 1;
    }
  /** Send queued messages again after a pause. */
  | { readonly type: 'resumeQueue'; readonly conversationId: string }
  /** Ask what goes along with the next message. */
  | { readonly type: 'addContext'; readonly conversationId: string }
  | { readonly type: 'removeContext'; readonly conversationId: string; readonly chipId: string }
  | { readonly type: 'setWebSearch'; readonly conversationId: string; readonly on: boolean }
  /** Remember what is done with long texts; without `overflow`, ask again. */
  | { readonly type: 'setOverflow'; readonly overflow?: Overflow }
  | { readonly type: 'stop'; readonly conversationId: string }
  /** Repeat what failed: the message of a reply, or a document's upload from the step that failed. */
  | { readonly type: 'retry'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'cancelUpload'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'draft'; readonly conversationId: string; readonly text: string }
  | { readonly type: 'openConversation'; readonly conversationId: string }
  /** Which conversations has the service, those that a keyword names among them? Answered by `serviceConversations`. */
  | { readonly type: 'listService'; readonly keyword: string }
  /** Opens one of them. */
  | { readonly type: 'openFromService'; readonly remoteId: string }
  /** Shows the whole of a reply that broke off on its way. */
  | { readonly type: 'showWhole'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'renameConversation'; readonly conversationId: string }
  | { readonly type: 'changeBot'; readonly conversationId: string }
  | { readonly type: 'deleteConversation'; readonly conversationId: string }
  | { readonly type: 'pinConversation'; readonly conversationId: string; readonly pinned: boolean }
  /** Find words in what was said; answered by `searchResults`. Ends the search before it; an empty query only does that. */
  | { readonly type: 'search'; readonly query: string }
  /** Opens a conversation at one of its turns. */
  | { readonly type: 'openTurn'; readonly conversationId: string; readonly turnId: string }
  | { readonly type: 'noticeAction'; readonly conversationId: string; readonly action: NoticeAction }
  /** Pick files to upload to the conversation. */
  | { readonly type: 'attach'; readonly conversationId: string }
  /** Goes on with a document whose type the service refused, as plain text. */
  | { readonly type: 'retryAsText'; readonly conversationId: string; readonly turnId: string }
  /** Takes a document that was not attached off the list. */
  | { readonly type: 'removeDocument'; readonly conversationId: string; readonly turnId: string }
  /** Opens a document's own file. */
  | { readonly type: 'openDocument'; readonly conversationId: string; readonly turnId: string }
  /** Opens the address of a document that only the service has, after VS Code's question. */
  | { readonly type: 'openServiceDocument'; readonly conversationId: string; readonly documentId: string }
  /** Removes it from the service, after a question. */
  | { readonly type: 'removeServiceDocument'; readonly conversationId: string; readonly documentId: string }
  /** Uploads a document's file anew. */
  | { readonly type: 'updateDocument'; readonly conversationId: string; readonly turnId: string }
  | {
      readonly type: 'updateOnSave';
      readonly conversationId: string;
      readonly turnId: string;
      readonly on: boolean;
    }
  /** Upload what was dropped: files and folders that VS Code named. */
  | { readonly type: 'dropUris'; readonly conversationId: string; readonly uris: readonly string[] }
  /**
   * Upload files whose bytes follow, one file after the other: after each `uploadTaken` the next chunk, then `uploadEnd`. Ends
   * what the page had begun before. `folders`: some were left out, since a page can't read them.
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
  /** Opens one of the documents that a reply was made from. */
  | {
      readonly type: 'openSource';
      readonly conversationId: string;
      readonly turnId: string;
      readonly index: number;
    }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'replaceSelection'; readonly text: string }
  /** Puts shell commands behind the terminal's prompt; the person runs them. */
  | { readonly type: 'runInTerminal'; readonly text: string }
  /** Shows what a file of the workspace would become, to be applied or not. Without `lines` the text is the whole file. */
  | {
      readonly type: 'reviewChange';
      readonly path: string;
      readonly text: string;
      /** First and last line that the text takes the place of, from 1. */
      readonly lines?: readonly [first: number, last: number];
    }
  /** Which of these are files of the workspace? Answered by `existingPaths`. */
  | { readonly type: 'checkPaths'; readonly paths: readonly string[] }
  /** Opens a file of the workspace; lines count from 1. */
  | { readonly type: 'openFile'; readonly path: string; readonly line?: number }
  | { readonly type: 'newFile'; readonly text: string; readonly language: string };

/** One thing that changed in what a page shows. */
export type Change =
  | { readonly type: 'setup'; readonly setup: Setup }
  | { readonly type: 'sendWith'; readonly sendWith: PanelState['sendWith'] }
  | { readonly type: 'codeTheme'; readonly codeTheme: CodeTheme }
  | { readonly type: 'chatFont'; readonly chatFont: ChatFont }
  | { readonly type: 'conversations'; readonly conversations: readonly ConversationSummary[] }
  /** One of the list is new or changed. */
  | { readonly type: 'summary'; readonly summary: ConversationSummary }
  | { readonly type: 'conversationGone'; readonly conversationId: string }
  /** Another conversation is shown. */
  | { readonly type: 'conversation'; readonly conversation: ConversationView }
  | { readonly type: 'title'; readonly name: string; readonly bot?: Bot }
  /** A turn is new (the last, or the one before another), or replaces the one with its id. */
  | { readonly type: 'turn'; readonly turn: Turn; readonly before?: string }
  | { readonly type: 'turnRemoved'; readonly turnId: string }
  /** Turns from before those the page has; `more` are still to come. */
  | { readonly type: 'earlierTurns'; readonly turns: readonly Turn[]; readonly more: boolean }
  /** Bring a turn of the conversation into sight, now or when it arrives. */
  | { readonly type: 'revealTurn'; readonly turnId: string }
  | { readonly type: 'chunk'; readonly turnId: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly turnId: string;
      readonly ending: Ending;
      readonly problem?: Problem;
      readonly skipped?: true;
    }
  /** The host has this text, as a message or in the queue: the composer drops it, and keeps what was typed after it. */
  | { readonly type: 'sent'; readonly text: string; readonly queued?: true }
  /** The message was not taken: the composer keeps its text. */
  | { readonly type: 'notSent' }
  /** The composer's text, put there by the host. */
  | { readonly type: 'draft'; readonly text: string }
  /** What stands in the composer besides the text. */
  | { readonly type: 'composing'; readonly composing: ComposingView }
  /** The messages that wait to be sent; without a queue there are none. */
  | { readonly type: 'queue'; readonly queue?: QueueView }
  | { readonly type: 'serviceDocuments'; readonly documents: readonly ServiceDocument[] }
  /** Without one the person is asked what to do with a long text. */
  | { readonly type: 'overflow'; readonly overflow?: Overflow }
  | { readonly type: 'quota'; readonly quota: QuotaEstimate }
  /** Without one there is nothing to say any more. */
  | { readonly type: 'notice'; readonly notice?: Notice };

/** What can be done with a block of code. */
export type CodeAction =
  | 'copy'
  | 'insertAtCursor'
  | 'replaceSelection'
  | 'newFile'
  | 'runInTerminal'
  | 'reviewChange'
  | 'toggleWrap';

/**
 * What the host tells the page. After a snapshot come deltas, each numbered one above the message before it;
 * on a gap the page says `ready` again.
 */
export type ToPage =
  | { readonly type: 'snapshot'; readonly seq: number; readonly state: PanelState }
  | { readonly type: 'delta'; readonly seq: number; readonly changes: readonly Change[] }
  | { readonly type: 'focusComposer' }
  /** Move the keyboard to the conversation, where arrows scroll. */
  | { readonly type: 'focusTranscript' }
  /** Move the keyboard a turn up or down; past the last one is the composer. */
  | { readonly type: 'previousTurn' }
  | { readonly type: 'nextTurn' }
  /** Open the list of conversations, ready to search in. */
  | { readonly type: 'showList' }
  /** Move the keyboard to the conversation's documents. */
  | { readonly type: 'showDocuments' }
  /** The last chunk was taken, or the beginning; the rest is wanted only if it goes on. */
  | { readonly type: 'uploadTaken'; readonly uploadId: string; readonly accepted: boolean }
  /** What a search has found so far, newest conversation first. */
  | {
      readonly type: 'searchResults';
      readonly query: string;
      readonly hits: readonly SearchHit[];
      readonly done: boolean;
    }
  /** What the service has that isn't here, newest first. */
  | {
      readonly type: 'serviceConversations';
      readonly keyword: string;
      readonly conversations: readonly ServiceConversation[];
    }
  /** Of the paths that were asked about, these are files of the workspace. */
  | { readonly type: 'existingPaths'; readonly paths: readonly string[] }
  /** Chosen from the context menu of a block of code: the page knows which. */
  | { readonly type: 'codeAction'; readonly action: CodeAction }
  /** Copies what is selected in the transcript as Markdown. */
  | { readonly type: 'copySelection' };
