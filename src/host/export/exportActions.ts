import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import { baseName } from '../../chat/documents/uploadName';
import {
  exportJson,
  ImportError,
  type ImportProblem,
  importJson,
  MAX_FILE_BYTES,
} from '../../chat/export/conversationFile';
import type { Conversation } from '../../chat/model/conversation';
import { toFileName } from '../../chat/text/fileName';
import { pickOne, showError, showFeedback, showInformation, withProgress } from '../base/dialogs';
import { formatBytes, getErrorMessage, joinSentences, plural } from '../base/localizedText';
import { createLink } from '../conversations/links';
import type { ForkActions } from '../forks/forkActions';
import type { Panel } from '../panel/panel';
import { formatConversation, formatConversationAsHtml } from './markdown/formatConversation';
import { showInert } from './markdown/markdownView';

const { t } = vscode.l10n;

const FEEDBACK_MS = 3000;

type Import = ReturnType<typeof importJson>;
const HTML_FILE = /\.html?$/i;

/** The format of an exported file, by its extension. */
type Extension = 'md' | 'html' | 'json';

type ExportedChat = Pick<
  Chat,
  | 'openConversation'
  | 'openWhole'
  | 'readConversation'
  | 'load'
  | 'findConversation'
  | 'getSummary'
  | 'getUsedIds'
  | 'importConversation'
>;

/** Exports conversations to files, the clipboard and links, and imports them from files. */
export class ExportActions {
  readonly #chat: ExportedChat;
  readonly #panel: Pick<Panel, 'showConversation'>;
  readonly #forks: Pick<ForkActions, 'fork'>;
  /** The folder of the last file in this session. */
  #folder: vscode.Uri | undefined;

  constructor(services: {
    chat: ExportedChat;
    panel: Pick<Panel, 'showConversation'>;
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
    const uri = await vscode.window.showSaveDialog({
      title: t('Export Conversation'),
      saveLabel: t('Export'),
      defaultUri: vscode.Uri.joinPath(
        this.#getFolder(),
        `${toFileName(conversation.name, t('Conversation'))}.md`,
      ),
      filters: { Markdown: ['md'], HTML: ['html'], JSON: ['json'] },
    });
    if (!uri || !(await this.write(id, uri))) return;
    const open = t('Open');
    const choice = await showInformation(t('Exported to {0}.', baseName(uri.path)), open);
    if (choice === open) await openExported(uri);
  }

  /** Asks for a format and a folder, and writes each conversation to a file in it; overwrites nothing. */
  async exportConversations(ids: readonly string[]): Promise<void> {
    await this.#chat.load();
    const existing = ids.filter((id) => this.#chat.getSummary(id));
    const [first] = existing;
    if (first === undefined) return;
    if (existing.length === 1) return this.exportConversation(first);
    const title = plural(existing.length, 'Export {0} Conversation', 'Export {0} Conversations');
    const formats: (vscode.QuickPickItem & { readonly extension: Extension })[] = [
      { label: 'Markdown', extension: 'md' },
      { label: 'HTML', extension: 'html' },
      { label: 'JSON', extension: 'json' },
    ];
    const format = await pickOne(formats, { title, placeHolder: t('Select a format') });
    if (!format) return;
    const [folder] =
      (await vscode.window.showOpenDialog({
        title,
        openLabel: t('Export'),
        canSelectFiles: false,
        canSelectFolders: true,
        defaultUri: this.#getFolder(),
      })) ?? [];
    if (!folder) return;
    const progress = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
    const count = await withProgress(progress, ({ report }, token) =>
      this.writeAll(existing, folder, format.extension, (increment) => {
        report({ increment });
        return !token.isCancellationRequested;
      }),
    );
    if (count > 0) {
      void showInformation(
        plural(
          count,
          'Exported {0} conversation to {1}.',
          'Exported {0} conversations to {1}.',
          baseName(folder.path),
        ),
      );
    }
  }

  /**
   * Writes conversations to new files of a folder until `onProgress`, which gets the percentage of each, returns false.
   * Resolves to the number of files.
   */
  async writeAll(
    ids: readonly string[],
    folder: vscode.Uri,
    extension: Extension,
    onProgress: (increment: number) => boolean = () => true,
  ): Promise<number> {
    let names: Set<string>;
    try {
      names = await listNames(folder);
    } catch (error) {
      // A file in it could be overwritten.
      void showError(t('Couldn’t read {0}. {1}', baseName(folder.path), getErrorMessage(error)));
      return 0;
    }
    let count = 0;
    for (const id of ids) {
      if (!onProgress(100 / ids.length)) break;
      const conversation = await this.#chat.readConversation(id);
      if (!conversation) continue;
      const name = toFileName(conversation.name, t('Conversation'));
      const uri = vscode.Uri.joinPath(folder, addUniqueName(names, name, extension));
      if (!(await this.#writeFile(conversation, uri))) break;
      count++;
    }
    this.#folder = folder;
    return count;
  }

  /**
   * Writes the conversation: JSON to a `.json` file, HTML to a `.html` file, Markdown to any other. Resolves to whether
   * it was written.
   */
  async write(id: string, uri: vscode.Uri): Promise<boolean> {
    const conversation = await this.#chat.openWhole(id);
    if (!conversation) return false;
    if (!(await this.#writeFile(conversation, uri))) return false;
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
      const usedIds = await this.#chat.getUsedIds();
      imported = importJson(content, (id) => usedIds.has(id));
    } catch (error) {
      const reason =
        error instanceof ImportError ? formatImportProblem(error.problem) : getErrorMessage(error);
      void showError(t('Couldn’t import {0}. {1}', baseName(uri.path), reason));
      return;
    }
    this.#chat.importConversation(imported.conversation);
    await this.#panel.showConversation(imported.conversation.id);
    void this.#reportImport(imported);
  }

  /** Reports what was imported, and offers a fork, whose bot can read the messages. */
  async #reportImport({ conversation, copied }: Import): Promise<void> {
    const fork = t('Fork from Here');
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
    const conversation = await this.#chat.openConversation(id);
    if (conversation) await vscode.env.clipboard.writeText(createLink(conversation));
  }

  /** Copies a link to a turn; without one, to the last message or reply. */
  async copyMessageLink(id: string, turnId?: string): Promise<void> {
    const conversation = await this.#chat.openWhole(id);
    const last = conversation?.turns.findLast(({ kind }) => kind !== 'document')?.id;
    if (!conversation || last === undefined) return;
    await vscode.env.clipboard.writeText(createLink(conversation, turnId ?? last));
    showFeedback(t('Copied the link.'), FEEDBACK_MS);
  }

  #getFolder(): vscode.Uri {
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
    return this.#folder ?? workspace ?? platform.home ?? vscode.Uri.file('/');
  }

  /** Shows the error and resolves to false if the file can't be written. */
  async #writeFile(conversation: Conversation, uri: vscode.Uri): Promise<boolean> {
    try {
      const text = await formatFor(uri, conversation);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      return true;
    } catch (error) {
      void showError(t('Couldn’t write {0}. {1}', baseName(uri.path), getErrorMessage(error)));
      return false;
    }
  }
}

async function formatFor({ path }: vscode.Uri, conversation: Conversation): Promise<string> {
  if (/\.json$/i.test(path)) return exportJson(conversation);
  // Another machine can open only what is on a service.
  const { remote } = conversation;
  const url = remote && !remote.gone ? createLink(conversation) : undefined;
  return HTML_FILE.test(path)
    ? formatConversationAsHtml(conversation, url)
    : formatConversation(conversation, url);
}

/** Opens HTML in the browser if the file is on this machine; anything else in an editor. */
async function openExported(uri: vscode.Uri): Promise<void> {
  const isLocal = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  if (isLocal && HTML_FILE.test(uri.path)) await vscode.env.openExternal(uri);
  else await showInert(uri);
}

/** Returns the names of a folder's files. */
async function listNames(folder: vscode.Uri): Promise<Set<string>> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  return new Set(entries.map(([name]) => foldName(name)));
}

/**
 * Returns the same text for names that a file system may not tell apart: some ignore case, and how a letter with an
 * accent is encoded. Names that differ nowhere may get the same text, too.
 */
function foldName(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
}

/** Adds the first free name such as `Plans.md`, `Plans (2).md`. */
function addUniqueName(names: Set<string>, name: string, extension: Extension): string {
  for (let number = 1; ; number++) {
    const unique = number === 1 ? `${name}.${extension}` : `${name} (${number}).${extension}`;
    if (names.has(foldName(unique))) continue;
    names.add(foldName(unique));
    return unique;
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
      return t('It uses format version {0}, which this version of Parley doesn’t support.', problem.version);
    case 'invalid':
      return t('In {0}: {1}', problem.where, problem.detail);
  }
}
