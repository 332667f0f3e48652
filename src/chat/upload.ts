import { ServiceError } from '../client/serviceError';
import type { Chat } from './chat';
import type { DocumentTurn } from './conversation';
import { type Failure, FileChangedError, toFailure } from './failure';
import type { FileToUpload, OpenedFile } from './fileToUpload';
import type { Remote } from './remote';
import type { Service } from './service';
import type { UploadName } from './uploadName';

type Step = 'signing' | 'uploading' | 'registering';

/** ms. A service that wants more is not waited for: who waits that long should see it. */
const LONGEST_WAIT = 5 * 60_000;
const FIRST_WAIT = 2000;
const MOST_WAITS = 5;
/** ms between two reports of progress. */
const REPORT_EVERY = 100;

/** One file's way into a conversation. What is done of it stays done: it goes on from the step that failed. */
export class Upload {
  readonly #chat: Chat;
  readonly #remote: Remote;
  readonly #conversationId: string;
  readonly #file: FileToUpload;
  #turn: DocumentTurn;
  #step: Step = 'signing';
  #sentAs: UploadName;
  #signed: { readonly url: string; readonly key: string } | undefined;
  /** Held until the way ends, one way or another. */
  #opened: OpenedFile | undefined;
  #controller = new AbortController();

  constructor(chat: Chat, remote: Remote, conversationId: string, file: FileToUpload) {
    this.#chat = chat;
    this.#remote = remote;
    this.#conversationId = conversationId;
    this.#file = file;
    this.#opened = file.opened;
    this.#sentAs = file;
    this.#turn = {
      kind: 'document',
      id: crypto.randomUUID(),
      name: file.name,
      size: file.opened.body.size,
      sent: 0,
      at: Date.now(),
      state: 'queued',
      ...(file.uri !== undefined && { uri: file.uri }),
      ...(file.unsaved && { unsaved: true }),
      ...(file.replaces !== undefined && { replaces: file.replaces }),
    };
    chat.putDocument(conversationId, this.#turn);
  }

  get turn(): DocumentTurn {
    return this.#turn;
  }

  get conversationId(): string {
    return this.#conversationId;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** Makes a failed upload ready to go on; `asText` from the beginning, under its name as text. */
  restart(asText: boolean): void {
    this.#controller = new AbortController();
    if (asText && this.#file.asText) {
      this.#sentAs = this.#file.asText;
      this.#step = 'signing';
      this.#signed = undefined;
    }
    this.#show({ state: 'queued', sent: 0, name: this.#sentAs.name });
  }

  /** Goes on from where it stands. Never rejects: it ends attached, failed or cancelled. */
  async run(connect: () => Service): Promise<void> {
    try {
      const service = connect();
      if (this.#step === 'signing') this.#show({ state: 'signing' });
      const conversationId = await this.#patiently(() =>
        this.#remote.ensure(this.#conversationId, service, this.signal),
      );
      if (this.#step !== 'registering') await this.#send(service);
      this.#step = 'registering';
      const document = await this.#patiently(() => {
        this.#show({ state: 'registering', sent: this.#turn.size });
        const key = this.#signed?.key ?? '';
        const fileName = this.#sentAs.name;
        return service.client.createDocument({ key, conversationId, fileName }, this.signal);
      });
      await this.#end({ state: 'attached', ...(document && { documentId: document.id }) });
    } catch (error) {
      if (this.signal.aborted) return this.leave();
      const failure = this.#failureOf(error);
      const failedAt = this.#step;
      // The service refused the key, or the file behind it: only a fresh upload can help.
      if (failure.code === 'validation') {
        this.#step = 'signing';
        this.#signed = undefined;
      }
      await this.#end({ state: 'failed', failure, failedAt });
    }
  }

  /** Ends it as cancelled. */
  leave(): Promise<void> {
    return this.#end({ state: 'cancelled' });
  }

  async #send(service: Service): Promise<void> {
    this.#opened ??= await this.#file.reopen();
    const opened = this.#opened;
    if (!(await opened.unchanged())) throw new FileChangedError(this.#file.name);
    if (opened.body.size !== this.#turn.size) this.#show({ size: opened.body.size });
    await this.#put(service, opened);
    if (!(await opened.unchanged())) throw new FileChangedError(this.#file.name);
    this.#show({ sha256: await opened.sha256() });
  }

  /** Signs and sends the bytes. An expired URL gets one fresh one; a store that is busy or drops gets a second try. */
  async #put(service: Service, opened: OpenedFile): Promise<void> {
    let mayRenew = true;
    let mayRepeat = true;
    for (;;) {
      const { url } = await this.#signedUrl(service);
      this.#step = 'uploading';
      const upload = { url, contentType: this.#sentAs.contentType, file: opened.body };
      try {
        return await this.#patiently(() => {
          this.#show({ state: 'uploading', sent: 0 });
          const onProgress = this.#progress(opened.body.size);
          return service.client.putFile(upload, { signal: this.signal, onProgress });
        });
      } catch (error) {
        const expired = isExpired(error);
        if (expired) this.#signed = undefined;
        if (this.signal.aborted || !(expired ? mayRenew : mayRepeat && isPassing(error))) throw error;
        if (expired) mayRenew = false;
        else mayRepeat = false;
      }
    }
  }

  async #signedUrl(service: Service): Promise<{ readonly url: string }> {
    if (this.#signed) return this.#signed;
    this.#step = 'signing';
    const { name: fileName, contentType } = this.#sentAs;
    this.#signed = await this.#patiently(() => {
      this.#show({ state: 'signing', sent: 0 });
      return service.client.createSignedUpload({ fileName, contentType }, this.signal);
    });
    return this.#signed;
  }

  /** Waits as long as a service that has too much to do asks for (`Retry-After`), says so, and asks again. */
  async #patiently<T>(request: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits++) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'rateLimited' || this.signal.aborted)
          throw error;
        const pause = error.retryAfterMs ?? FIRST_WAIT * 2 ** waits;
        if (pause > LONGEST_WAIT || waits === MOST_WAITS) throw error;
        this.#show({ waitsUntil: Date.now() + pause });
        await sleep(pause, this.signal);
        this.#show({});
      }
    }
  }

  #progress(size: number): (sent: number) => void {
    let shownAt = 0;
    return (sent) => {
      const now = Date.now();
      if (now - shownAt < REPORT_EVERY && sent < size) return;
      shownAt = now;
      this.#show({ state: 'uploading', sent });
    };
  }

  #failureOf(error: unknown): Failure {
    const failure = toFailure(error, Date.now());
    const { fieldErrors = {}, status } = failure;
    const namesType = 'content_type' in fieldErrors || 'file_name' in fieldErrors;
    const refused = status === 415 || (failure.code === 'validation' && namesType);
    const offersText = refused && this.#file.asText !== undefined && this.#sentAs !== this.#file.asText;
    return offersText ? { ...failure, reason: 'type' } : failure;
  }

  async #end(change: Partial<DocumentTurn>): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
    this.#show(change);
  }

  #show(change: Partial<DocumentTurn>): void {
    const { failure: _failure, failedAt: _failedAt, waitsUntil: _waitsUntil, ...turn } = this.#turn;
    this.#turn = { ...turn, ...change };
    this.#chat.putTurn(this.#conversationId, this.#turn);
  }
}

/** What S3 says of a URL past its time, or signed by credentials past theirs. */
function isExpired(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.status === 403 || (error.status === 400 && /^ExpiredToken\b/.test(error.serviceMessage ?? ''));
}

/** The store was busy or the connection broke: the same request may well succeed now. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'unreachable' || error.code === 'timeout' || error.status === 503;
}

/** Rejects with the signal's reason where that comes first. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
