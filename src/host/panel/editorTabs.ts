import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { View } from '../base/names';
import { getTabIcon } from '../base/tabIcon';
import { Comparisons } from './comparisons';
import type { HostPage } from './page/hostPage';
import { updateTabTitles } from './titles';

interface TabServices {
  readonly chat: Pick<Chat, 'findConversation'>;
  /** The workspace's memento. */
  readonly memory: vscode.Memento;
}

interface TabHandlers {
  createPage(tab: vscode.WebviewPanel, conversationId: string): HostPage;
  /** Called when a tab is shown, hidden, activated or left. */
  onChanged(page: HostPage, tab: vscode.WebviewPanel): void;
  onClosed(page: HostPage): void;
}

/** A conversation in a narrower column is hard to read. */
const MIN_COLUMN_WIDTH_PX = 320;

/** The message of a page that has loaded. */
const loadedSchema = v.object({ type: v.literal('ready'), width: v.pipe(v.number(), v.minValue(1)) });

/** The editor tabs that show conversations. */
export class EditorTabs {
  readonly #extensionUri: vscode.Uri;
  readonly #chat: TabServices['chat'];
  readonly #handlers: TabHandlers;
  readonly #tabs = new Map<HostPage, vscode.WebviewPanel>();
  readonly #comparisons: Comparisons;

  constructor(extensionUri: vscode.Uri, { chat, memory }: TabServices, handlers: TabHandlers) {
    this.#extensionUri = extensionUri;
    this.#chat = chat;
    this.#handlers = handlers;
    this.#comparisons = new Comparisons(memory, chat, this.#tabs);
  }

  get(page: HostPage): vscode.WebviewPanel | undefined {
    return this.#tabs.get(page);
  }

  /**
   * Returns the page whose tab's title bar was used: the active tab, or else the only one that is visible. VS Code
   * tells only its own ID of the editor group, which extensions can't map to a group.
   */
  findUsed(): HostPage | undefined {
    const visible = [...this.#tabs].filter(([, tab]) => tab.visible);
    const used = visible.find(([, tab]) => tab.active) ?? (visible.length === 1 ? visible[0] : undefined);
    return used?.[0];
  }

  openTab(conversationId: string, viewColumn: vscode.ViewColumn): HostPage {
    const preserveFocus = viewColumn === vscode.ViewColumn.Beside;
    const tab = vscode.window.createWebviewPanel(View.editor, 'Parley', { viewColumn, preserveFocus });
    return this.fill(tab, conversationId);
  }

  /**
   * Opens the conversations with two bots' answers to one question, one above the other if there is no room beside it.
   * Returns the first page, which has the focus.
   */
  openSideBySide([first, second]: readonly [string, string]): HostPage {
    const hadOneGroup = countGroups() === 1;
    const page = this.openTab(first, vscode.ViewColumn.Active);
    const tab = this.#tabs.get(this.openTab(second, vscode.ViewColumn.Beside));
    const listener = tab?.webview.onDidReceiveMessage((message: unknown) => {
      if (!v.is(loadedSchema, message)) return;
      listener?.dispose();
      // Only if that moves no other editors.
      if (message.width < MIN_COLUMN_WIDTH_PX && hadOneGroup && countGroups() === 2)
        void vscode.commands.executeCommand('workbench.action.editorLayoutTwoRows');
    });
    this.#comparisons.add([first, second]);
    return page;
  }

  /** Closes the tab with the other bot's answer. */
  continueWith(page: HostPage): void {
    this.#comparisons.continueWith(page);
  }

  /** Shows a conversation in a tab that is new or restored. */
  fill(tab: vscode.WebviewPanel, conversationId: string): HostPage {
    tab.iconPath = getTabIcon(this.#extensionUri);
    const page = this.#handlers.createPage(tab, conversationId);
    this.#tabs.set(page, tab);
    tab.onDidChangeViewState(() => this.#handlers.onChanged(page, tab));
    tab.onDidDispose(() => {
      this.#tabs.delete(page);
      this.#handlers.onClosed(page);
      this.#comparisons.updateComparisons();
    });
    this.updateTitles();
    return page;
  }

  /** Updates the titles, and what each tab shows of the other tabs. */
  updateTitles(): void {
    this.#comparisons.updateComparisons();
    updateTabTitles(this.#chat, this.#tabs);
  }
}

function countGroups(): number {
  return vscode.window.tabGroups.all.length;
}
