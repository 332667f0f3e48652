import * as vscode from 'vscode';
import { type LineChange, moveLine } from '../../chat/reviews/findingLines';
import type { Finding } from '../../chat/reviews/findings';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { toInertLines, toInertText } from '../base/inertText';
import { setComment } from '../base/inertUi';
import { Context } from '../base/names';
import type { FindingState } from './reviewMemory';

const { t } = vscode.l10n;

/** A finding with the place that it was found to be about. */
export interface PlacedFinding {
  readonly finding: Finding;
  /** Its index in the reply. */
  readonly index: number;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  readonly endLine: number;
  readonly state: FindingState;
}

interface ShownFinding {
  readonly conversationId: string;
  readonly index: number;
  readonly thread: vscode.CommentThread;
}

const CONTROLLER_ID = 'parley.reviews';
/** Values of `commentThread` in the manifest's menus. */
const OPEN = 'finding';
const RESOLVED = 'resolvedFinding';

/** Shows findings as comments in editors: as plain text, which nothing in it can change. */
export class FindingComments implements vscode.Disposable {
  readonly #controller = vscode.comments.createCommentController(CONTROLLER_ID, 'Parley');
  readonly #listening: vscode.Disposable;
  readonly #onStateChanged: (conversationId: string, index: number, state: FindingState) => void;
  #shown: ShownFinding[] = [];

  /** `onStateChanged` is called when the user resolves, reopens or dismisses a finding. */
  constructor(onStateChanged: (conversationId: string, index: number, state: FindingState) => void) {
    this.#onStateChanged = onStateChanged;
    this.#listening = vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event));
  }

  /** The threads that are shown. */
  get threads(): readonly vscode.CommentThread[] {
    return this.#shown.map(({ thread }) => thread);
  }

  /** Shows the findings of a conversation's reply, in place of those of the conversations in `replaces`. */
  showFindings(
    conversationId: string,
    author: string,
    placed: readonly PlacedFinding[],
    replaces: readonly string[],
  ): void {
    this.clearComments([conversationId, ...replaces]);
    this.#shown.push(
      ...placed
        .filter(({ state }) => state !== 'dismissed')
        .map((each) => ({ conversationId, index: each.index, thread: this.#createThread(author, each) })),
    );
    this.#updateContext();
  }

  /** Removes the comments of conversations, by default all. */
  clearComments(conversationIds?: readonly string[]): void {
    const isCleared = (shown: ShownFinding) =>
      !conversationIds || conversationIds.includes(shown.conversationId);
    for (const shown of this.#shown) if (isCleared(shown)) shown.thread.dispose();
    this.#shown = this.#shown.filter((shown) => !isCleared(shown));
    this.#updateContext();
  }

  /** Changes the state of a finding: of the comment that a menu was opened on, or at the cursor. Returns whether there is one. */
  setFindingState(thread: unknown, state: FindingState): boolean {
    const shown = this.#shown.find((each) => each.thread === thread) ?? this.#findAtCursor(state);
    if (!shown) return false;
    if (state === 'dismissed') {
      shown.thread.dispose();
      this.#shown = this.#shown.filter((each) => each !== shown);
      this.#updateContext();
    } else applyState(shown.thread, state);
    this.#onStateChanged(shown.conversationId, shown.index, state);
    return true;
  }

  dispose(): void {
    this.#listening.dispose();
    this.clearComments();
    this.#controller.dispose();
  }

  #createThread(author: string, { finding, uri, line, endLine, state }: PlacedFinding): vscode.CommentThread {
    const thread = this.#controller.createCommentThread(uri, new vscode.Range(line, 0, endLine, 0), []);
    thread.canReply = false;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    const cited =
      finding.document === undefined ? [] : [t('Document: {0}', escapeInvisible(finding.document))];
    // A string is shown as plain text; Markdown would have links.
    const body = toInertLines([escapeInvisible(finding.text), ...cited]);
    const name = toInertText(escapeInvisible(author));
    setComment(thread, toInertText(t('Review Finding')), {
      author: { name },
      body,
      mode: vscode.CommentMode.Preview,
    });
    applyState(thread, state);
    return thread;
  }

  /** Returns the first finding at the cursor that doesn't have the state yet. */
  #findAtCursor(state: FindingState): ShownFinding | undefined {
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    const line = selection?.active.line;
    if (!document || line === undefined) return undefined;
    return this.#shown.find(
      ({ thread: { uri, range, contextValue } }) =>
        uri.toString() === document.uri.toString() &&
        range !== undefined &&
        line >= range.start.line &&
        line <= range.end.line &&
        contextValue !== (state === 'resolved' ? RESOLVED : state === 'open' ? OPEN : undefined),
    );
  }

  /** Moves the comments with their lines, as editors do by themselves while they are open. */
  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (this.#shown.length === 0 || contentChanges.length === 0) return;
    const changes = contentChanges.map(
      ({ range, text }): LineChange => ({
        startLine: range.start.line,
        endLine: range.end.line,
        endCharacter: range.end.character,
        lineBreaks: text.split(/\r\n|\r|\n/).length - 1,
      }),
    );
    for (const { thread } of this.#shown) {
      if (!thread.range || thread.uri.toString() !== document.uri.toString()) continue;
      const [line, endLine] = [thread.range.start.line, thread.range.end.line].map((each) =>
        Math.min(changes.reduce(moveLine, each), document.lineCount - 1),
      ) as [number, number];
      if (line === thread.range.start.line && endLine === thread.range.end.line) continue;
      thread.range = new vscode.Range(line, 0, Math.max(line, endLine), 0);
    }
  }

  #updateContext(): void {
    void vscode.commands.executeCommand('setContext', Context.hasFindings, this.#shown.length > 0);
  }
}

function applyState(thread: vscode.CommentThread, state: FindingState): void {
  const isResolved = state === 'resolved';
  thread.state = isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
  thread.contextValue = isResolved ? RESOLVED : OPEN;
  if (isResolved) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
}
