import { ServiceError } from '../../client/serviceError';
import { sleep } from '../../client/sleep';
import { getReadiness } from '../../shared/view/documentReadiness';
import { waitForAbort } from '../base/abort';
import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import { findDocument, isReplaced } from '../model/conversation';
import type { DocumentTurn } from '../model/turn';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Connect } from '../remote/service';
import type { ConfirmedFile, FileToUpload } from './fileToUpload';
import { type FolderChoice, FolderQuestions } from './folderQuestions';
import { attach, isResponseLost, matchDocuments } from './matchDocuments';
import { readDocuments } from './readDocuments';
import { UploadJob } from './uploadJob';

const MAX_CONCURRENT_UPLOADS = 3;
/** Interval between two attempts to get a lease: less than the time after which a window counts as gone. */
const LEASE_RETRY_MS = 1000;
/** The largest file without a location that is kept in memory until a bot can use it. */
const MAX_KEPT_BYTES = 10 * 1024 * 1024;

interface KeptFile {
  readonly conversationId: string;
  readonly file: ConfirmedFile;
}

/**
 * Uploads files to conversations through signed URLs, three at a time; one failure doesn't stop the others.
 */
export class UploadQueue {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #folders: FolderQuestions;
  readonly #connect: Connect;
  /** Uploads that may still continue, by the IDs of their turns. */
  readonly #uploads = new Map<string, UploadJob>();
  readonly #waiting: { readonly upload: UploadJob; readonly settle: () => void }[] = [];
  /** IDs of the turns whose documents are being looked up or confirmed by the user. */
  readonly #lookingUp = new Set<string>();
  /** Pasted and dropped files and long messages, by the IDs of their turns: the conversion may fail. */
  readonly #kept = new Map<string, KeptFile>();
  readonly #subscription: { dispose(): void };
  /** By the IDs of conversations: how many uploads aren't over yet, and what ends the hold on the lease. */
  readonly #holds = new Map<string, { count: number; end(): Promise<void> }>();
  #running = 0;

  constructor(chat: Chat, remote: RemoteConversations, folderChoice: FolderChoice, connect: Connect) {
    this.#chat = chat;
    this.#remote = remote;
    this.#folders = new FolderQuestions(folderChoice);
    this.#connect = connect;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /**
   * Queues a file, which is always closed in the end. The promise never rejects; it resolves when the upload
   * is attached, failed or canceled. It takes the place of the upload with the ID `repeats`.
   */
  add(
    conversationId: string,
    file: ConfirmedFile,
    repeats?: string,
  ): { turnId: string; finished: Promise<void> } {
    const repeated = findDocument(this.#chat.findConversation(conversationId), repeats);
    if (repeated) this.#chat.writer.removeDocument(conversationId, repeated);
    const services = { chat: this.#chat, remote: this.#remote, folders: this.#folders };
    const upload = new UploadJob(services, conversationId, file);
    this.#uploads.set(upload.turn.id, upload);
    if (file.uri === undefined && file.opened.body.size <= MAX_KEPT_BYTES)
      this.#kept.set(upload.turn.id, { conversationId, file });
    return { turnId: upload.turn.id, finished: this.#enqueueUpload(upload) };
  }

  /**
   * Continues from the step that failed; settles as `add` does. If the service may already have accepted the
   * document, looks for it first; if it isn't found, `confirmRepeat` asks the user. Throws file system errors if it isn't known
   * what other windows wrote.
   */
  async retry(turnId: string, confirmRepeat: (turn: DocumentTurn) => Promise<boolean>): Promise<void> {
    const upload = this.#uploads.get(turnId);
    if (!upload || this.#lookingUp.has(turnId)) return;
    this.#lookingUp.add(turnId);
    try {
      // Another window may have repeated or removed it, which drops the upload.
      await this.#chat.readChanges(upload.conversationId);
      if (isResponseLost(upload.turn)) {
        if (await this.attachIfFound(upload.conversationId, turnId)) return;
        if (!this.#uploads.has(turnId) || !(await confirmRepeat(upload.turn))) return;
      }
    } finally {
      this.#lookingUp.delete(turnId);
    }
    await this.#restartUpload(turnId, false);
  }

  /**
   * Looks for a document that the service may have accepted although its response was lost, and attaches it
   * if found.
   */
  async attachIfFound(conversationId: string, turnId: string): Promise<boolean> {
    const remote = this.#chat.findConversation(conversationId)?.remote;
    if (!remote) return false;
    try {
      const service = this.#connect(remote.baseUrl);
      const documents = await readDocuments(
        service,
        { chat: this.#chat, remote: this.#remote },
        conversationId,
        remote.id,
      );
      const conversation = this.#chat.findConversation(conversationId);
      const turn = findDocument(conversation, turnId);
      const canRemove = service.capabilities.has('DELETE /documents/{id}');
      // Without it in the list, it would count as removed.
      if (documents) this.#chat.documents.setListed(conversationId, { documents, canRemove });
      // The list of documents on screen had it first.
      if (turn?.state === 'attached') return true;
      const document = matchDocuments(conversation?.turns ?? [], documents ?? []).get(turnId);
      if (!document || !turn) return false;
      this.#chat.writer.putDocument(conversationId, attach(turn, conversation?.turns ?? [], document));
      return true;
    } catch (error) {
      // The request is in the log; on failure the user is asked instead.
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  /**
   * Finds the upload of a file with the same content to a conversation: one that is there, or one whose response was lost, which
   * is looked for on the service. Throws file system errors if it isn't known what other windows did with that.
   */
  async findEarlier(conversationId: string, file: FileToUpload): Promise<DocumentTurn | undefined> {
    const found = await this.#findSameContent(conversationId, file);
    if (!found || !isResponseLost(found)) return found;
    // Another window may have repeated or removed it.
    await this.#chat.readChanges(conversationId);
    const lost = await this.#findSameContent(conversationId, file);
    if (lost && isResponseLost(lost)) await this.attachIfFound(conversationId, lost.id);
    return findDocument(this.#chat.findConversation(conversationId), lost?.id);
  }

  async #findSameContent(
    conversationId: string,
    { uri, opened }: FileToUpload,
  ): Promise<DocumentTurn | undefined> {
    const conversation = this.#chat.findConversation(conversationId);
    const documents = (conversation?.turns ?? []).filter((turn) => turn.kind === 'document');
    const ofFile = documents.filter((turn) => turn.uri === uri && turn.sha256 !== undefined);
    if (!conversation || ofFile.length === 0) return undefined;
    const sha256 = await opened.sha256();
    const { listed } = conversation;
    const isListed = ({ documentId }: DocumentTurn) =>
      !listed || listed.documents.some(({ id }) => id === documentId);
    // One that was just accepted may not be listed yet.
    const isThere = (turn: DocumentTurn) =>
      turn.state === 'attached' &&
      getReadiness(turn) !== 'failed' &&
      !isReplaced(conversation, turn.id) &&
      (getReadiness(turn) === 'pending' || isListed(turn));
    return ofFile.findLast((turn) => turn.sha256 === sha256 && (isResponseLost(turn) || isThere(turn)));
  }

  /** Returns whether to repeat an earlier upload: `confirmRepeat` asks the user if its response was lost. */
  async mayRepeat(
    conversationId: string,
    turn: DocumentTurn,
    confirmRepeat: (turn: DocumentTurn) => Promise<boolean>,
  ): Promise<boolean> {
    if (!isResponseLost(turn) || !(await confirmRepeat(turn))) return false;
    // It may have been found or repeated while the user was asked.
    const now = findDocument(this.#chat.findConversation(conversationId), turn.id);
    return !now || isResponseLost(now);
  }

  /**
   * Uploads a document that couldn't be converted again, if its file is still in memory. Resolves to whether it is.
   */
  async repeat(conversationId: string, turnId: string): Promise<boolean> {
    const { file } = this.#kept.get(turnId) ?? {};
    if (!file) return false;
    this.#kept.delete(turnId);
    const { name } = findDocument(this.#chat.findConversation(conversationId), turnId) ?? file;
    const uploadName = file.asText?.name === name ? file.asText : undefined;
    const opened = await file.reopen();
    await this.add(conversationId, { ...file, ...uploadName, opened, replaces: turnId }).finished;
    return true;
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

  /** Returns a document's turn until it is attached or canceled. */
  find(turnId: string): DocumentTurn | undefined {
    return this.#uploads.get(turnId)?.turn;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#kept.clear();
    for (const upload of this.#uploads.values()) upload.cancel();
  }

  /**
   * Drops an upload once its document is attached, also by the list of documents or another window, or is removed: a
   * retry would add it twice. Drops a kept file once a bot can use its document, or it is gone.
   */
  #handleEvent(event: ChatEvent): void {
    if (event.type === 'purged') this.#dropConversation(event.conversationId);
    if (event.type === 'turnRemoved') {
      this.#uploads.delete(event.turnId);
      this.#kept.delete(event.turnId);
    }
    if (event.type !== 'turn' || event.turn.kind !== 'document') return;
    const { id, state } = event.turn;
    if (state === 'attached') this.#uploads.delete(id);
    if (state === 'cancelled' || getReadiness(event.turn) === 'ready') this.#kept.delete(id);
  }

  #dropConversation(id: string): void {
    for (const [turnId, { conversationId }] of this.#kept) {
      if (conversationId === id) this.#kept.delete(turnId);
    }
    for (const [turnId, upload] of this.#uploads) {
      if (upload.conversationId !== id) continue;
      upload.cancel();
      this.#uploads.delete(turnId);
    }
  }

  async #restartUpload(turnId: string, asText: boolean): Promise<void> {
    const upload = this.#uploads.get(turnId);
    if (upload?.turn.state !== 'failed') return;
    upload.restart(asText);
    await this.#enqueueUpload(upload);
  }

  async #enqueueUpload(upload: UploadJob): Promise<void> {
    // The lease shows other windows that the upload isn't over, also while it waits.
    this.#hold(upload.conversationId);
    await new Promise<void>((settle) => {
      this.#waiting.push({ upload, settle });
      upload.signal.addEventListener('abort', () => void this.#removeFromQueue(upload));
      this.#startNext();
    });
    await this.#release(upload.conversationId);
  }

  async #removeFromQueue(upload: UploadJob): Promise<void> {
    const index = this.#waiting.findIndex((each) => each.upload === upload);
    const [waiting] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!waiting) return;
    this.#uploads.delete(upload.turn.id);
    await upload.endAsCancelled().catch(this.#chat.reportError);
    waiting.settle();
  }

  #startNext(): void {
    while (this.#running < MAX_CONCURRENT_UPLOADS) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      void this.#runUpload(next.upload)
        .catch(this.#chat.reportError)
        .finally(() => {
          this.#running--;
          next.settle();
          this.#startNext();
        });
    }
  }

  async #runUpload(upload: UploadJob): Promise<void> {
    try {
      await upload.run(this.#connect);
    } finally {
      if (upload.turn.state !== 'failed') this.#uploads.delete(upload.turn.id);
    }
  }

  #hold(id: string): void {
    const hold = this.#holds.get(id);
    if (hold) {
      hold.count++;
      return;
    }
    const ending = new AbortController();
    const holding = this.#holdLease(id, ending.signal).catch(this.#chat.reportError);
    const end = () => {
      ending.abort();
      return holding;
    };
    this.#holds.set(id, { count: 1, end });
  }

  async #release(id: string): Promise<void> {
    const hold = this.#holds.get(id);
    if (!hold || --hold.count > 0) return;
    this.#holds.delete(id);
    await hold.end();
  }

  /** Holds the conversation's lease until the signal aborts, as soon as no other window does. */
  async #holdLease(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const permission = await this.#chat.acquirePermission(id);
      if (permission) {
        await waitForAbort(signal, permission.lost);
        await permission.release();
      }
      if (!signal.aborted) await sleep(LEASE_RETRY_MS, signal).catch(() => undefined);
    }
  }
}
