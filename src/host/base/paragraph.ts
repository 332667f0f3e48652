import * as vscode from 'vscode';

/** Sentences one after the other, as VS Code's language puts them; those that are empty or undefined left out. */
export function paragraph(...sentences: readonly (string | undefined)[]): string {
  return sentences.reduce<string>((before, next) => {
    return before && next ? vscode.l10n.t('{0} {1}', before, next) : before || next || '';
  }, '');
}
