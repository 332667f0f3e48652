import * as vscode from 'vscode';
import { type InertText, toInertText } from '../base/inertText';
import { Command } from '../base/names';
import type { Prompt } from './storedPrompt';

/** The prompts in the lightbulb's menu, which isn't long; its last entry opens the list of all. */
const MAX_PROMPTS = 8;
const kind = vscode.CodeActionKind.Refactor;

/**
 * The lightbulb's entries that ask with a prompt about the selection: one for each prompt, and one for the list of all.
 * VS Code asks for them at each selection, so the prompts are read again only after a change.
 */
export class PromptCodeActions implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #list: () => Promise<readonly Prompt[]>;
  readonly #personalFolder: vscode.Uri;
  readonly #onError: (error: unknown) => void;
  readonly #subscriptions: vscode.Disposable[] = [];
  #prompts: Promise<readonly Prompt[]> | undefined;
  #followsChanges = false;
  #hasFailed = false;

  /**
   * @param list Reads the prompts that take a selection.
   * @param personalFolder The folder of the user's own prompts.
   * @param onError Receives the failure to read the prompts, once until they can be read again.
   */
  constructor(
    list: () => Promise<readonly Prompt[]>,
    personalFolder: vscode.Uri,
    onError: (error: unknown) => void,
  ) {
    this.#list = list;
    this.#personalFolder = personalFolder;
    this.#onError = onError;
  }

  /** Registers them when Parley is first used in a window, so that they don't activate Parley. */
  register(): this {
    const metadata = { providedCodeActionKinds: [kind] };
    this.#subscriptions.push(vscode.languages.registerCodeActionsProvider('*', this, metadata));
    return this;
  }

  async provideCodeActions(
    _document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[]> {
    if (range.isEmpty) return [];
    const prompts = await this.#getPrompts();
    return [
      ...prompts
        .slice(0, MAX_PROMPTS)
        .map(({ id, name }) => createAction(toInertText(vscode.l10n.t('Ask Parley: {0}', name)), [id])),
      createAction(toInertText(vscode.l10n.t('Ask Parley with Prompt…')), []),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #getPrompts(): Promise<readonly Prompt[]> {
    if (!this.#followsChanges) this.#followChanges();
    this.#prompts ??= this.#readPrompts();
    return this.#prompts;
  }

  async #readPrompts(): Promise<readonly Prompt[]> {
    try {
      const prompts = await this.#list();
      this.#hasFailed = false;
      return prompts;
    } catch (error) {
      // The next selection tries again.
      this.#prompts = undefined;
      if (!this.#hasFailed) this.#onError(error);
      this.#hasFailed = true;
      return [];
    }
  }

  /** Begins when the prompts are first needed. */
  #followChanges(): void {
    this.#followsChanges = true;
    const clear = () => {
      this.#prompts = undefined;
    };
    const { workspace } = vscode;
    const watchers = ['**/.github/prompts/*', new vscode.RelativePattern(this.#personalFolder, '*')].map(
      (pattern) => workspace.createFileSystemWatcher(pattern),
    );
    this.#subscriptions.push(
      ...watchers.flatMap((watcher) => [
        watcher,
        watcher.onDidCreate(clear),
        watcher.onDidChange(clear),
        watcher.onDidDelete(clear),
      ]),
      workspace.onDidChangeConfiguration(clear),
      workspace.onDidChangeWorkspaceFolders(clear),
      workspace.onDidGrantWorkspaceTrust(clear),
    );
  }
}

function createAction(title: InertText, args: string[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.command = { title, command: Command.askWithPrompt, arguments: args };
  return action;
}
