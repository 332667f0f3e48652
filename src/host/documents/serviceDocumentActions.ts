import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { LastDocumentError } from '../../chat/documents/focusSync';
import { findServiceDocuments, type ServiceDocument } from '../../chat/documents/serviceDocuments';
import { findDocument } from '../../chat/model/conversation';
import { toFailure } from '../../chat/model/failure';
import { confirm, showError, showWarning } from '../base/dialogs';
import { openLink } from '../base/externalLink';
import { joinSentences } from '../base/localizedText';
import { formatFailure } from '../service/failureText';

const { t } = vscode.l10n;

/** Implements the intents that apply to documents that only the service has. */
export class ServiceDocumentActions {
  readonly #services: Pick<ChatServices, 'chat' | 'serviceDocuments' | 'focusSync'>;

  constructor(services: Pick<ChatServices, 'chat' | 'serviceDocuments' | 'focusSync'>) {
    this.#services = services;
  }

  /** Opens a document's URL as a link. */
  async openDocument(id: string, documentId: string): Promise<void> {
    const { contentUrl } = this.#find(id, documentId)?.document ?? {};
    if (contentUrl !== undefined) await openLink(contentUrl);
  }

  /** Asks for confirmation, then removes an older version from the service. */
  async remove(id: string, documentId: string): Promise<void> {
    const found = this.#find(id, documentId);
    if (found?.origin !== 'older') return;
    const { name } = found.document;
    const remove = t('Remove');
    const choice = await confirm(
      t('Remove the older version of “{0}” from the service?', name),
      [t('Replies will no longer use it. The newer version stays.')],
      remove,
    );
    if (choice !== remove) return;
    try {
      if (await this.#services.serviceDocuments.removeDocument(id, documentId)) return;
      void showWarning(t('The service doesn’t support removing documents.'));
    } catch (error) {
      const reason = formatFailure(toFailure(error, Date.now()));
      void showError(joinSentences(t('Couldn’t remove “{0}”.', name), reason));
    }
  }

  /** Changes whether the bot may answer from a document that was uploaded here. */
  async setOwnIncluded(id: string, turnId: string, included: boolean): Promise<void> {
    const turn = findDocument(this.#services.chat.findConversation(id), turnId);
    if (turn?.documentId === undefined) return;
    const { documentId, name, status } = turn;
    await this.#setIncluded(id, { id: documentId, name, status }, included);
  }

  /** Changes whether the bot may answer from a document that only the service has. */
  async setIncluded(id: string, documentId: string, included: boolean): Promise<void> {
    const found = this.#find(id, documentId);
    if (found) await this.#setIncluded(id, found.document, included);
  }

  async #setIncluded(id: string, document: ServiceDocument['document'], included: boolean): Promise<void> {
    try {
      await this.#services.focusSync.setIncluded(id, document, included);
    } catch (error) {
      const { name } = document;
      if (error instanceof LastDocumentError) {
        void showWarning(t('“{0}” is the only document included in answers, so it can’t be excluded.', name));
        return;
      }
      const what = included
        ? t('Couldn’t include “{0}” in answers.', name)
        : t('Couldn’t exclude “{0}” from answers.', name);
      void showError(joinSentences(what, formatFailure(toFailure(error, Date.now()))));
    }
  }

  #find(id: string, documentId: string): ServiceDocument | undefined {
    const conversation = this.#services.chat.findConversation(id);
    if (!conversation) return undefined;
    return findServiceDocuments(conversation).find(({ document }) => document.id === documentId);
  }
}
