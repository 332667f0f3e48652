import * as v from 'valibot';
import * as vscode from 'vscode';
import type { DiagramMessage, ToDiagram } from '../../shared/protocol/diagram';
import { showWarning } from '../base/dialogs';
import { View } from '../base/names';
import { getTabIcon } from '../base/tabIcon';
import { createDiagramHtml, getDiagramRoot } from './diagramPage';

const { t } = vscode.l10n;

/** The page ends a drawing that takes too long by itself, unless it is blocked; then the tab is closed. */
const TIME_LIMIT_MS = 20_000;

/** Far above the size of any diagram of the allowed length. */
const MAX_SVG_LENGTH = 20_000_000;

const messageSchema: v.GenericSchema<unknown, DiagramMessage> = v.variant('type', [
  v.strictObject({ type: v.literal('ready') }),
  v.strictObject({ type: v.literal('done') }),
  v.strictObject({
    type: v.literal('copySvg'),
    text: v.pipe(v.string(), v.startsWith('<svg'), v.maxLength(MAX_SVG_LENGTH)),
  }),
]);

/** Shows diagrams in editor tabs, each a webview of its own that can't reach the panel. */
export class DiagramTabs implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #timeLimitMs: number;
  readonly #tabs = new Set<vscode.WebviewPanel>();

  constructor(extensionUri: vscode.Uri, timeLimitMs = TIME_LIMIT_MS) {
    this.#extensionUri = extensionUri;
    this.#timeLimitMs = timeLimitMs;
  }

  /** Opens a tab that draws a diagram from its Mermaid source. */
  openDiagram(source: string): void {
    const tab = vscode.window.createWebviewPanel(View.diagram, t('Diagram'), vscode.ViewColumn.Active);
    this.#tabs.add(tab);
    tab.iconPath = getTabIcon(this.#extensionUri);
    const { webview } = tab;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      tab.dispose();
      void showWarning(t('The diagram took too long, so its tab was closed.'));
    };
    tab.onDidDispose(() => {
      clearTimeout(timer);
      this.#tabs.delete(tab);
    });
    // VS Code removes the page of a hidden tab, and loads it again later.
    tab.onDidChangeViewState(() => {
      if (!tab.visible) clearTimeout(timer);
    });
    webview.onDidReceiveMessage((message: unknown) => {
      const parsed = v.safeParse(messageSchema, message);
      if (!parsed.success) return;
      clearTimeout(timer);
      if (parsed.output.type === 'copySvg') void vscode.env.clipboard.writeText(parsed.output.text);
      if (parsed.output.type !== 'ready') return;
      timer = setTimeout(close, this.#timeLimitMs);
      void webview.postMessage({ type: 'diagram', source } satisfies ToDiagram);
    });
    webview.options = { enableScripts: true, localResourceRoots: [getDiagramRoot(this.#extensionUri)] };
    webview.html = createDiagramHtml(webview, this.#extensionUri);
  }

  dispose(): void {
    for (const tab of this.#tabs) tab.dispose();
  }
}
