/** The service's records. Times are Unix seconds, as in the contract. */
export interface Conversation {
  readonly id: string;
  /** '' for one that the service opened itself and didn't name. */
  name: string;
  bot_id: string;
  readonly created_at: number;
  /** The documents that the bot may use. */
  document_ids: readonly string[];
}

/** A user's message, or (`machine`) a reply, which has the `content` streamed so far. */
export interface Message {
  readonly id: string;
  readonly conversation_id: string;
  content: string;
  readonly machine: boolean;
  failed_responding: boolean;
  flagged: boolean;
  readonly is_web_search: boolean;
  readonly created_at: number;
  /** The sources of a reply. */
  sources: readonly MessageSource[];
  usage: Usage;
}

/** The id of a document, or a source of another kind in its response format. */
export type MessageSource = string | Readonly<Record<string, unknown>>;

export interface Usage {
  readonly tokens: number;
  readonly credits: number;
}

export type ConversionResult = 'synced' | 'sync_failed';

export interface ServiceDocument {
  readonly id: string;
  /** The id of its conversation; '' without one. */
  readonly conversation_id: string;
  readonly folder_id: string | null;
  readonly name: string;
  /** The key of the stored object with the bytes. */
  readonly key: string;
  readonly created_at: number;
  /** Milliseconds since the epoch; lists don't contain the document before. */
  listedAt: number;
  /** Milliseconds since the epoch; the document is `syncing` before. */
  convertedAt: number;
  result: ConversionResult;
}

/** What documents lie in. Folders can't be deleted. */
export interface Folder {
  readonly id: string;
  name: string;
  readonly created_at: number;
}

/** The parameters of a request for a signed URL. */
export interface SignedUpload {
  readonly fileName: string;
  readonly contentType: string;
}
