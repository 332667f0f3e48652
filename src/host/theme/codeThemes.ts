import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { CodeTheme } from '../../shared/codeTheme';
import { DisposableStore } from '../base/disposables';
import { activeTheme } from './activeTheme';
import { plainTheme } from './plainTheme';
import { readThemeFile } from './themeFile';
import { customRules } from './tokenCustomizations';

/** Settings that say which colours code has. */
const SETTINGS = ['workbench', 'window.autoDetectColorScheme', 'window.autoDetectHighContrast'].concat(
  'editor.tokenColorCustomizations',
);

/** The colours of code in the theme that VS Code shows, kept up to date. */
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

  /** Reads the colours, and follows them from then on: whoever shows code asks for it, and the first time counts. */
  begin(): void {
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

  /** Undefined until it has been read for the first time. */
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
    // A newer read is under way, or nobody waits any longer.
    if (read !== this.#reads || JSON.stringify(theme) === JSON.stringify(this.#current)) return;
    this.#current = theme;
    this.#changes.fire(theme);
  }
}

/** The active theme's token colours with the person's own; simple ones by the theme's kind where its file can't be read. */
export async function resolveCodeTheme(log: vscode.LogOutputChannel): Promise<CodeTheme> {
  const theme = activeTheme();
  const custom = vscode.workspace.getConfiguration('editor').get('tokenColorCustomizations');
  return [...(await rules()), ...customRules(custom, theme?.name ?? '')];

  async function rules(): Promise<CodeTheme> {
    const { kind } = vscode.window.activeColorTheme;
    if (!theme) {
      log.warn(
        'The colour theme is not among the extensions that Parley can see, so code has simple colours.',
      );
      return plainTheme(kind);
    }
    try {
      return await readThemeFile(theme.file);
    } catch (error) {
      log.warn(`The colour theme ${theme.name} can't be read, so code has simple colours: ${error}`);
      return plainTheme(kind);
    }
  }
}
