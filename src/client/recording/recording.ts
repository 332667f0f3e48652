/** Whose server a request went to, or a URL points to. `other`: such as the target of a redirect. */
export type OriginRole = 'api' | 'stream' | 'storage' | 'other';

/**
 * A recording of requests and answers, redacted and written as JSON (test/service/README.md: Recordings).
 * Times of exchanges are in ms since `startedAt`.
 */
export interface Recording {
  /** The version of the format. */
  readonly parleyRecording: 1;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Whether texts and names are kept; otherwise they are as many `x`. */
  readonly textsKept: boolean;
  readonly exchanges: readonly RedactedExchange[];
}

export interface RedactedExchange {
  readonly at: number;
  /** Method and path, with `{id}` for each part that isn't known from the service's interface. */
  readonly operation: string;
  readonly origin: OriginRole;
  /** Of the API: without the path of the base URL. */
  readonly path: string;
  /** Without `?`. */
  readonly query?: string;
  readonly request: RedactedContent & { readonly headers: Readonly<Record<string, string>> };
  /** Missing if there was none, for the reason in `failure`, or because the recording was stopped. */
  readonly response?: RedactedResponse;
  /** Why there is no response, or why its body broke off: the transport's error code, `aborted` or `error`. */
  readonly failure?: string;
}

/** The content of a request or response: JSON, a text, or only the number of its bytes; nothing if it is empty. */
export interface RedactedContent {
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: number;
}

export interface RedactedResponse extends RedactedContent {
  /** Time of arrival of its headers. */
  readonly at: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The content of an event stream, in the pieces in which it arrived. */
  readonly events?: readonly { readonly at: number; readonly text: string }[];
  /** Why the rest of its content isn't recorded: see `ObservedResponse`. */
  readonly incomplete?: 'closed' | 'limit' | 'stopped';
}
