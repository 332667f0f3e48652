/** The client's timeouts in ms. A silent stream has none; connecting has the transport's. */
export interface Deadlines {
  /** From the request to the last response header, including redirects. */
  readonly firstHeader: number;
  /** The same for a reply: a service may think for minutes before it answers or opens the stream. */
  readonly reply: number;
  /** From the headers to the end of a JSON body. */
  readonly body: number;
  /** For a streamed upload: without progress, or from the last byte to the response. */
  readonly quietUpload: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  firstHeader: 30_000,
  reply: 300_000,
  body: 30_000,
  // The last megabytes may be in the system's buffers while a slow connection sends them.
  quietUpload: 120_000,
};

/** Combines the caller's signal with a movable deadline, and tells which of them aborted. */
export class AbortScope {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = (): void => this.#end('aborted');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended: 'aborted' | 'timeout' | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#end('aborted');
    else caller?.addEventListener('abort', this.#onCallerAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): 'aborted' | 'timeout' | undefined {
    return this.#ended;
  }

  /** Sets the deadline to `ms` from now, or clears it. */
  setDeadline(ms: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = ms === undefined ? undefined : setTimeout(() => this.#end('timeout'), ms);
  }

  /** Aborts anything still in progress and clears timer and listener. */
  close(): void {
    this.setDeadline(undefined);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
    this.#controller.abort();
  }

  #end(how: 'aborted' | 'timeout'): void {
    this.#ended ??= how;
    this.#controller.abort();
  }
}
