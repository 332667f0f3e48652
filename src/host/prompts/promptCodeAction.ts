import * as vscode from 'vscode';
import { Command } from '../base/names';

/**
 * Registers the entry of the lightbulb that asks with a prompt about the selection. It is registered when Parley is
 * first used in a window, so that it doesn't activate Parley.
 */
export function registerPromptCodeAction(): vscode.Disposable {
  const kind = vscode.CodeActionKind.Refactor;
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(_document, range) {
      if (range.isEmpty) return [];
      const title = vscode.l10n.t('Ask Parley with Prompt…');
      const action = new vscode.CodeAction(title, kind);
      action.command = { title, command: Command.askWithPrompt };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, { providedCodeActionKinds: [kind] });
}
