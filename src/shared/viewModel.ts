import type { CodeTheme } from './codeTheme';
import type { ContextChip } from './message';

/** What the page shows of a conversation: plain data, ready to read. Times are ms since the epoch. */

/** How a reply ended. A reply without an ending is still streaming. */
export type Ending = 'complete' | 'stopped' | 'interrupted' | 'failed';

export interface Bot {
  readonly id: string;
  readonly name: string;
}

/** What a person can do about a problem; each is an intent of the page, never a command id. */
export type ProblemAction = 'retry' | 'showWhole' | 'setApiKey' | 'setBaseUrl' | 'changeBot' | 'showLog';

/** A failure in words: a sentence, the service's own message where it gave one, and what to do next. */
export interface Problem {
  readonly text: string;
  /** The service's message, shown as plain text. */
  readonly detail?: string;
  readonly fields?: readonly { readonly name: string; readonly messages: readonly string[] }[];
  readonly actions: readonly ProblemAction[];
  /** Before this time `retry` waits, with a visible countdown. */
  readonly retryAt?: number;
}

/** What the person said. */
export interface MessageTurn {
  readonly kind: 'message';
  readonly id: string;
  readonly text: string;
  readonly at: number;
  /** Sent with web search: its reply comes whole. */
  readonly webSearch?: true;
}

/** A document that a reply was made from, and what opening it opens; without `opens` it can't be opened. */
export interface Source {
  readonly name: string;
  readonly opens?: 'file' | 'link';
}

/** What a reply cost, as far as the service tells. */
export interface Usage {
  readonly tokens?: number;
  readonly credits?: number;
}

/** What the bot answers. */
export interface ReplyTurn {
  readonly kind: 'reply';
  readonly id: string;
  readonly bot: string;
  readonly text: string;
  readonly at: number;
  readonly ending?: Ending;
  readonly problem?: Problem;
  /** Parts of the stream could not be read and were left out. */
  readonly skipped?: true;
  /** Known some time after the end, where the service tells. */
  readonly sources?: readonly Source[];
  /** Known with the sources. */
  readonly usage?: Usage;
  /** The bot was asked to search the web. */
  readonly webSearch?: true;
}

export type DocumentState =
  | 'queued'
  | 'signing'
  | 'uploading'
  | 'registering'
  | 'attached'
  | 'failed'
  | 'cancelled';

/** A file on its way into the conversation. */
export interface DocumentTurn {
  readonly kind: 'document';
  readonly id: string;
  /** The name the service knows it by. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes sent so far, while uploading. */
  readonly sent: number;
  readonly at: number;
  readonly state: DocumentState;
  /** The service asked to wait: it goes on by itself at this time. */
  readonly waitsUntil?: number;
  /** What stood in an editor, which was not saved. */
  readonly unsaved?: true;
  readonly problem?: Problem;
  /** The service refuses its type, and may take it as plain text. */
  readonly offersText?: true;
  /** The service's own word for how it is, such as `syncing`. */
  readonly status?: string;
  /** Its file can be opened. */
  readonly opens?: true;
  /** What has become of its file since it was uploaded. */
  readonly file?: 'changed' | 'gone';
  /** Uploaded anew whenever its file has changed. */
  readonly updateOnSave?: true;
  /** Id of the document whose place it takes. */
  readonly replaces?: string;
}

export type Turn = MessageTurn | ReplyTurn | DocumentTurn;

export interface ConversationSummary {
  readonly id: string;
  readonly name: string;
  readonly bot: Bot;
  /** Time of the last turn. */
  readonly at: number;
  readonly streaming: boolean;
  /** A reply ended here while no page showed it. */
  readonly unread: boolean;
  /** Listed before the others. */
  readonly pinned: boolean;
}

export interface ConversationView {
  readonly id: string;
  /** Empty until the first message names it. */
  readonly name: string;
  readonly bot?: Bot;
  readonly turns: readonly Turn[];
  /** Turns from before these are still to come. */
  readonly earlier?: boolean;
  readonly draft: string;
  readonly composing?: ComposingView;
  readonly queue?: QueueView;
  /** Documents that only the service has. */
  readonly serviceDocuments?: readonly ServiceDocument[];
}

/** A document that the service has besides those that were uploaded here. */
export interface ServiceDocument {
  /** The service's. */
  readonly id: string;
  readonly name: string;
  /** The service's own word for how it is. */
  readonly status?: string;
  /** `older`: a newer version was uploaded here since. */
  readonly origin: 'elsewhere' | 'older';
  /** Its address can be opened. */
  readonly opens?: true;
  /** The service can remove it. */
  readonly removable?: true;
}

/** What stands in the composer besides the text. */
export interface ComposingView {
  readonly context: readonly ContextChip[];
  readonly webSearch: boolean;
}

/** A message that waits to be sent. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  readonly context: readonly ContextChip[];
  readonly webSearch?: true;
  /** A window that is gone was sending it: the service may have it. */
  readonly maybeSent?: true;
}

/** The messages that wait, in the order in which they are sent; at least one. */
export interface QueueView {
  readonly messages: readonly QueuedMessage[];
  /** Why nothing is sent until the person resumes it. */
  readonly paused?: string;
  /** What the first message waits for, where that is no reply. */
  readonly waitsFor?: string;
  /** Id of the message that is being edited. */
  readonly editing?: string;
}

/** When a message is sent: as soon as the conversation's documents are ready, or without them. */
export type SendTime = 'ready' | 'now';

/** What is done with a text that is too long for one message. */
export type Overflow = 'document' | 'split';

/** A conversation that the service has and this machine doesn't. */
export interface ServiceConversation {
  /** The service's. */
  readonly id: string;
  readonly name: string;
  readonly bot: Bot;
  /** When it was made. */
  readonly at?: number;
}

/** A message or reply in which every word of a search occurs. */
export interface SearchHit {
  readonly conversationId: string;
  readonly turnId: string;
  /** Of the conversation. */
  readonly name: string;
  readonly bot: Bot;
  readonly at: number;
  /** What stands around the first word found, on one line. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** What a person can do about a notice. */
export type NoticeAction = 'takeOver' | 'startAnew' | 'tryAgain' | 'showLog';

/** What the person should know about the conversation shown, for as long as it holds. */
export interface Notice {
  /** `storage`: it can't be saved, which is spoken at once; `elsewhere`: another window writes it; `gone`: the service has it no longer. */
  readonly kind: 'storage' | 'elsewhere' | 'gone' | 'quota';
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/** What stands between a person and the chat; the panel asks for one thing at a time. */
export interface Setup {
  readonly step: 'baseUrl' | 'apiKey' | 'bot' | 'done';
  /** Host name of the service, once there is one. */
  readonly serviceHost?: string;
  readonly problem?: Problem;
}

/** What was used from here in the last 30 days, as far as is known. */
export interface QuotaEstimate {
  readonly messages: number;
  /** Where the service tells what replies cost: those, and one for each message of which it doesn't. */
  readonly credits?: number;
}

/** What VS Code's settings say of text in chats. */
export interface ChatFont {
  /** Without one it is the window's. */
  readonly family?: string;
  /** px. */
  readonly size: number;
}

export interface PanelState {
  readonly setup: Setup;
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** Without one the person is asked. */
  readonly overflow?: Overflow;
  readonly quota?: QuotaEstimate;
  /** Code is plain until this is known. */
  readonly codeTheme?: CodeTheme;
  readonly chatFont?: ChatFont;
  /** Newest first. */
  readonly conversations: readonly ConversationSummary[];
  readonly conversation: ConversationView;
  readonly notice?: Notice;
}
