import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { CodeTheme } from '../../shared/view/codeTheme';
import { DisposableStore } from '../base/disposables';

/** Settings that affect the colors of code. */
const SETTINGS = ['workbench', 'window.autoDetectColorScheme', 'window.autoDetectHighContrast'].concat(
  'editor.tokenColorCustomizations',
);

/** The colors of code in VS Code's active theme, kept up to date. */
export class CodeThemes implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #disposables = new DisposableStore();
  readonly #changes = this.#disposables.add(new Emitter<CodeTheme>());
  readonly onDidChange = this.#changes.on;
  #current: CodeTheme | undefined;
  #reads = 0;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Reads the colors and starts watching for changes, on the first call only. */
  start(): void {
    if (this.#reads > 0) return;
    this.#disposables.add(vscode.window.onDidChangeActiveColorTheme(() => this.#refresh()));
    this.#disposables.add(vscode.extensions.onDidChange(() => this.#refresh()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((setting) => event.affectsConfiguration(setting))) this.#refresh();
      }),
    );
    this.#refresh();
  }

  /** Undefined until the theme has been read for the first time. */
  get current(): CodeTheme | undefined {
    return this.#current;
  }

  dispose(): void {
    this.#reads++;
    this.#disposables.dispose();
  }

  #refresh(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    const read = ++this.#reads;
    const { resolveCodeTheme } = await import('./resolveCodeTheme');
    const theme = await resolveCodeTheme(this.#log);
    // A newer read has started, or this object was disposed.
    if (read !== this.#reads || JSON.stringify(theme) === JSON.stringify(this.#current)) return;
    this.#current = theme;
    this.#changes.fire(theme);
  }
}
