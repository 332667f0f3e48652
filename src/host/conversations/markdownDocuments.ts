import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { MarkdownSection } from '../../chat/export/exportMarkdown';
import type { Turn } from '../../chat/model/conversation';
import type { ChatEvent } from '../../chat/model/events';
import { toFileName } from '../../chat/text/fileName';
import { DisposableStore } from '../base/disposables';
import { formatSections } from './markdownWords';

const { t } = vscode.l10n;

/** ms: what a reply says in this time reaches its document together. */
const GATHER = 250;

interface Rendered {
  readonly bytes: Uint8Array;
  readonly sections: readonly MarkdownSection[];
  /** ms since the epoch; every change has a later one. */
  readonly changedAt: number;
  /** What happened since is not in it yet. */
  stale: boolean;
}

/**
 * Conversations as read-only Markdown documents, `SCHEME:/ID/NAME.parley.md`, which follow what is said: VS Code's own
 * find, outline and copy work on them. VS Code gets them through ConversationFiles.
 * Of a language of their own: VS Code's Markdown language makes `command:` links of a reply's that run at a click.
 */
export class ConversationDocuments implements vscode.DocumentSymbolProvider, vscode.Disposable {
  readonly #chat: Pick<Chat, 'openWhole' | 'onEvent'>;
  readonly #scheme: string;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** Of the conversations that were asked for. */
  readonly #rendered = new Map<string, Rendered>();
  /** Of turns that can't change any more. */
  readonly #sections = new WeakMap<Turn, MarkdownSection>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(chat: Pick<Chat, 'openWhole' | 'onEvent'>, scheme: string) {
    this.#chat = chat;
    this.#scheme = scheme;
    this.#store.add(chat.onEvent((event) => this.#follow(event)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
  }

  /** Gives the scheme's documents their outline. */
  outline(): vscode.Disposable {
    return vscode.languages.registerDocumentSymbolProvider({ scheme: this.#scheme }, this);
  }

  /** Opens the conversation's document in an editor. */
  async show(conversationId: string): Promise<void> {
    const conversation = await this.#chat.openWhole(conversationId);
    if (!conversation) return;
    const path = `/${conversationId}/${toFileName(conversation.name, t('Conversation'))}.parley.md`;
    await vscode.window.showTextDocument(vscode.Uri.from({ scheme: this.#scheme, path }), { preview: false });
  }

  /** The outline: a line for the conversation, below it one for each turn. */
  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const { sections } = await this.#render(document.uri);
    let line = 0;
    const symbols = sections.map(({ title, markdown }) => {
      const lines = markdown.split('\n').length;
      const range = document.validateRange(new vscode.Range(line, 0, line + lines - 1, 0));
      const heading = document.lineAt(range.start.line).range;
      line += lines;
      return new vscode.DocumentSymbol(title, '', vscode.SymbolKind.String, range.union(heading), heading);
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
    this.#store.dispose();
  }

  async #render(uri: vscode.Uri): Promise<Rendered> {
    const id = this.#parseConversationId(uri);
    const conversation = id === undefined ? undefined : await this.#chat.openWhole(id);
    if (!conversation) throw vscode.FileSystemError.FileNotFound(uri);
    const before = this.#rendered.get(conversation.id);
    if (before && !before.stale) return before;
    const sections = formatSections(conversation, this.#sections);
    const rendered = {
      bytes: new TextEncoder().encode(sections.map(({ markdown }) => markdown).join('\n')),
      sections,
      changedAt: Math.max(Date.now(), (before?.changedAt ?? 0) + 1),
      stale: false,
    };
    this.#rendered.set(conversation.id, rendered);
    return rendered;
  }

  #follow({ conversationId: id, type }: ChatEvent): void {
    if (type === 'deleted') this.#tell(id, vscode.FileChangeType.Deleted);
    else if (
      type !== 'draft' &&
      type !== 'queue' &&
      type !== 'documents' &&
      this.#rendered.has(id) &&
      !this.#timers.has(id)
    ) {
      this.#timers.set(
        id,
        setTimeout(() => this.#tell(id, vscode.FileChangeType.Changed), GATHER),
      );
    }
  }

  #tell(id: string, type: vscode.FileChangeType): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const rendered = this.#rendered.get(id);
    if (rendered) rendered.stale = true;
    const open = vscode.workspace.textDocuments.filter(({ uri }) => this.#parseConversationId(uri) === id);
    this.#changes.fire(open.map(({ uri }) => ({ type, uri })));
  }

  #forget(uri: vscode.Uri): void {
    const id = this.#parseConversationId(uri);
    if (id !== undefined) this.#rendered.delete(id);
  }

  #parseConversationId({ scheme, path }: vscode.Uri): string | undefined {
    return scheme === this.#scheme ? /^\/([\da-f-]{36})\/[^/]+$/.exec(path)?.[1] : undefined;
  }
}
