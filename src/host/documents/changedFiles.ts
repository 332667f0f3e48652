import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import {
  type Conversation,
  type DocumentTurn,
  findDocument,
  isReplaced,
} from '../../chat/model/conversation';
import { logError } from '../base/log';
import type { DocumentFiles } from './documentFiles';
import { unsavedDocument } from './editorText';

/** VS Code doesn't say when a watcher has begun: what was saved between the first look and that is found by a second one. */
const SECOND_LOOK_MS = 3000;

interface Followed {
  readonly conversationId: string;
  readonly turnId: string;
  readonly uri: vscode.Uri;
  readonly watcher: vscode.Disposable;
  secondLook?: ReturnType<typeof setTimeout>;
  /** The look that is under way or was last; the next one waits for it. */
  look: Promise<void>;
  /** Another look waits for that already. */
  waits: boolean;
  /** The file system has told of it since the last look. */
  saved: boolean;
}

/**
 * Says on a document's turn that its file has changed since it was uploaded, or is gone, while a page shows its conversation. By the
 * content: a file that was only touched has not changed.
 */
export class ChangedFiles implements vscode.Disposable {
  readonly #chat: Chat;
  readonly #files: Pick<DocumentFiles, 'updateSilently'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #followed = new Map<string, Followed>();
  readonly #listening: { dispose(): void };
  #shown: ReadonlySet<string> = new Set();

  constructor(chat: Chat, files: Pick<DocumentFiles, 'updateSilently'>, log: vscode.LogOutputChannel) {
    this.#chat = chat;
    this.#files = files;
    this.#log = log;
    this.#listening = chat.onEvent((event) => {
      const changes =
        event.type === 'earlierTurns' ||
        event.type === 'turnRemoved' ||
        (event.type === 'turn' && event.turn.kind === 'document' && event.turn.state !== 'uploading');
      if (changes && this.#shown.has(event.conversationId)) this.#follow();
    });
  }

  /** These conversations, and no others, are on screen. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    this.#follow();
  }

  dispose(): void {
    this.#listening.dispose();
    this.show(new Set());
  }

  /** Begins to follow what is there to be followed, and ends with the rest. */
  #follow(): void {
    const wanted = new Map<string, { conversationId: string; turn: DocumentTurn; uri: string }>();
    for (const conversationId of this.#shown) {
      for (const { turn, uri } of followable(this.#chat.find(conversationId))) {
        wanted.set(turn.id, { conversationId, turn, uri });
      }
    }
    for (const [turnId, { watcher, secondLook }] of this.#followed) {
      if (wanted.has(turnId)) continue;
      watcher.dispose();
      clearTimeout(secondLook);
      this.#followed.delete(turnId);
    }
    for (const [turnId, { conversationId, uri }] of wanted) {
      if (!this.#followed.has(turnId)) this.#begin(conversationId, turnId, vscode.Uri.parse(uri, true));
    }
  }

  #begin(conversationId: string, turnId: string, uri: vscode.Uri): void {
    const watcher = vscode.workspace.createFileSystemWatcher(createPattern(uri));
    const followed: Followed = {
      conversationId,
      turnId,
      uri,
      watcher,
      look: Promise.resolve(),
      waits: false,
      saved: false,
    };
    this.#followed.set(turnId, followed);
    const look = () => {
      followed.saved = true;
      this.#lookSoon(followed);
    };
    watcher.onDidChange(look);
    watcher.onDidCreate(look);
    watcher.onDidDelete(look);
    this.#lookSoon(followed);
    followed.secondLook = setTimeout(() => this.#lookSoon(followed), SECOND_LOOK_MS);
  }

  #lookSoon(followed: Followed): void {
    if (followed.waits) return;
    followed.waits = true;
    followed.look = followed.look.then(async () => {
      followed.waits = false;
      try {
        await this.#look(followed);
      } catch (error) {
        logError(this.#log, error);
      }
    });
  }

  async #look(followed: Followed): Promise<void> {
    const { conversationId, turnId, uri, saved } = followed;
    followed.saved = false;
    const turn = this.#turn(conversationId, turnId);
    if (!turn || !this.#followed.has(turnId)) return;
    const state = await readFileState(uri, turn);
    if (state === 'unknown') return;
    this.#put(conversationId, turnId, state);
    if (state !== 'changed' || !turn.updateOnSave || !this.#followed.has(turnId)) return;
    // What failed or was cancelled is not tried again by itself, but with the next save.
    const isNew = !this.#chat
      .find(conversationId)
      ?.turns.some((each) => each.kind === 'document' && each.replaces === turnId);
    if (saved || isNew) await this.#files.updateSilently(conversationId, turnId);
  }

  #put(conversationId: string, turnId: string, state: 'changed' | 'gone' | 'same'): void {
    const turn = this.#turn(conversationId, turnId);
    if (!turn || (turn.file ?? 'same') === state) return;
    const { file: _, ...rest } = turn;
    this.#chat.putTurn(conversationId, state === 'same' ? rest : { ...rest, file: state });
  }

  #turn(conversationId: string, turnId: string): DocumentTurn | undefined {
    return findDocument(this.#chat.find(conversationId), turnId);
  }
}

/** Documents that came from a file, the newest of each file: who uploaded it again knows of the older one. */
function followable(conversation: Conversation | undefined): { turn: DocumentTurn; uri: string }[] {
  const newest = new Map<string, DocumentTurn>();
  for (const turn of conversation?.turns ?? []) {
    if (turn.kind !== 'document' || turn.state !== 'attached' || turn.sha256 === undefined) continue;
    if (turn.uri === undefined || turn.uri.startsWith('untitled:')) continue;
    if (!conversation || isReplaced(conversation, turn.id)) continue;
    newest.set(turn.uri, turn);
  }
  return [...newest].map(([uri, turn]) => ({ uri, turn }));
}

async function readFileState(
  uri: vscode.Uri,
  turn: DocumentTurn,
): Promise<'changed' | 'gone' | 'same' | 'unknown'> {
  // What went up stands in an editor still, not in the file.
  if (turn.unsaved && unsavedDocument(uri)) return 'unknown';
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size !== turn.size) return 'changed';
    const file = await platform.openFile(uri);
    try {
      return (await file.sha256()) === turn.sha256 ? 'same' : 'changed';
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return 'gone';
    throw error;
  }
}

/** Exactly one file. */
function createPattern(uri: vscode.Uri): vscode.RelativePattern {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name.replace(/[*?[\]{}]/g, '[$&]'));
}
