/** What the service keeps. Times are Unix seconds, as in the contract. */
export interface Conversation {
  readonly id: string;
  name: string;
  bot_id: string;
  readonly created_at: number;
}

/** A person's message, or (`machine`) a reply: its `content` is what was really streamed so far. */
export interface Message {
  readonly id: string;
  readonly conversation_id: string;
  content: string;
  readonly machine: boolean;
  failed_responding: boolean;
  readonly flagged: boolean;
  readonly is_web_search: boolean;
  readonly created_at: number;
  /** Ids of the documents that a reply was made from. */
  sources: readonly string[];
}

export interface ServiceDocument {
  readonly id: string;
  readonly conversation_id: string;
  readonly name: string;
  /** Of the stored object that holds the bytes. */
  readonly key: string;
  readonly created_at: number;
  /** Milliseconds since the epoch; before it the document is `syncing`. */
  readonly syncedAt: number;
}

/** What a signed URL was asked for. */
export interface SignedUpload {
  readonly fileName: string;
  readonly contentType: string;
}
