import * as vscode from 'vscode';
import { Command } from '../base/names';

/**
 * Registers a quick fix that asks about a problem. It is registered when Parley is first used in a window, so
 * that it doesn't activate Parley.
 */
export function registerProblemQuickFix(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions({ uri }, _range, { diagnostics }) {
      if (diagnostics.length === 0) return [];
      const title = vscode.l10n.t('Ask Parley About This Problem');
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...diagnostics];
      action.command = { title, command: Command.askAboutProblem, arguments: [uri, diagnostics] };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
