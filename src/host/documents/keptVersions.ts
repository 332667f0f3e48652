import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { type DocumentVersions, MAX_VERSION_BYTES } from '../../chat/documents/documentVersions';
import { baseName } from '../../chat/documents/uploadName';
import { findReply } from '../../chat/model/conversation';
import type { DocumentTurn } from '../../chat/model/turn';
import { hashBytes } from '../platform/openBytes';

const { t } = vscode.l10n;

/** Documents with the text that was uploaded. */
const SCHEME = 'parley-version';

/** Keeps the texts of files that are uploaded, and shows what has changed since. */
export class KeptVersions implements vscode.Disposable {
  readonly #chat: Chat;
  readonly #versions: DocumentVersions;
  readonly #onKept: () => void;
  readonly #onError: (error: unknown) => void;
  #provider: vscode.Disposable | undefined;

  /** `onKept` is called each time a text has been kept. */
  constructor(chat: Chat, versions: DocumentVersions, onKept: () => void, onError: (error: unknown) => void) {
    this.#chat = chat;
    this.#versions = versions;
    this.#onKept = onKept;
    this.#onError = onError;
  }

  /** Keeps the text of a document's file, if it was sent as saved. */
  async keepTurn({ uri, sha256, size, unsaved }: DocumentTurn): Promise<void> {
    if (uri === undefined || sha256 === undefined || unsaved || size > MAX_VERSION_BYTES) return;
    await this.keep(vscode.Uri.parse(uri, true), sha256);
  }

  /** Keeps the text of a file that was just uploaded, if it is still that. */
  async keep(uri: vscode.Uri, sha256: string): Promise<void> {
    try {
      if (await this.#versions.has(sha256)) return;
      if ((await vscode.workspace.fs.stat(uri)).size > MAX_VERSION_BYTES) return;
      const bytes = new Uint8Array(await vscode.workspace.fs.readFile(uri));
      if ((await hashBytes(bytes)) !== sha256) return;
      await this.#versions.keep(sha256, bytes);
      this.#onKept();
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) this.#onError(error);
    }
  }

  /** Shows the file of a source as it was when the reply was made, beside how it is now. */
  async showChanges(conversationId: string, turnId: string, index: number): Promise<void> {
    const reply = findReply(this.#chat.findConversation(conversationId), turnId);
    const source = reply?.sources?.[index];
    const file = reply?.sourceFiles?.find(({ id }) => id === source?.id);
    if (!file || !(await this.#versions.has(file.sha256))) return;
    this.#provider ??= vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => this.#versions.read(uri.query),
    });
    const now = vscode.Uri.parse(file.uri, true);
    // With the file's own path, for its language.
    const then = vscode.Uri.from({ scheme: SCHEME, path: now.path, query: file.sha256 });
    await vscode.commands.executeCommand(
      'vscode.diff',
      then,
      now,
      t('{0} (then and now)', baseName(now.path)),
    );
  }

  dispose(): void {
    this.#provider?.dispose();
  }
}
