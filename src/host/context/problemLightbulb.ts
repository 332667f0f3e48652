import * as vscode from 'vscode';
import { Command } from '../base/names';

/** Offers at the lightbulb of a problem to ask about it. From the first use of Parley in a window on: it wakes nothing up. */
export function offerAtProblems(): vscode.Disposable {
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
