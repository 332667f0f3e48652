import { ServiceError } from '../../client/serviceError';
import type { Chat } from '../conversations/chat';
import { findDocument } from '../model/conversation';
import type { DocumentTurn } from '../model/turn';
import { attach, isResponseLost, matchDocuments } from '../remote/matchDocuments';
import { readDocuments } from '../remote/readDocuments';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Service } from '../remote/service';
import type { FileToUpload } from './fileToUpload';
import { UploadJob } from './uploadJob';

const MAX_CONCURRENT_UPLOADS = 3;

/**
 * Uploads files to conversations through signed URLs, three at a time; one failure doesn't stop the others.
 */
export class UploadQueue {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;
  /** Uploads that may still continue, by the ids of their turns. */
  readonly #uploads = new Map<string, UploadJob>();
  readonly #waiting: { readonly upload: UploadJob; readonly settle: () => void }[] = [];
  /** Ids of the turns whose documents are being looked up or confirmed by the user. */
  readonly #lookingUp = new Set<string>();
  #running = 0;

  constructor(chat: Chat, remote: RemoteConversations, connect: () => Service) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
  }

  /**
   * Queues a file, which is always closed in the end. The promise never rejects; it resolves when the upload
   * is attached, failed or cancelled.
   */
  add(conversationId: string, file: FileToUpload): { turnId: string; finished: Promise<void> } {
    const upload = new UploadJob(this.#chat, this.#remote, conversationId, file);
    this.#uploads.set(upload.turn.id, upload);
    return { turnId: upload.turn.id, finished: this.#enqueueUpload(upload) };
  }

  /**
   * Continues from the step that failed; settles as `add` does. If the service may already have accepted the
   * document, looks for it first; if it isn't found, `confirmRepeat` asks the user.
   */
  async retry(turnId: string, confirmRepeat: (turn: DocumentTurn) => Promise<boolean>): Promise<void> {
    const upload = this.#uploads.get(turnId);
    if (!upload || this.#lookingUp.has(turnId)) return;
    if (isResponseLost(upload.turn)) {
      this.#lookingUp.add(turnId);
      try {
        if (await this.attachIfFound(upload.conversationId, turnId)) return;
        if (!(await confirmRepeat(upload.turn))) return;
      } finally {
        this.#lookingUp.delete(turnId);
      }
    }
    await this.#restartUpload(turnId, false);
  }

  /**
   * Looks for a document that the service may have accepted although its response was lost, and attaches it
   * if found.
   */
  async attachIfFound(conversationId: string, turnId: string): Promise<boolean> {
    const remote = this.#chat.find(conversationId)?.remote;
    if (!remote) return false;
    try {
      const service = this.#connect();
      if (service.baseUrl !== remote.baseUrl) return false;
      const documents = await readDocuments(service, this.#remote, conversationId, remote.id);
      const conversation = this.#chat.find(conversationId);
      const document = matchDocuments(conversation?.turns ?? [], documents ?? []).get(turnId);
      const turn = findDocument(conversation, turnId);
      if (!document || !turn) return false;
      this.#uploads.delete(turnId);
      this.#chat.putTurn(conversationId, attach(turn, document));
      return true;
    } catch (error) {
      // The request is in the log; on failure the user is asked instead.
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  /**
   * Sends a file whose type the service refused (a failure with reason `type`) as `NAME.txt`, `text/plain`.
   */
  async retryAsText(turnId: string): Promise<void> {
    await this.#restartUpload(turnId, true);
  }

  cancel(turnId: string): void {
    this.#uploads.get(turnId)?.cancel();
  }

  /** Returns a document's turn until it is attached or cancelled. */
  find(turnId: string): DocumentTurn | undefined {
    return this.#uploads.get(turnId)?.turn;
  }

  dispose(): void {
    for (const upload of this.#uploads.values()) upload.cancel();
  }

  async #restartUpload(turnId: string, asText: boolean): Promise<void> {
    const upload = this.#uploads.get(turnId);
    if (upload?.turn.state !== 'failed') return;
    upload.restart(asText);
    await this.#enqueueUpload(upload);
  }

  #enqueueUpload(upload: UploadJob): Promise<void> {
    return new Promise((settle) => {
      this.#waiting.push({ upload, settle });
      upload.signal.addEventListener('abort', () => void this.#removeFromQueue(upload), { once: true });
      this.#startNext();
    });
  }

  async #removeFromQueue(upload: UploadJob): Promise<void> {
    const index = this.#waiting.findIndex((each) => each.upload === upload);
    const [waiting] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!waiting) return;
    await upload.endAsCancelled();
    this.#uploads.delete(upload.turn.id);
    waiting.settle();
  }

  #startNext(): void {
    while (this.#running < MAX_CONCURRENT_UPLOADS) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      void this.#runUpload(next.upload).finally(() => {
        this.#running--;
        next.settle();
        this.#startNext();
      });
    }
  }

  async #runUpload(upload: UploadJob): Promise<void> {
    // The lease shows other windows that the upload is in progress.
    const permission = await this.#chat.acquire(upload.conversationId);
    await upload.run(this.#connect);
    await permission?.release();
    if (upload.turn.state !== 'failed') this.#uploads.delete(upload.turn.id);
  }
}
