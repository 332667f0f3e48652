import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import {
  exportJson,
  ImportError,
  type ImportProblem,
  importJson,
  MAX_FILE_BYTES,
} from '../../chat/export/conversationFile';
import { toFileName } from '../../chat/text/fileName';
import { baseName } from '../../chat/uploads/uploadName';
import { showError, showFeedback, showInformation } from '../base/dialogs';
import { formatBytes } from '../base/formatBytes';
import { joinSentences } from '../base/paragraph';
import type { Panel } from '../panel/panel';
import type { ForkActions } from './forkActions';
import { createLink } from './links';
import { showInert } from './markdownView';
import { formatConversation } from './markdownWords';

const { t } = vscode.l10n;

const FEEDBACK_MS = 3000;

type Import = ReturnType<typeof importJson>;

/** Exports conversations to files, the clipboard and links, and imports them from files. */
export class ExportActions {
  readonly #chat: Pick<Chat, 'openWhole' | 'load' | 'find' | 'getSummary' | 'importConversation'>;
  readonly #panel: Pick<Panel, 'open'>;
  readonly #forks: Pick<ForkActions, 'fork'>;
  /** The folder of the last file in this session. */
  #folder: vscode.Uri | undefined;

  constructor(services: {
    chat: Pick<Chat, 'openWhole' | 'load' | 'find' | 'getSummary' | 'importConversation'>;
    panel: Pick<Panel, 'open'>;
    forks: Pick<ForkActions, 'fork'>;
  }) {
    this.#chat = services.chat;
    this.#panel = services.panel;
    this.#forks = services.forks;
  }

  /** Asks for a file, writes the conversation to it and offers to open it. */
  async exportConversation(id: string): Promise<void> {
    const conversation = await this.#chat.openWhole(id);
    if (!conversation) return;
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
    const folder = this.#folder ?? workspace ?? platform.home ?? vscode.Uri.file('/');
    const uri = await vscode.window.showSaveDialog({
      title: t('Export Conversation'),
      saveLabel: t('Export'),
      defaultUri: vscode.Uri.joinPath(folder, `${toFileName(conversation.name, t('Conversation'))}.md`),
      filters: { Markdown: ['md'], JSON: ['json'] },
    });
    if (!uri || !(await this.write(id, uri))) return;
    const open = t('Open');
    const choice = await showInformation(t('Exported to {0}.', baseName(uri.path)), open);
    if (choice === open) await showInert(uri);
  }

  /**
   * Writes the conversation: JSON to a `.json` file, Markdown to any other. Resolves to whether it was
   * written.
   */
  async write(id: string, uri: vscode.Uri): Promise<boolean> {
    const conversation = await this.#chat.openWhole(id);
    if (!conversation) return false;
    const text = /\.json$/i.test(uri.path) ? exportJson(conversation) : formatConversation(conversation);
    try {
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    } catch (error) {
      void showError(t('Couldn’t write {0}. {1}', baseName(uri.path), getErrorMessage(error)));
      return false;
    }
    this.#folder = vscode.Uri.joinPath(uri, '..');
    return true;
  }

  /** Asks for an exported JSON file and opens the conversation in it. */
  async importConversation(): Promise<void> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: t('Import Conversation'),
        openLabel: t('Import'),
        filters: { JSON: ['json'] },
        ...(this.#folder && { defaultUri: this.#folder }),
      })) ?? [];
    if (uri) await this.read(uri);
  }

  /** Imports a conversation from an exported file and opens it; shows why if the file can't be read. */
  async read(uri: vscode.Uri): Promise<void> {
    let imported: Import;
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MAX_FILE_BYTES) throw new ImportError({ code: 'tooLarge' });
      const content = await vscode.workspace.fs.readFile(uri);
      await this.#chat.load();
      imported = importJson(
        content,
        (id) => (this.#chat.find(id) ?? this.#chat.getSummary(id)) !== undefined,
      );
    } catch (error) {
      const reason =
        error instanceof ImportError ? formatImportProblem(error.problem) : getErrorMessage(error);
      void showError(t('Couldn’t import {0}. {1}', baseName(uri.path), reason));
      return;
    }
    this.#chat.importConversation(imported.conversation);
    await this.#panel.open(imported.conversation.id);
    void this.#reportImport(imported);
  }

  /** Reports what was imported, and offers a fork, whose bot can read the messages. */
  async #reportImport({ conversation, copied }: Import): Promise<void> {
    const fork = t('Fork From Here');
    const choice = await showInformation(
      joinSentences(
        copied
          ? t('“{0}” already exists, so it was imported as a copy.', conversation.name)
          : t('Imported “{0}”.', conversation.name),
        t('The bot doesn’t remember its messages.'),
      ),
      fork,
    );
    if (choice === fork) await this.#forks.fork(conversation.id);
  }

  /** Copies the whole conversation to the clipboard as Markdown. */
  async copy(id: string): Promise<void> {
    const conversation = await this.#chat.openWhole(id);
    if (conversation) await vscode.env.clipboard.writeText(formatConversation(conversation));
  }

  /** Copies the last reply that isn't empty to the clipboard as Markdown. */
  async copyLastReply(id: string): Promise<void> {
    const { turns = [] } = (await this.#chat.openWhole(id)) ?? {};
    const reply = turns.findLast((turn) => turn.kind === 'reply' && turn.text !== '');
    if (reply?.kind !== 'reply') return;
    await vscode.env.clipboard.writeText(reply.text);
    showFeedback(t('Copied the last reply.'), FEEDBACK_MS);
  }

  async copyLink(id: string): Promise<void> {
    await vscode.env.clipboard.writeText(createLink(id));
  }
}

/** Formats the reason why a file can't be imported. */
function formatImportProblem(problem: ImportProblem): string {
  switch (problem.code) {
    case 'tooLarge':
      return t('It is larger than {0}.', formatBytes(MAX_FILE_BYTES));
    case 'notText':
      return t('It isn’t UTF-8 text.');
    case 'notJson':
      return t('It is not JSON: {0}', problem.detail);
    case 'notParley':
      return t('It is not a conversation that Parley exported as JSON.');
    case 'otherVersion':
      return t('It has format version {0}, which this version of Parley doesn’t support.', problem.version);
    case 'invalid':
      return t('In {0}: {1}', problem.where, problem.detail);
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
