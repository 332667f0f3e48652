/** How long the client waits, in ms. A stream that is merely quiet has no deadline; connecting has the transport's. */
export interface Deadlines {
  /** To the last header of an answer, redirects included. */
  readonly firstHeader: number;
  /** The same for `POST /messages`, which answers once the reply is generated. */
  readonly generatedReply: number;
  /** From the headers to the end of a JSON body. */
  readonly body: number;
  /** For a streamed upload: without a byte being taken, or from the last byte to the answer. */
  readonly quietUpload: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  firstHeader: 30_000,
  generatedReply: 60_000,
  body: 30_000,
  // The last megabytes may sit in the system's buffers while a slow line takes them.
  quietUpload: 120_000,
};

/** One signal out of the caller's and a deadline that moves; says which of them ended it. */
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

  /** Replaces the deadline by one in `ms` from now, or by none. */
  setDeadline(ms: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = ms === undefined ? undefined : setTimeout(() => this.#end('timeout'), ms);
  }

  /** Aborts what is still under way and leaves no timer or listener. */
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
