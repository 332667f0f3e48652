import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import { type Conversation, findDocument, isReplaced } from '../../chat/model/conversation';
import type { DocumentTurn } from '../../chat/model/turn';
import { logError } from '../base/log';
import { findUnsavedDocument } from '../files/editorText';
import type { DocumentFiles } from './documentFiles';

/** VS Code doesn't report when a watcher has started: a second check finds what was saved before that. */
const SECOND_CHECK_MS = 3000;

interface WatchedFile {
  readonly conversationId: string;
  readonly turnId: string;
  readonly uri: vscode.Uri;
  readonly watcher: vscode.Disposable;
  secondCheck?: ReturnType<typeof setTimeout>;
  /** The current or last check; the next one waits for it. */
  check: Promise<void>;
  /** Another check is already scheduled. */
  scheduled: boolean;
  /** The file's modification time at the last check, in ms since the epoch. */
  mtime?: number;
}

/**
 * Marks a document's turn if its file has changed since it was uploaded or is gone, while a page shows its
 * conversation. Compares the content: a file with only a new modification time has not changed.
 */
export class ChangedFiles implements vscode.Disposable {
  readonly #chat: Chat;
  readonly #getFiles: () => Promise<Pick<DocumentFiles, 'updateSilently'>>;
  readonly #log: vscode.LogOutputChannel;
  readonly #watched = new Map<string, WatchedFile>();
  readonly #subscription: { dispose(): void };
  #shown: ReadonlySet<string> = new Set();

  constructor(
    chat: Chat,
    getFiles: () => Promise<Pick<DocumentFiles, 'updateSilently'>>,
    log: vscode.LogOutputChannel,
  ) {
    this.#chat = chat;
    this.#getFiles = getFiles;
    this.#log = log;
    this.#subscription = chat.onChatEvent((event) => {
      const changes =
        event.type === 'earlierTurns' ||
        event.type === 'turnRemoved' ||
        (event.type === 'turn' && event.turn.kind === 'document' && event.turn.state !== 'uploading');
      if (changes && this.#shown.has(event.conversationId)) this.#updateWatchers();
    });
  }

  /** Sets the conversations that are visible. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    this.#updateWatchers();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.show(new Set());
  }

  /** Starts watching files that aren't watched yet, and stops watching the others. */
  #updateWatchers(): void {
    const wanted = new Map<string, { conversationId: string; turn: DocumentTurn; uri: string }>();
    for (const conversationId of this.#shown) {
      for (const { turn, uri } of findWatchable(this.#chat.findConversation(conversationId))) {
        wanted.set(turn.id, { conversationId, turn, uri });
      }
    }
    for (const [turnId, { watcher, secondCheck }] of this.#watched) {
      if (wanted.has(turnId)) continue;
      watcher.dispose();
      clearTimeout(secondCheck);
      this.#watched.delete(turnId);
    }
    for (const [turnId, { conversationId, uri }] of wanted) {
      if (!this.#watched.has(turnId)) this.#watch(conversationId, turnId, vscode.Uri.parse(uri, true));
    }
  }

  #watch(conversationId: string, turnId: string, uri: vscode.Uri): void {
    const watcher = vscode.workspace.createFileSystemWatcher(createFilePattern(uri));
    const watchedFile: WatchedFile = {
      conversationId,
      turnId,
      uri,
      watcher,
      check: Promise.resolve(),
      scheduled: false,
    };
    this.#watched.set(turnId, watchedFile);
    const onFileEvent = () => this.#scheduleCheck(watchedFile);
    watcher.onDidChange(onFileEvent);
    watcher.onDidCreate(onFileEvent);
    watcher.onDidDelete(onFileEvent);
    this.#scheduleCheck(watchedFile);
    watchedFile.secondCheck = setTimeout(() => this.#scheduleCheck(watchedFile), SECOND_CHECK_MS);
  }

  #scheduleCheck(watchedFile: WatchedFile): void {
    if (watchedFile.scheduled) return;
    watchedFile.scheduled = true;
    watchedFile.check = watchedFile.check.then(async () => {
      watchedFile.scheduled = false;
      try {
        await this.#check(watchedFile);
      } catch (error) {
        logError(this.#log, error);
      }
    });
  }

  async #check(watchedFile: WatchedFile): Promise<void> {
    const { conversationId, turnId, uri, mtime: previousMtime } = watchedFile;
    const turn = this.#findTurn(conversationId, turnId);
    if (!turn || this.#watched.get(turnId) !== watchedFile) return;
    // The uploaded text is still in an unsaved editor, not in the file.
    const isUnsaved = turn.unsaved && findUnsavedDocument(uri);
    const { state, mtime } = await readFileState(uri, turn);
    // The conversation may have been hidden in the meantime.
    if (this.#watched.get(turnId) !== watchedFile) return;
    if (mtime !== undefined) watchedFile.mtime = mtime;
    if (isUnsaved) return;
    this.#setFileState(conversationId, turnId, state);
    if (state !== 'changed' || !this.#findTurn(conversationId, turnId)?.updateOnSave) return;
    // A failed or canceled update is not repeated automatically, but with the next save, unless the service may have it.
    const isNew = !this.#chat
      .findConversation(conversationId)
      ?.turns.some((other) => other.kind === 'document' && other.replaces === turnId);
    // One save can have several events.
    const isSaved = previousMtime !== undefined && mtime !== previousMtime;
    if (isSaved || isNew) await (await this.#getFiles()).updateSilently(conversationId, turnId);
  }

  #setFileState(conversationId: string, turnId: string, state: 'changed' | 'gone' | 'same'): void {
    const turn = this.#findTurn(conversationId, turnId);
    if (!turn || (turn.file ?? 'same') === state) return;
    const { file: _, ...rest } = turn;
    this.#chat.writer.putDocument(conversationId, state === 'same' ? rest : { ...rest, file: state });
  }

  #findTurn(conversationId: string, turnId: string): DocumentTurn | undefined {
    return findDocument(this.#chat.findConversation(conversationId), turnId);
  }
}

/** Returns the documents that were uploaded from a file, the newest of each file only. */
function findWatchable(conversation: Conversation | undefined): { turn: DocumentTurn; uri: string }[] {
  const newest = new Map<string, DocumentTurn>();
  for (const turn of conversation?.turns ?? []) {
    if (turn.kind !== 'document' || turn.state !== 'attached' || turn.sha256 === undefined) continue;
    if (turn.uri === undefined || turn.uri.startsWith('untitled:')) continue;
    newest.set(turn.uri, turn);
  }
  return [...newest].flatMap(([uri, turn]) =>
    conversation && isReplaced(conversation, turn.id) ? [] : [{ uri, turn }],
  );
}

/** Compares a file with its document; `mtime` is in ms since the epoch. Throws the file system's error. */
async function readFileState(
  uri: vscode.Uri,
  turn: DocumentTurn,
): Promise<{ readonly state: 'changed' | 'gone' | 'same'; readonly mtime?: number }> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    if (size !== turn.size) return { state: 'changed', mtime };
    const file = await platform.openFile(uri);
    try {
      return { state: (await file.sha256()) === turn.sha256 ? 'same' : 'changed', mtime };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return { state: 'gone' };
    throw error;
  }
}

/** Creates a pattern that matches exactly one file. */
export function createFilePattern(uri: vscode.Uri): vscode.RelativePattern {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name.replace(/[*?[\]{}]/g, '[$&]'));
}
