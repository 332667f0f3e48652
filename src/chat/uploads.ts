import type { UploadBody } from '../client/serviceClient';
import { ServiceError } from '../client/serviceError';
import type { Chat } from './chat';
import type { DocumentTurn } from './conversation';
import { FileChangedError, toFailure } from './failure';
import type { Service } from './service';

/** A file that was opened for upload: what is sent is what was opened, even if its path now leads elsewhere. */
export interface OpenedFile {
  /** Bytes. */
  readonly body: UploadBody;
  /** Whether the file still is what it was when it was opened. */
  unchanged(): Promise<boolean>;
  close(): Promise<void>;
}

export interface FileToUpload {
  /** The name the service gets, with an extension. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes, as the person was told. */
  readonly size: number;
  /** Where the person has it, to open it from a reply that was made from it. */
  readonly uri?: string;
  open(): Promise<OpenedFile>;
}

type Step = 'signing' | 'uploading' | 'registering';

/** What is done of one upload; Retry goes on from here. */
interface Job {
  readonly conversationId: string;
  readonly file: FileToUpload;
  turn: DocumentTurn;
  step: Step;
  signed?: { readonly url: string; readonly key: string };
  controller: AbortController;
  finished: Promise<void>;
}

const AT_ONCE = 3;

/** Puts files into conversations by the signed-URL flow, three at a time; a file that fails stops no other. */
export class Uploads {
  readonly #chat: Chat;
  readonly #connect: () => Service;
  readonly #jobs = new Map<string, Job>();
  readonly #waiting: Job[] = [];
  readonly #settled = new Map<Job, () => void>();
  #running = 0;

  constructor(chat: Chat, connect: () => Service) {
    this.#chat = chat;
    this.#connect = connect;
  }

  /** Queues a file; the promise settles, and never rejects, when it is attached, failed or cancelled. */
  add(conversationId: string, file: FileToUpload): { turnId: string; finished: Promise<void> } {
    const turn: DocumentTurn = {
      kind: 'document',
      id: crypto.randomUUID(),
      name: file.name,
      size: file.size,
      sent: 0,
      at: Date.now(),
      state: 'queued',
      ...(file.uri !== undefined && { uri: file.uri }),
    };
    const job: Job = {
      conversationId,
      file,
      turn,
      step: 'signing',
      controller: new AbortController(),
      finished: Promise.resolve(),
    };
    this.#jobs.set(turn.id, job);
    this.#chat.putDocument(conversationId, turn);
    this.#enqueue(job);
    return { turnId: turn.id, finished: job.finished };
  }

  /** Goes on from the step that failed. */
  retry(turnId: string): void {
    const job = this.#jobs.get(turnId);
    if (job?.turn.state !== 'failed') return;
    job.controller = new AbortController();
    this.#enqueue(job);
  }

  cancel(turnId: string): void {
    this.#jobs.get(turnId)?.controller.abort();
  }

  find(turnId: string): DocumentTurn | undefined {
    return this.#jobs.get(turnId)?.turn;
  }

  dispose(): void {
    for (const job of this.#jobs.values()) job.controller.abort();
  }

  #enqueue(job: Job): void {
    job.finished = new Promise((resolve) => this.#settled.set(job, resolve));
    this.#show(job, { state: 'queued', sent: 0 });
    job.controller.signal.addEventListener('abort', () => this.#leaveQueue(job), { once: true });
    this.#waiting.push(job);
    this.#next();
  }

  #leaveQueue(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    this.#settle(job, { state: 'cancelled' });
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#running++;
      void this.#run(job).finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  async #run(job: Job): Promise<void> {
    const { signal } = job.controller;
    try {
      const service = this.#connect();
      const conversationId = await this.#remoteId(job, service);
      if (job.step !== 'registering') await this.#put(job, service);
      job.step = 'registering';
      this.#show(job, { state: 'registering', sent: job.file.size });
      const key = job.signed?.key ?? '';
      const fileName = job.file.name;
      const { id: documentId } = await service.client.createDocument(
        { key, conversationId, fileName },
        signal,
      );
      this.#settle(job, { state: 'attached', documentId });
      this.#jobs.delete(job.turn.id);
    } catch (error) {
      if (signal.aborted) {
        this.#settle(job, { state: 'cancelled' });
        return;
      }
      const failure = toFailure(error, Date.now());
      this.#settle(job, { state: 'failed', failure, failedAt: job.step });
      // The service refused the key, or the file behind it: only a fresh upload can help.
      if (failure.code === 'validation') job.step = 'signing';
    }
  }

  async #remoteId(job: Job, service: Service): Promise<string> {
    if (job.step === 'signing') this.#show(job, { state: 'signing' });
    return this.#chat.ensureRemote(job.conversationId, service, job.controller.signal);
  }

  /** Signs and sends the bytes. An expired URL gets one fresh one; a store that is busy or drops gets a second try. */
  async #put(job: Job, service: Service): Promise<void> {
    const { file, controller } = job;
    const { signal } = controller;
    const opened = await file.open();
    try {
      if (opened.body.size !== file.size) throw new FileChangedError(file.name);
      for (let attempt = 1; ; attempt++) {
        if (job.step === 'signing' || !job.signed) {
          job.step = 'signing';
          this.#show(job, { state: 'signing', sent: 0 });
          const { name: fileName, contentType } = file;
          job.signed = await service.client.createSignedUpload({ fileName, contentType }, signal);
        }
        job.step = 'uploading';
        this.#show(job, { state: 'uploading', sent: 0 });
        try {
          await service.client.putFile(
            { url: job.signed.url, contentType: file.contentType, file: opened.body },
            { signal, onProgress: (sent) => this.#show(job, { state: 'uploading', sent }) },
          );
          break;
        } catch (error) {
          const expired = error instanceof ServiceError && error.status === 403;
          if (expired) delete job.signed;
          if (attempt > 1 || signal.aborted || !(expired || isPassing(error))) throw error;
        }
      }
      if (!(await opened.unchanged())) throw new FileChangedError(file.name);
    } finally {
      await opened.close();
    }
  }

  #show(job: Job, change: Partial<DocumentTurn>): void {
    const { failure: _failure, failedAt: _failedAt, ...turn } = job.turn;
    job.turn = { ...turn, ...change };
    this.#chat.putTurn(job.conversationId, job.turn);
  }

  #settle(job: Job, change: Partial<DocumentTurn>): void {
    this.#show(job, change);
    this.#settled.get(job)?.();
    this.#settled.delete(job);
  }
}

/** The store was busy or the connection broke: the same request may well succeed now. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return (
    error.code === 'unreachable' ||
    error.code === 'timeout' ||
    error.code === 'rateLimited' ||
    error.status === 503
  );
}
