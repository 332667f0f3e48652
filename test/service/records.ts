/** What the service keeps. Times are Unix seconds, as in the contract. */
export interface Conversation {
  readonly id: string;
  name: string;
  bot_id: string;
  readonly created_at: number;
  /** What the bot may answer from. */
  document_ids: readonly string[];
}

/** A person's message, or (`machine`) a reply: its `content` is what was really streamed so far. */
export interface Message {
  readonly id: string;
  readonly conversation_id: string;
  content: string;
  readonly machine: boolean;
  failed_responding: boolean;
  flagged: boolean;
  readonly is_web_search: boolean;
  readonly created_at: number;
  /** What a reply was made from. */
  sources: readonly MessageSource[];
  usage: Usage;
}

/** The id of a document, or a source of another kind as it is answered. */
export type MessageSource = string | Readonly<Record<string, unknown>>;

export interface Usage {
  readonly tokens: number;
  readonly credits: number;
}

export type ConversionResult = 'synced' | 'sync_failed';

export interface ServiceDocument {
  readonly id: string;
  /** Of the conversation it was added to; '' without one. */
  readonly conversation_id: string;
  readonly folder_id: string | null;
  readonly name: string;
  /** Of the stored object that holds the bytes. */
  readonly key: string;
  readonly created_at: number;
  /** Milliseconds since the epoch; before it no list has the document. */
  listedAt: number;
  /** Milliseconds since the epoch; before it the document is `syncing`. */
  convertedAt: number;
  result: ConversionResult;
}

/** What a signed URL was asked for. */
export interface SignedUpload {
  readonly fileName: string;
  readonly contentType: string;
}
