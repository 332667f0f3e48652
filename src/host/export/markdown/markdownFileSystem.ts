import * as vscode from 'vscode';
import type { ConversationDocuments } from './markdownDocuments';

/**
 * The read-only file system of the conversations' documents. It isn't a content provider, so that their tabs
 * are restored after a restart. The renderer is loaded when the first document is read.
 */
export class ConversationFiles implements vscode.FileSystemProvider {
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #load: () => Promise<ConversationDocuments>;
  #documents: Promise<ConversationDocuments> | undefined;
  readonly onDidChangeFile = this.#changes.event;

  constructor(load: () => Promise<ConversationDocuments>) {
    this.#load = load;
  }

  /** Registers the file system; there can be only one per extension host. */
  register(scheme: string): vscode.Disposable {
    const reason = vscode.l10n.t(
      'This document is generated from a conversation. Write messages in the Parley panel.',
    );
    const isReadonly = new vscode.MarkdownString(reason);
    return vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.#getDocuments()).stat(uri);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#getDocuments()).readFile(uri);
  }

  /** Change events are fired for all open documents, watched or not. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #getDocuments(): Promise<ConversationDocuments> {
    this.#documents ??= this.#load().then((documents) => {
      documents.onDidChangeFile((changes) => this.#changes.fire(changes));
      return documents;
    });
    return this.#documents;
  }
}
