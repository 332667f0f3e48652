import type {
  botSchema,
  composerStateSchema,
  documentProperties,
  documentStateSchema,
  endingSchema,
  forkLinkSchema,
  Infer,
  InferObject,
  InferTurn,
  messageProperties,
  noticeActionSchema,
  overflowSchema,
  queuedEditSchema,
  queuedMessageProperties,
  replyProperties,
  sendTimeSchema,
  usageSchema,
  workspaceSchema,
} from '../conversation/conversationSchemas';
import type { CodeTheme } from './codeTheme';

/** A conversation as shown by the page: plain data, ready to display. Times are in ms since the epoch. */

/** A reply's ending. A reply without one is still streaming. */
export type Ending = Infer<typeof endingSchema>;

export type Bot = Infer<typeof botSchema>;

export type Workspace = Infer<typeof workspaceSchema>;

/** An action offered for a problem; each is an intent of the page, never a command ID. */
export type ProblemAction =
  | 'retry'
  | 'showWhole'
  | 'setApiKey'
  | 'setBaseUrl'
  | 'addService'
  | 'manageServices'
  | 'changeBot'
  | 'showLog';

/** A failure in words: a sentence, the service's own message if there is one, and what to do next. */
export interface Problem {
  readonly text: string;
  /** The service's message, shown as plain text. */
  readonly detail?: string;
  readonly fields?: readonly { readonly name: string; readonly messages: readonly string[] }[];
  readonly actions: readonly ProblemAction[];
  /** Time before which `retry` is disabled and shows a countdown. */
  readonly retryAt?: number;
}

/** A message of the user. */
export type MessageTurn = InferTurn<typeof messageProperties>;

/** A document that a reply is based on. `opens`: what opening it opens; absent if it can't be opened. */
export interface Source {
  readonly name: string;
  readonly opens?: 'file' | 'link';
  /** What became of its file since the reply; `updated`: the service has a newer version. */
  readonly since?: 'changed' | 'gone' | 'updated';
  /** Its text of then is known, so that the changes can be shown. */
  readonly hasChanges?: true;
}

/** The cost of a reply, as reported by the service. */
export type Usage = Infer<typeof usageSchema>;

/** A reply of the bot. */
export interface ReplyTurn extends InferTurn<typeof replyProperties> {
  readonly problem?: Problem;
  /** Reported by some services, some time after the end. */
  readonly sources?: readonly Source[];
}

export type DocumentState = Infer<typeof documentStateSchema>;

/** Whether the bot may answer from a document. */
export type FocusState = 'included' | 'excluded';

/** A document uploaded to the conversation, or on its way. */
export interface DocumentTurn extends InferTurn<typeof documentProperties> {
  readonly problem?: Problem;
  /** The service refused the file type, but may accept it as plain text. */
  readonly offersText?: true;
  /** Whether its file can be opened. */
  readonly opens?: true;
  /** Absent if it can't be changed. */
  readonly focus?: FocusState;
}

export type Turn = MessageTurn | ReplyTurn | DocumentTurn;

export interface ConversationSummary {
  readonly id: string;
  readonly name: string;
  readonly bot: Bot;
  /** Time of the last turn. */
  readonly at: number;
  readonly streaming: boolean;
  /** A reply ended while no page showed it. */
  readonly unread: boolean;
  /** Listed before the others. */
  readonly pinned: boolean;
  /** Only listed if the filter asks for it or the search finds it. */
  readonly archived?: boolean;
  /** Absent if it was started in a window without a workspace. */
  readonly workspace?: Workspace;
}

/** A link to a fork of a conversation, or to the conversation that it was forked from. */
export type ForkLink = Infer<typeof forkLinkSchema>;

export interface ConversationView {
  readonly id: string;
  /** Empty until the first message provides a name. */
  readonly name: string;
  readonly bot?: Bot;
  readonly forkedFrom?: ForkLink;
  readonly forks?: readonly ForkLink[];
  readonly turns: readonly Turn[];
  /** Whether there are turns before these. */
  readonly earlier?: boolean;
  readonly draft: string;
  readonly composing?: ComposingView;
  readonly queue?: QueueView;
  /** Documents that only exist on the service. */
  readonly serviceDocuments?: readonly ServiceDocumentView[];
}

/** A document of the service's that wasn't uploaded here, or is an older version. */
export interface ServiceDocumentView {
  /** The service's ID. */
  readonly id: string;
  readonly name: string;
  /** The service's own word for the document's status. */
  readonly status?: string;
  /** `older`: a newer version was uploaded here later. */
  readonly origin: 'addedElsewhere' | 'older';
  /** Whether its address can be opened. */
  readonly opens?: true;
  /** Whether the service can remove it. */
  readonly removable?: true;
  /** Absent if it can't be changed. */
  readonly focus?: FocusState;
}

/** The composer's state besides its text. */
export type ComposingView = Omit<Infer<typeof composerStateSchema>, 'queuedEdit'>;

/** A message waiting to be sent. */
export interface QueuedMessageView extends InferObject<typeof queuedMessageProperties> {
  /** A window that has been closed was sending it: the service may have it. */
  readonly maybeSent?: true;
}

/** The messages waiting to be sent, in order; never empty. */
export interface QueueView {
  readonly messages: readonly QueuedMessageView[];
  /** Why the queue is paused. */
  readonly paused?: string;
  /** The condition that the first message waits for, if not a reply. */
  readonly waitsFor?: string;
  /** ID of the message being edited. */
  readonly editing?: string;
  /** Text of a queued message's editor that was not saved. */
  readonly edit?: QueuedEdit;
}

/** The text in the editor of a queued message, as far as it differs from the message. */
export type QueuedEdit = Infer<typeof queuedEditSchema>;

/** Timing of a message: as soon as the conversation's documents are ready, or immediately. */
export type SendTime = Infer<typeof sendTimeSchema>;

/** Handling of a text that is too long for one message. */
export type Overflow = Infer<typeof overflowSchema>;

/** A conversation that exists on the service but not on this machine. */
export interface ServiceConversation {
  /** The service's ID. */
  readonly id: string;
  readonly name: string;
  readonly bot: Bot;
  /** Time of creation. */
  readonly at?: number;
}

/** A message or reply that contains every word of a search. */
export interface SearchHit {
  readonly conversationId: string;
  readonly turnId: string;
  /** The conversation's name. */
  readonly name: string;
  readonly bot: Bot;
  readonly at: number;
  /** The text before the first match; it is on one line, like the text after it. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** A question like the draft that was answered before. */
export interface EarlierQuestion {
  readonly conversationId: string;
  /** ID of the message. */
  readonly turnId: string;
  readonly text: string;
  /** The name of the bot that answered. */
  readonly bot: string;
  /** When it was asked. */
  readonly at: number;
  /** The agent that asked it instead of the user; the name is empty if it isn’t known. */
  readonly agent?: string;
  /** Whether it wasn’t offered for this draft before: only then it is announced. */
  readonly isNew: boolean;
}

/** The answer to an earlier question, as Markdown. */
export interface EarlierAnswerText {
  readonly text: string;
  /** The rest is only in the conversation. */
  readonly isCut: boolean;
}

/** An action offered by a notice. */
export type NoticeAction = Infer<typeof noticeActionSchema>;

/** A notice about the conversation, shown for as long as it applies. */
export interface Notice {
  /** `storage`: can't be saved (announced at once); `otherWindow`: another window writes it; `gone`: deleted on the service; `serviceRemoved`: its service isn't set up any more; `compared`: another bot was asked too. */
  readonly kind: 'storage' | 'otherWindow' | 'gone' | 'serviceRemoved' | 'compared' | 'quota';
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/** A service that is set up. */
export interface ServiceSummary {
  readonly baseUrl: string;
  readonly name: string;
}

/** The setup that comes before the chat; the panel asks for one step at a time. */
export interface Setup {
  readonly step: 'baseUrl' | 'apiKey' | 'bot' | 'done';
  /** Host name of the service, once it is set. */
  readonly serviceHost?: string;
  readonly problem?: Problem;
}

/** A service that isn't set up, and that the user may connect to. */
export interface ServiceProposal {
  /** Host name and port, which decide where the key would go. */
  readonly host: string;
}

/** Usage from this machine in the last 30 days, as far as it is known. */
export interface QuotaEstimate {
  readonly messages: number;
  /** If the service reports what replies cost: the sum, counting one credit for each message without a report. */
  readonly credits?: number;
}

/** The font of text in chats, from VS Code's settings. */
export interface ChatFont {
  /** The window's font if absent. */
  readonly family?: string;
  /** In px. */
  readonly size: number;
}

/** How many of the workspace's documents differ from those on the service. */
export interface DocumentSyncView {
  readonly changed: number;
  readonly total: number;
  /** The branch that the workspace is on. */
  readonly branch?: string;
  /** None was ever synced from this machine: what the service has isn’t known. */
  readonly isNew?: true;
}

export interface PanelState {
  readonly setup: Setup;
  /** A service that the workspace's `.vscode/parley.json` proposes. */
  readonly proposal?: ServiceProposal;
  /** Absent if there is nothing to sync. */
  readonly documentSync?: DocumentSyncView;
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** Absent if the user is to be asked. */
  readonly overflow?: Overflow;
  readonly quota?: QuotaEstimate;
  /**
   * Name of the folder on the service that files are uploaded to: empty if none is chosen, absent if the service never
   * asked for one and none is set.
   */
  readonly uploadFolder?: string;
  /** Code is plain until the theme is known. */
  readonly codeTheme?: CodeTheme;
  readonly chatFont?: ChatFont;
  /** In the user's order; absent if there is only one. */
  readonly services?: readonly ServiceSummary[];
  /** Newest first. */
  readonly conversations: readonly ConversationSummary[];
  readonly conversation: ConversationView;
  readonly notice?: Notice;
}
