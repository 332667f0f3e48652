import * as vscode from 'vscode';
import type { ConversationDocuments } from './markdownDocuments';

/**
 * The read-only file system of conversations' documents: no content provider, so that their tabs come back after a restart. Who
 * renders them is asked for when the first is read.
 */
export class ConversationFiles implements vscode.FileSystemProvider {
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #load: () => Promise<ConversationDocuments>;
  #documents: Promise<ConversationDocuments> | undefined;
  readonly onDidChangeFile = this.#changes.event;

  constructor(load: () => Promise<ConversationDocuments>) {
    this.#load = load;
  }

  /** Serves the scheme's documents from now on; a host has one who does. */
  register(scheme: string): vscode.Disposable {
    const why = vscode.l10n.t('This document follows the conversation: write in Parley’s panel.');
    const isReadonly = new vscode.MarkdownString(why);
    return vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.#loaded()).stat(uri);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#loaded()).readFile(uri);
  }

  /** Changes are told of every document that is open. */
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

  #loaded(): Promise<ConversationDocuments> {
    this.#documents ??= this.#load().then((documents) => {
      documents.onDidChangeFile((changes) => this.#changes.fire(changes));
      return documents;
    });
    return this.#documents;
  }
}
