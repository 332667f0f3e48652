import * as vscode from 'vscode';

/** Joins sentences with the separator of VS Code's language; skips those that are empty or undefined. */
export function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.reduce<string>((text, next) => {
    return text && next ? vscode.l10n.t('{0} {1}', text, next) : text || next || '';
  }, '');
}
