import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ChatEvent } from '../../chat/model/chatEvent';
import { type Conversation, getBotName } from '../../chat/model/conversation';
import type { ReplyTurn } from '../../chat/model/turn';
import type { ChangeDiff } from '../../chat/reviews/changeDiff';
import { findFindingLine } from '../../chat/reviews/findingLines';
import { findChangedPath } from '../../chat/reviews/findingPath';
import { type Finding, parseFindings } from '../../chat/reviews/findings';
import { splitRelativePath } from '../../chat/text/fileName';
import { showInformation } from '../base/dialogs';
import { joinSentences, plural } from '../base/localizedText';
import { isFileInWorkspace, readWorkspaceText } from '../platform/workspacePlace';
import { FindingComments, type PlacedFinding } from './findingComments';
import type { FindingMark, FindingState, ReviewMemory, StoredReview } from './reviewMemory';

const { t } = vscode.l10n;

/** Larger files get no comments. */
const MAX_FILE_BYTES = 5_000_000;

/** A review whose reply is awaited or shown. */
interface Review extends Omit<StoredReview, 'marks'> {
  marks: StoredReview['marks'];
  /** Known until the window is reloaded. */
  readonly diff?: ChangeDiff;
  /** The text of the reply whose findings are shown. */
  shownText?: string;
}

interface OpenedLines {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly lines: readonly string[];
}

/** Shows the findings in the replies to reviews as comments, and remembers what the user did with them. */
export class ReviewReplies implements vscode.Disposable {
  readonly #chat: Chat;
  readonly #memory: ReviewMemory;
  readonly #comments = new FindingComments((...change) => this.#setState(...change));
  readonly #reviews = new Map<string, Review>();
  readonly #listening: { dispose(): void };
  /** One reply is placed at a time: the files are read in between. */
  #placing: Promise<void> = Promise.resolve();

  constructor(chat: Chat, memory: ReviewMemory) {
    this.#chat = chat;
    this.#memory = memory;
    this.#listening = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /** Follows a review from before its question is sent. */
  addReview(review: Omit<StoredReview, 'marks'>, diff: ChangeDiff): void {
    this.#reviews.set(review.conversationId, { ...review, marks: {}, diff });
    this.#memory.saveReview({ ...review, marks: {} });
  }

  /** Shows the comments of before the window was reloaded. In an untrusted workspace nothing is read. */
  async restoreComments(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    await this.#chat.load();
    for (const review of this.#memory.listReviews()) {
      const { conversationId } = review;
      if (this.#reviews.has(conversationId)) continue;
      this.#reviews.set(conversationId, { ...review });
      const conversation = await this.#chat.readConversation(conversationId);
      if (conversation) this.#showReply(conversation);
      else if (!this.#chat.findConversation(conversationId)) this.#forget(conversationId);
    }
    await this.#placing;
  }

  /** Resolves once the findings of all replies that have ended are shown. */
  whenPlaced(): Promise<void> {
    return this.#placing;
  }

  get threads(): readonly vscode.CommentThread[] {
    return this.#comments.threads;
  }

  /** `thread`: the comment that a menu was opened on; otherwise the one at the cursor. */
  setFindingState(thread: unknown, state: FindingState): void {
    if (!this.#comments.setFindingState(thread, state))
      void showInformation(t('There is no finding at the cursor.'));
  }

  /** Removes all comments. They don't return after a reload. */
  clearFindings(): void {
    this.#comments.clearComments();
    const shown = [...this.#reviews.values()].filter(({ shownText }) => shownText !== undefined);
    this.#memory.forgetReviews(shown.map(({ conversationId }) => conversationId));
    for (const { conversationId } of shown) this.#reviews.delete(conversationId);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#comments.dispose();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId } = event;
    if (!this.#reviews.has(conversationId)) return;
    if (event.type === 'deleted') {
      this.#comments.clearComments([conversationId]);
      // The deletion may be undone.
      delete this.#reviews.get(conversationId)?.shownText;
    } else if (event.type === 'purged') this.#forget(conversationId);
    else if (['ended', 'turn', 'created', 'changed'].includes(event.type)) {
      void this.#showStored(conversationId).catch(this.#chat.reportError);
    }
  }

  async #showStored(conversationId: string): Promise<void> {
    const open = this.#chat.findConversation(conversationId);
    const isListed = open !== undefined || this.#chat.getSummary(conversationId) !== undefined;
    const conversation = open ?? (isListed ? await this.#chat.readConversation(conversationId) : undefined);
    if (conversation) this.#showReply(conversation);
  }

  #forget(conversationId: string): void {
    this.#comments.clearComments([conversationId]);
    this.#reviews.delete(conversationId);
    this.#memory.forgetReviews([conversationId]);
  }

  /** Shows the findings of the last reply to the review's question, once it has ended. */
  #showReply(conversation: Conversation): void {
    const review = this.#reviews.get(conversation.id);
    const reply = review && findReplyTo(conversation, review.question);
    if (!review || reply?.ending === undefined || reply.text === review.shownText) return;
    const isNew = Object.keys(review.marks).length === 0;
    // A retry has other findings.
    if (review.shownText !== undefined) review.marks = {};
    review.shownText = reply.text;
    const author = getBotName(conversation, reply);
    this.#placing = this.#placing
      .then(() => this.#place(review, reply.text, author, isNew))
      .catch(this.#chat.reportError);
  }

  async #place(review: Review, text: string, author: string, isNew: boolean): Promise<void> {
    const { findings, count } = parseFindings(text, review.documents);
    const opened = new Map<string, OpenedLines | undefined>();
    const placed: PlacedFinding[] = [];
    for (const [index, finding] of findings.entries()) {
      const known = review.marks[index];
      const path = known?.path ?? finding.path;
      const file = opened.has(path) ? opened.get(path) : await openLines(review, path);
      opened.set(path, file);
      const found = file && place(finding, index, file, review, known);
      if (!found) continue;
      placed.push(found);
      review.marks[index] = createMark(file, found);
    }
    const { conversationId, root } = review;
    const isCurrent = this.#reviews.get(conversationId) === review && review.shownText === text;
    // The conversation was deleted, or another reply came, while the files were read.
    if (!isCurrent) return;
    const older = [...this.#reviews.values()].filter(
      (other) => other !== review && other.root === root && other.shownText !== undefined,
    );
    const olderIds = older.map((other) => other.conversationId);
    this.#comments.showFindings(conversationId, author, placed, olderIds);
    for (const id of olderIds) this.#reviews.delete(id);
    this.#save(review, olderIds);
    if (isNew) report(placed, count);
  }

  #setState(conversationId: string, index: number, state: FindingState): void {
    const review = this.#reviews.get(conversationId);
    const mark = review?.marks[index];
    if (!review || !mark) return;
    review.marks[index] = { ...mark, state };
    this.#save(review);
  }

  #save({ conversationId, root, question, documents, marks }: Review, replaces?: readonly string[]): void {
    this.#memory.saveReview({ conversationId, root, question, documents, marks }, replaces);
  }
}

function findReplyTo(conversation: Conversation, question: string): ReplyTurn | undefined {
  const messages = conversation.turns.filter((turn) => turn.kind === 'message' && turn.text === question);
  const ids = new Set(messages.map(({ id }) => id));
  return conversation.turns.findLast((turn) => turn.kind === 'reply' && ids.has(turn.messageId)) as
    | ReplyTurn
    | undefined;
}

/** Reads a file that a reply names, if it is in the repository and the workspace. */
async function openLines({ root, diff }: Review, named: string): Promise<OpenedLines | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  for (const path of findChangedPath(named, diff?.paths ?? [])) {
    const parts = splitRelativePath(path);
    if (!parts) continue;
    const uri = vscode.Uri.joinPath(vscode.Uri.parse(root, true), ...parts);
    if (!vscode.workspace.getWorkspaceFolder(uri) || !(await isFileInWorkspace(uri))) continue;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    const text = document?.getText() ?? (await readWorkspaceText(uri, MAX_FILE_BYTES));
    if (text !== undefined) return { uri, path: parts.join('/'), lines: text.split(/\r\n|\r|\n/) };
  }
  return undefined;
}

function place(
  finding: Finding,
  index: number,
  { uri, path, lines }: OpenedLines,
  { diff }: Review,
  mark: FindingMark | undefined,
): PlacedFinding | undefined {
  const expected = mark?.lineText ?? diff?.files.get(path)?.lines.get(finding.line);
  const line = findFindingLine(lines, finding.line, expected);
  if (line === undefined) return undefined;
  const endLine = Math.min(line + finding.endLine - finding.line, lines.length - 1);
  return { finding, index, uri, line, endLine, state: mark?.state ?? 'open' };
}

function createMark({ path, lines }: OpenedLines, { line, state }: PlacedFinding): FindingMark {
  const lineText = lines[line];
  return { state, path, ...(lineText !== undefined && { lineText }) };
}

/** Says how many findings are shown, and how many only the reply has. */
function report(placed: readonly PlacedFinding[], count: number): void {
  if (placed.length === 0) {
    const text =
      count === 0
        ? t('The review has no findings in the form of comments. Read the reply in Parley.')
        : t('The findings of the review couldn’t be matched to lines of files. Read the reply in Parley.');
    void showInformation(text);
    return;
  }
  const files = new Set(placed.map(({ uri }) => uri.toString())).size;
  const left = count - placed.length;
  const show = t('Show Comments');
  void showInformation(
    joinSentences(
      plural(
        placed.length,
        'The review added {0} comment ({1}).',
        'The review added {0} comments ({1}).',
        plural(files, '{0} file', '{0} files'),
      ),
      left > 0
        ? plural(left, '{0} more finding is only in the reply.', '{0} more findings are only in the reply.')
        : undefined,
    ),
    show,
  ).then((choice) => {
    if (choice === show) void vscode.commands.executeCommand('workbench.action.focusCommentsPanel');
  });
}
