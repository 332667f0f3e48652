import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import type { DocumentVersions } from '../../chat/documents/documentVersions';
import { findSourceFiles, findSourceVersions } from '../../chat/documents/sourceFiles';
import { findBaseUrl } from '../../chat/model/conversation';
import { createFilePattern } from './changedFiles';

/** Files of sources that are watched in a conversation: those of its newest replies. */
const MAX_WATCHED = 100;

/** Time in ms after the last record of a sync or kept text until the files are looked at: a sync makes many of both. */
const QUIET_MS = 1000;

/** Knows which versions of files a service has from a sync. */
export interface SyncedVersions {
  /** Throws the file system's error. */
  findDigest(baseUrl: string, uri: vscode.Uri): Promise<string | undefined>;
  /** Calls a function when that may have changed. */
  watch(onChange: () => void): { dispose(): void };
}

interface WatchedSource {
  readonly watcher: vscode.Disposable;
  readonly lookLater: () => void;
  /** The current or last look; the next one waits for it. */
  look: Promise<void>;
}

/** Follows the files that replies were made from, while a page shows their conversation. Reads them when it is opened. */
export class ChangedSources implements vscode.Disposable {
  readonly #chat: Chat;
  readonly #versions: Pick<DocumentVersions, 'has'>;
  readonly #synced: SyncedVersions;
  readonly #onError: (error: unknown) => void;
  /** By conversation and URI. */
  readonly #watched = new Map<string, WatchedSource>();
  readonly #subscription: { dispose(): void };
  readonly #trust: vscode.Disposable;
  #syncs: { dispose(): void } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown: ReadonlySet<string> = new Set();

  constructor(
    chat: Chat,
    versions: Pick<DocumentVersions, 'has'>,
    synced: SyncedVersions,
    onError: (error: unknown) => void,
  ) {
    this.#chat = chat;
    this.#versions = versions;
    this.#synced = synced;
    this.#onError = onError;
    this.#subscription = chat.onChatEvent((event) => {
      const mayHaveNew =
        event.type === 'earlierTurns' || (event.type === 'turn' && event.turn.kind === 'reply');
      if (mayHaveNew && this.#shown.has(event.conversationId)) this.#updateWatchers();
    });
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => this.#updateWatchers());
  }

  /** Sets the conversations that are visible. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    this.#updateWatchers();
  }

  /** Looks at the watched files again, once for several calls in a row. */
  lookSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const { lookLater } of this.#watched.values()) lookLater();
    }, QUIET_MS);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#trust.dispose();
    this.#syncs?.dispose();
    clearTimeout(this.#timer);
    this.show(new Set());
  }

  #updateWatchers(): void {
    // In Restricted Mode, no file of the workspace is read.
    if (!vscode.workspace.isTrusted) return;
    const wanted = new Map<string, { conversationId: string; uri: vscode.Uri }>();
    for (const conversationId of this.#shown) {
      const conversation = this.#chat.findConversation(conversationId);
      const files = conversation ? findSourceFiles(conversation).slice(0, MAX_WATCHED) : [];
      for (const { uri } of files)
        wanted.set(`${conversationId} ${uri}`, { conversationId, uri: vscode.Uri.parse(uri, true) });
    }
    for (const [key, { watcher }] of this.#watched) {
      if (wanted.has(key)) continue;
      watcher.dispose();
      this.#watched.delete(key);
    }
    for (const [key, { conversationId, uri }] of wanted) {
      if (!this.#watched.has(key)) this.#watch(key, conversationId, uri);
    }
  }

  #watch(key: string, conversationId: string, uri: vscode.Uri): void {
    const watcher = vscode.workspace.createFileSystemWatcher(createFilePattern(uri));
    const lookLater = () => {
      watched.look = watched.look.then(() => this.#look(key, conversationId, uri)).catch(this.#onError);
    };
    const watched: WatchedSource = { watcher, lookLater, look: Promise.resolve() };
    this.#watched.set(key, watched);
    watcher.onDidChange(lookLater);
    watcher.onDidCreate(lookLater);
    watcher.onDidDelete(lookLater);
    lookLater();
  }

  #watchSyncs(): void {
    this.#syncs ??= this.#synced.watch(() => this.lookSoon());
  }

  async #look(key: string, conversationId: string, uri: vscode.Uri): Promise<void> {
    const sha256 = await readDigest(uri);
    const baseUrl = findBaseUrl(this.#chat.findConversation(conversationId));
    const synced = baseUrl === undefined ? undefined : await this.#synced.findDigest(baseUrl, uri);
    const conversation = this.#chat.findConversation(conversationId);
    if (!conversation || !this.#watched.has(key)) return;
    if (synced !== undefined) this.#watchSyncs();
    const versions = findSourceVersions(conversation, uri.toString()).filter((version) => version !== sha256);
    const known = await Promise.all(versions.map((version) => this.#versions.has(version)));
    const knownVersions = versions.filter((_, index) => known[index]);
    this.#chat.documents.setSourceState(conversationId, uri.toString(), {
      ...{ sha256, knownVersions },
      ...(synced !== undefined && { synced }),
    });
  }
}

/** Returns a file's digest; empty if it is gone. Throws the file system's error. */
async function readDigest(uri: vscode.Uri): Promise<string> {
  try {
    await vscode.workspace.fs.stat(uri);
    const file = await platform.openFile(uri);
    try {
      return await file.sha256();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
    throw error;
  }
}
