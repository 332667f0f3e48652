import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import type { Chat } from '../conversations/chat';
import { findBaseUrl } from '../model/conversation';
import { type Failure, FileChangedError, toFailure } from '../model/failure';
import type { DocumentTurn, UploadStep } from '../model/turn';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Connect, Service } from '../remote/service';
import { MAX_CONVERSION_MS } from './documentStatus';
import type { ConfirmedFile, OpenedFile } from './fileToUpload';
import { type FolderQuestions, isFolderRefused } from './folderQuestions';
import { attach, findListedBefore, PENDING } from './matchDocuments';
import type { UploadName } from './uploadName';
import { MAX_PAUSE_MS, runWithinRateLimit } from './withinRateLimit';

/** Minimum interval between two progress reports. */
const PROGRESS_INTERVAL_MS = 100;

/** The upload of one file to a conversation. A retry continues from the step that failed. */
export class UploadJob {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #folders: FolderQuestions;
  readonly #conversationId: string;
  readonly #file: ConfirmedFile;
  #turn: DocumentTurn;
  #step: UploadStep = 'signing';
  #uploadName: UploadName;
  #signed: { readonly url: string; readonly key: string } | undefined;
  /** Kept open until the upload ends. */
  #openedFile: OpenedFile | undefined;
  /** Number of questions for a folder that had been dismissed when the upload was queued. */
  #dismissals: number;
  #controller = new AbortController();

  constructor(
    { chat, remote, folders }: { chat: Chat; remote: RemoteConversations; folders: FolderQuestions },
    conversationId: string,
    file: ConfirmedFile,
  ) {
    this.#chat = chat;
    this.#remote = remote;
    this.#folders = folders;
    this.#dismissals = folders.dismissals;
    this.#conversationId = conversationId;
    this.#file = file;
    this.#openedFile = file.opened;
    this.#uploadName = file;
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
      ...(file.via && { via: file.via }),
    };
    chat.addDocument(conversationId, this.#turn);
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

  /** Prepares a failed upload to run again; `asText` starts from the beginning with its name as text. */
  restart(asText: boolean): void {
    this.#controller = new AbortController();
    this.#dismissals = this.#folders.dismissals;
    if (asText && this.#file.asText) {
      this.#uploadName = this.#file.asText;
      this.#step = 'signing';
      this.#signed = undefined;
    }
    this.#forgetAcceptance();
    this.#updateTurn({ state: 'queued', sent: 0, name: this.#uploadName.name });
  }

  /**
   * Runs the remaining steps; the upload ends as attached, failed or canceled. Rejects only if its file can't be
   * closed.
   */
  async run(connect: Connect): Promise<void> {
    await this.#endUpload(await this.#runSteps(connect));
  }

  /** Runs the remaining steps; resolves to how the upload ended. */
  async #runSteps(connect: Connect): Promise<Partial<DocumentTurn>> {
    try {
      const service = connect(findBaseUrl(this.#chat.findConversation(this.#conversationId)));
      if (this.#step === 'signing') this.#updateTurn({ state: 'signing' });
      const conversationId = await this.#runWithinRateLimit(service, () =>
        this.#remote.ensureCreated(this.#conversationId, service, this.signal),
      );
      if (this.#step !== 'registering') await this.#sendFile(service);
      this.#step = 'registering';
      const document = await this.#register(service, conversationId);
      const { turns = [] } = this.#chat.findConversation(this.#conversationId) ?? {};
      // Its status is pending if it can be looked up later.
      const canList = service.capabilities.has('GET /documents');
      return attach(this.#turn, turns, document ?? { ...(canList && { status: PENDING }) });
    } catch (error) {
      const failure = this.#toFailure(error);
      // Refused, or canceled before it was sent again: the service can't have the document.
      if (failure.maySend || !(error instanceof ServiceError)) this.#forgetAcceptance();
      if (this.signal.aborted) return { state: 'cancelled' };
      const failedAt = this.#step;
      // The service refused the key or the file behind it: only a new upload can help.
      if (failure.code === 'validation' && failure.reason !== 'folder') {
        this.#step = 'signing';
        this.#signed = undefined;
      }
      return { state: 'failed', failure, failedAt };
    }
  }

  /** Ends the upload as canceled. */
  endAsCancelled(): Promise<void> {
    return this.#endUpload({ state: 'cancelled' });
  }

  async #sendFile(service: Service): Promise<void> {
    this.#openedFile ??= await this.#file.reopen();
    const opened = this.#openedFile;
    if (!(await opened.unchanged())) throw new FileChangedError(this.#file.name);
    if (opened.body.size !== this.#turn.size) this.#updateTurn({ size: opened.body.size });
    await this.#sendBytes(service, opened);
    if (!(await opened.unchanged())) throw new FileChangedError(this.#file.name);
    this.#updateTurn({ sha256: await opened.sha256() });
  }

  /** Sends the file to a signed URL. Renews an expired URL once, and retries once after a passing failure. */
  async #sendBytes(service: Service, opened: OpenedFile): Promise<void> {
    let mayRenew = true;
    let mayRepeat = true;
    for (;;) {
      const { url } = await this.#getSignedUrl(service);
      this.#step = 'uploading';
      const upload = { url, contentType: this.#uploadName.contentType, file: opened.body };
      try {
        return await this.#runWithinRateLimit(undefined, () => {
          this.#updateTurn({ state: 'uploading', sent: 0 });
          const onProgress = this.#createProgressHandler(opened.body.size);
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

  /** Adds the uploaded file to the conversation, in the folder that the user chose if the service needs one. */
  async #register(service: Service, conversationId: string): Promise<Document | undefined> {
    let folderId = this.#folders.getFolderId(service.baseUrl);
    for (;;) {
      try {
        return await this.#runWithinRateLimit(service, async () => {
          const acceptedAt = service.client.clock.toServiceTime(Date.now());
          const { documents = [] } = this.#chat.findConversation(this.#conversationId)?.listed ?? {};
          const listedBefore = findListedBefore(this.#uploadName.name, documents);
          this.#updateTurn({
            state: 'registering',
            sent: this.#turn.size,
            acceptedAt,
            ...(listedBefore.length > 0 && { listedBefore }),
          });
          // After a crash it must be known that the service may have the document.
          await this.#chat.whenSaved(this.#conversationId).catch(() => undefined);
          // If the deletion is undone, the upload counts as canceled.
          if (!this.#chat.findConversation(this.#conversationId)) this.cancel();
          const key = this.#signed?.key ?? '';
          const fileName = this.#uploadName.name;
          return service.client.createDocument({ key, conversationId, fileName, folderId }, this.signal);
        });
      } catch (error) {
        if (!isFolderRefused(error)) throw error;
        // While the question is open, the document isn't there.
        this.#forgetAcceptance();
        this.#updateTurn({});
        folderId = await this.#folders.replaceFolder(service, folderId, this.#dismissals, this.signal);
        if (folderId === undefined) throw error;
      }
    }
  }

  async #getSignedUrl(service: Service): Promise<{ readonly url: string }> {
    if (this.#signed) return this.#signed;
    this.#step = 'signing';
    const { name: fileName, contentType } = this.#uploadName;
    this.#signed = await this.#runWithinRateLimit(service, () => {
      this.#updateTurn({ state: 'signing', sent: 0 });
      return service.client.createSignedUpload({ fileName, contentType }, this.signal);
    });
    return this.#signed;
  }

  /**
   * Waits for rate limits before and between attempts, and shows until when. `service` limits the request; undefined for the
   * storage, which has no such limit.
   */
  #runWithinRateLimit<T>(service: Service | undefined, request: () => Promise<T>): Promise<T> {
    return runWithinRateLimit(service, request, {
      signal: this.signal,
      // The service refuses documents while others are being converted, however long that takes
      // (docs/service.md: POST /documents/file).
      maxWaitMs: () => (this.#step === 'registering' ? MAX_CONVERSION_MS : MAX_PAUSE_MS),
      onWait: (waitsUntil) => this.#updateTurn(waitsUntil === undefined ? {} : { waitsUntil }),
    });
  }

  #createProgressHandler(size: number): (sent: number) => void {
    let shownAt = 0;
    return (sent) => {
      const now = Date.now();
      if (now - shownAt < PROGRESS_INTERVAL_MS && sent < size) return;
      shownAt = now;
      this.#updateTurn({ state: 'uploading', sent });
    };
  }

  #toFailure(error: unknown): Failure {
    const failure = toFailure(error, Date.now());
    if (isFolderRefused(error)) return { ...failure, reason: 'folder' };
    const { fieldErrors = {}, status } = failure;
    const namesType = 'content_type' in fieldErrors || 'file_name' in fieldErrors;
    const refused = status === 415 || namesType;
    const offersText = refused && this.#file.asText !== undefined && this.#uploadName !== this.#file.asText;
    return offersText ? { ...failure, reason: 'type' } : failure;
  }

  #forgetAcceptance(): void {
    const { acceptedAt: _, listedBefore: __, ...turn } = this.#turn;
    this.#turn = turn;
  }

  async #endUpload(change: Partial<DocumentTurn>): Promise<void> {
    const opened = this.#openedFile;
    this.#openedFile = undefined;
    try {
      await opened?.close();
    } finally {
      this.#updateTurn(change);
    }
  }

  #updateTurn(change: Partial<DocumentTurn>): void {
    const { failure: _failure, failedAt: _failedAt, waitsUntil: _waitsUntil, ...turn } = this.#turn;
    this.#turn = { ...turn, ...change };
    this.#chat.writer.putDocument(this.#conversationId, this.#turn);
  }
}

/** Returns whether S3 reports an expired URL or expired credentials. */
export function isExpired(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.status === 403 || (error.status === 400 && /^ExpiredToken\b/.test(error.serviceMessage ?? ''));
}

/** Returns whether the storage was busy or the connection broke, so that the same request may succeed now. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'unreachable' || error.code === 'timeout' || error.status === 503;
}
