import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { CodeTheme } from '../../shared/view/codeTheme';
import { DisposableStore } from '../base/disposables';
import { findActiveTheme } from './activeTheme';
import { createPlainTheme } from './plainTheme';
import { readThemeFile } from './themeFile';
import { parseCustomRules } from './tokenCustomizations';

/** Settings that affect the colors of code. */
const SETTINGS = ['workbench', 'window.autoDetectColorScheme', 'window.autoDetectHighContrast'].concat(
  'editor.tokenColorCustomizations',
);

/** The colors of code in VS Code's active theme, kept up to date. */
export class CodeThemes implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<CodeTheme>());
  readonly onDidChange = this.#changes.on;
  #current: CodeTheme | undefined;
  #reads = 0;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Reads the colors and starts watching for changes, on the first call only. */
  start(): void {
    if (this.#reads > 0) return;
    this.#store.add(vscode.window.onDidChangeActiveColorTheme(() => this.#refresh()));
    this.#store.add(vscode.extensions.onDidChange(() => this.#refresh()));
    this.#store.add(
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
    this.#store.dispose();
  }

  #refresh(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    const read = ++this.#reads;
    const theme = await resolveCodeTheme(this.#log);
    // A newer read has started, or this object was disposed.
    if (read !== this.#reads || JSON.stringify(theme) === JSON.stringify(this.#current)) return;
    this.#current = theme;
    this.#changes.fire(theme);
  }
}

/**
 * Returns the active theme's token colors with the user's customizations, or plain colors for the theme's
 * kind if its file can't be read.
 */
export async function resolveCodeTheme(log: vscode.LogOutputChannel): Promise<CodeTheme> {
  const theme = findActiveTheme();
  const custom = vscode.workspace.getConfiguration('editor').get('tokenColorCustomizations');
  return [...(await rules()), ...parseCustomRules(custom, theme?.name ?? '')];

  async function rules(): Promise<CodeTheme> {
    const { kind } = vscode.window.activeColorTheme;
    if (!theme) {
      log.warn(
        'Using plain colors for code: the active color theme is not in an extension that Parley can access',
      );
      return createPlainTheme(kind);
    }
    try {
      return await readThemeFile(theme.file);
    } catch (error) {
      log.warn(`Using plain colors for code: couldn't read the color theme ${theme.name}: ${error}`);
      return createPlainTheme(kind);
    }
  }
}
