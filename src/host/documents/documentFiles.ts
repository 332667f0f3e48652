import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import { isResponseLost } from '../../chat/documents/matchDocuments';
import type { UploadQueue } from '../../chat/documents/uploadQueue';
import { findDocument, isReplaced } from '../../chat/model/conversation';
import type { DocumentTurn } from '../../chat/model/turn';
import { getReadiness } from '../../shared/view/documentReadiness';
import { confirmAddAgain } from '../base/confirmAgain';
import { showError, showWarning } from '../base/dialogs';
import { getErrorMessage } from '../base/localizedText';
import { type Candidate, inspectFile } from '../files/candidate';
import { type ConfirmedCandidate, confirmUpdate, confirmUpload } from '../files/contentGate';
import { GitIgnore } from '../files/gitIgnore';

const { t } = vscode.l10n;

/** Returns the file if it may be uploaded, after asking the user if that is needed. */
type Confirm = (
  candidate: Candidate,
) => ConfirmedCandidate | undefined | Promise<ConfirmedCandidate | undefined>;

/** Implements the intents that apply to a conversation's documents and their files. */
export class DocumentFiles {
  readonly #chat: Chat;
  readonly #uploads: UploadQueue;
  /** IDs of turns with an update in progress. */
  readonly #updating = new Set<string>();

  constructor(chat: Chat, uploads: UploadQueue) {
    this.#chat = chat;
    this.#uploads = uploads;
  }

  /** Opens a document's file in the default editor for its type. */
  async openDocument(conversationId: string, turnId: string): Promise<void> {
    const turn = this.#find(conversationId, turnId);
    if (turn?.uri !== undefined) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(turn.uri, true));
    }
  }

  /** Removes a document with a failed or canceled upload. */
  removeDocument(conversationId: string, turnId: string): void {
    const turn = this.#find(conversationId, turnId);
    if (turn?.state !== 'failed' && turn?.state !== 'cancelled') return;
    this.#uploads.cancel(turnId);
    this.#chat.writer.removeDocument(conversationId, turn);
  }

  /**
   * Repeats an upload that failed in a window that was closed; resolves to false if the turn isn't such an
   * upload, or another window has repeated it. Throws file system errors.
   */
  async retryOrphaned(conversationId: string, turnId: string): Promise<boolean> {
    await this.#chat.readChanges(conversationId);
    const turn = this.#find(conversationId, turnId);
    if (!turn || !this.#isOrphaned(turn)) return false;
    if (isResponseLost(turn)) {
      if (await this.#uploads.attachIfFound(conversationId, turnId)) return true;
      if (turn.uri !== undefined && !(await confirmAddAgain(turn))) return true;
      // The service may have listed it while the user was asked.
      if (this.#find(conversationId, turnId)?.state === 'attached') return true;
    }
    if (turn.uri !== undefined) await this.updateDocument(conversationId, turnId);
    else showUnavailable(turn);
    return true;
  }

  setUpdateOnSave(conversationId: string, turnId: string, on: boolean): void {
    const turn = this.#find(conversationId, turnId);
    if (turn?.state !== 'attached' || turn.uri === undefined) return;
    const { updateOnSave: _, ...rest } = turn;
    this.#chat.writer.putDocument(conversationId, on ? { ...rest, updateOnSave: true } : rest);
  }

  /**
   * Uploads the current content of a document's file; the new document replaces the old one. Asks first if
   * there are concerns. A document without a file is uploaded again as it was.
   */
  async updateDocument(conversationId: string, turnId: string): Promise<void> {
    const turn = this.#find(conversationId, turnId);
    try {
      if (turn?.state === 'attached' && turn.uri === undefined) {
        if (getReadiness(turn) !== 'failed') return;
        if (!(await this.#uploads.repeat(conversationId, turnId))) showUnavailable(turn);
        return;
      }
      const confirm: Confirm = async (candidate) => (await confirmUpload({ candidates: [candidate] }))[0];
      await this.#update(conversationId, turnId, confirm, confirmAddAgain);
    } catch (error) {
      void showError(t('Couldn’t upload {0}: {1}', turn?.name ?? '', getErrorMessage(error)));
    }
  }

  /**
   * Updates a document without asking: a file that would need confirmation is not uploaded, nor is one that the
   * service may have from an earlier update. Throws the file system's error.
   */
  async updateSilently(conversationId: string, turnId: string): Promise<void> {
    await this.#update(conversationId, turnId, confirmUpdate, async () => false);
  }

  async #update(
    conversationId: string,
    turnId: string,
    confirm: Confirm,
    confirmRepeat: (turn: DocumentTurn) => Promise<boolean>,
  ): Promise<void> {
    const before = this.#find(conversationId, turnId);
    if (!before || before.uri === undefined || this.#updating.has(turnId)) return;
    if (!this.#canUpdate(conversationId, before)) return;
    this.#updating.add(turnId);
    try {
      const repeated = await this.#confirmLost(conversationId, before, confirmRepeat);
      if (!repeated) return;
      const candidate = await inspectFile(vscode.Uri.parse(before.uri, true), new GitIgnore());
      let added: ReturnType<UploadQueue['add']> | undefined;
      try {
        const agreed = await confirm(candidate);
        // Another window may update it on the same save.
        if (agreed)
          added = await this.#chat.runExclusively(conversationId, async () =>
            this.#replace(conversationId, before, agreed.file, repeated),
          );
      } finally {
        if (!added) await candidate.file.opened.close();
      }
      await added?.finished;
    } finally {
      this.#updating.delete(turnId);
    }
  }

  /**
   * Looks for earlier updates whose responses were lost; asks about those that the service doesn't list. Returns the IDs of
   * those that may be repeated; undefined if one was found, or must not be repeated.
   */
  async #confirmLost(
    conversationId: string,
    { id }: DocumentTurn,
    confirmRepeat: (turn: DocumentTurn) => Promise<boolean>,
  ): Promise<readonly string[] | undefined> {
    if (this.#findLost(conversationId, id).length === 0) return [];
    // Another window may have repeated or removed them.
    await this.#chat.readChanges(conversationId);
    const lost = this.#findLost(conversationId, id);
    for (const turn of lost) {
      if (await this.#uploads.attachIfFound(conversationId, turn.id)) return undefined;
      if (!(await this.#uploads.mayRepeat(conversationId, turn, confirmRepeat))) return undefined;
    }
    return lost.map((turn) => turn.id);
  }

  /**
   * Uploads a file in the place of a document, unless that was replaced or found in the meantime, or the response to another
   * update than `repeated` was lost.
   */
  #replace(
    conversationId: string,
    { id, state }: DocumentTurn,
    agreed: ConfirmedFile,
    repeated: readonly string[],
  ): ReturnType<UploadQueue['add']> | undefined {
    const turn = this.#find(conversationId, id);
    if (turn?.state !== state || !this.#canUpdate(conversationId, turn)) return;
    if (this.#findLost(conversationId, id).some((lost) => !repeated.includes(lost.id))) return;
    const attached = state === 'attached';
    if (attached) this.#removeAttempts(conversationId, id);
    else this.removeDocument(conversationId, id);
    const replaces = attached ? id : turn.replaces;
    const file = withPreviousType(agreed, turn);
    return this.#uploads.add(conversationId, { ...file, ...(replaces !== undefined && { replaces }) });
  }

  #canUpdate(conversationId: string, turn: DocumentTurn): boolean {
    const conversation = this.#chat.findConversation(conversationId);
    if (!conversation || isReplaced(conversation, turn.id)) return false;
    return turn.state === 'attached' || this.#isOrphaned(turn);
  }

  #isOrphaned({ id, state }: DocumentTurn): boolean {
    return state === 'failed' && !this.#uploads.find(id);
  }

  /** Removes earlier updates that failed or were canceled. */
  #removeAttempts(conversationId: string, turnId: string): void {
    for (const { id } of this.#findUpdates(conversationId, turnId)) this.removeDocument(conversationId, id);
  }

  #findLost(conversationId: string, turnId: string): DocumentTurn[] {
    return this.#findUpdates(conversationId, turnId).filter(isResponseLost);
  }

  #findUpdates(conversationId: string, turnId: string): DocumentTurn[] {
    const turns = this.#chat.findConversation(conversationId)?.turns ?? [];
    return turns.filter((turn) => turn.kind === 'document').filter(({ replaces }) => replaces === turnId);
  }

  #find(conversationId: string, turnId: string): DocumentTurn | undefined {
    return findDocument(this.#chat.findConversation(conversationId), turnId);
  }
}

/** Shows that a file that was dropped or pasted was lost with its window, or is too large to be kept. */
function showUnavailable({ name }: DocumentTurn): void {
  void showWarning(t('{0} is no longer available. Add it again.', name));
}

/** Uploads a file as text again if the service accepted it as text only. */
function withPreviousType(file: ConfirmedFile, { name }: DocumentTurn): ConfirmedFile {
  return file.asText && file.asText.name === name ? { ...file, ...file.asText } : file;
}
