import * as vscode from 'vscode';
import type { Chat } from '../../../chat/conversations/chat';
import type { MarkdownSection } from '../../../chat/export/exportMarkdown';
import type { ChatEvent } from '../../../chat/model/chatEvent';
import type { Turn } from '../../../chat/model/turn';
import { toFileName } from '../../../chat/text/fileName';
import { DisposableStore } from '../../base/disposables';
import { type InertLabel, toInertLabel } from '../../base/inertText';

const { t } = vscode.l10n;

/** Changes to a conversation within this time update its document once. */
const UPDATE_DELAY_MS = 250;

interface Rendered {
  readonly bytes: Uint8Array;
  readonly sections: readonly MarkdownSection[];
  /** In ms since the epoch; increases with every change. */
  readonly changedAt: number;
  /** The conversation has changed since it was rendered. */
  stale: boolean;
}

/**
 * Renders conversations as read-only Markdown documents, `SCHEME:/ID/NAME.parley.md`, which update as the
 * conversation changes, so that VS Code's find, outline and copy work on them. ConversationFiles serves them
 * to VS Code. They have a language ID of their own, because VS Code's Markdown language makes a reply's
 * `command:` links run on click.
 */
export class ConversationDocuments implements vscode.DocumentSymbolProvider, vscode.Disposable {
  readonly #chat: Pick<Chat, 'openWhole' | 'onChatEvent'>;
  readonly #scheme: string;
  readonly #disposables = new DisposableStore();
  readonly #changes = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** By conversation ID. */
  readonly #rendered = new Map<string, Rendered>();
  /** Sections of turns that can't change any more. */
  readonly #sections = new WeakMap<Turn, MarkdownSection>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(chat: Pick<Chat, 'openWhole' | 'onChatEvent'>, scheme: string) {
    this.#chat = chat;
    this.#scheme = scheme;
    this.#disposables.add(chat.onChatEvent((event) => this.#handleEvent(event)));
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#discard(uri)));
  }

  /** Registers the outline of the scheme's documents. */
  registerOutline(): vscode.Disposable {
    return vscode.languages.registerDocumentSymbolProvider({ scheme: this.#scheme }, this);
  }

  /** Opens the conversation's document in an editor. */
  async showMarkdown(conversationId: string): Promise<void> {
    const conversation = await this.#chat.openWhole(conversationId);
    if (!conversation) return;
    const path = `/${conversationId}/${toFileName(conversation.name, t('Conversation'))}.parley.md`;
    await vscode.window.showTextDocument(vscode.Uri.from({ scheme: this.#scheme, path }), { preview: false });
  }

  /**
   * Returns the outline: one symbol for the conversation, with one child per turn. Questions are named by their first
   * lines.
   */
  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const { sections } = await this.#render(document.uri);
    let line = 0;
    const symbols = sections.map(({ title, question, markdown }) => {
      const lines = markdown.split('\n').length;
      const range = document.validateRange(new vscode.Range(line, 0, line + lines - 1, 0));
      const heading = document.lineAt(range.start.line).range;
      line += lines;
      // VS Code also lists the symbols in a quick pick, and refuses an empty name.
      const name = toInertLabel(question ?? title) || toInertLabel(t('Conversation'));
      const detail = toInertLabel(question === undefined ? '' : title);
      return createSymbol(name, detail, range.union(heading), heading);
    });
    const [whole, ...turns] = symbols;
    if (!whole) return [];
    whole.range = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    whole.children = turns;
    return [whole];
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changedAt } = await this.#render(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changedAt, size: bytes.length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#render(uri)).bytes;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#disposables.dispose();
  }

  async #render(uri: vscode.Uri): Promise<Rendered> {
    const { formatSections } = await import('./formatConversation');
    const id = this.#parseConversationId(uri);
    const conversation = id === undefined ? undefined : await this.#chat.openWhole(id);
    if (!conversation) throw vscode.FileSystemError.FileNotFound(uri);
    const previous = this.#rendered.get(conversation.id);
    if (previous && !previous.stale) return previous;
    const sections = formatSections(conversation, this.#sections);
    const rendered = {
      bytes: new TextEncoder().encode(sections.map(({ markdown }) => markdown).join('\n')),
      sections,
      changedAt: Math.max(Date.now(), (previous?.changedAt ?? 0) + 1),
      stale: false,
    };
    this.#rendered.set(conversation.id, rendered);
    return rendered;
  }

  #handleEvent({ conversationId: id, type }: ChatEvent): void {
    if (type === 'deleted') this.#notifyChange(id, vscode.FileChangeType.Deleted);
    else if (
      type !== 'draft' &&
      type !== 'draftSaved' &&
      type !== 'queue' &&
      type !== 'documents' &&
      this.#rendered.has(id) &&
      !this.#timers.has(id)
    ) {
      this.#timers.set(
        id,
        setTimeout(() => this.#notifyChange(id, vscode.FileChangeType.Changed), UPDATE_DELAY_MS),
      );
    }
  }

  #notifyChange(id: string, type: vscode.FileChangeType): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const rendered = this.#rendered.get(id);
    if (rendered) rendered.stale = true;
    const open = vscode.workspace.textDocuments.filter(({ uri }) => this.#parseConversationId(uri) === id);
    this.#changes.fire(open.map(({ uri }) => ({ type, uri })));
  }

  #discard(uri: vscode.Uri): void {
    const id = this.#parseConversationId(uri);
    if (id !== undefined) this.#rendered.delete(id);
  }

  #parseConversationId({ scheme, path }: vscode.Uri): string | undefined {
    return scheme === this.#scheme ? /^\/([\da-f-]{36})\/[^/]+$/.exec(path)?.[1] : undefined;
  }
}

function createSymbol(
  name: InertLabel,
  detail: InertLabel,
  range: vscode.Range,
  heading: vscode.Range,
): vscode.DocumentSymbol {
  return new vscode.DocumentSymbol(name, detail, vscode.SymbolKind.String, range, heading);
}
