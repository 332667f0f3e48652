import * as vscode from 'vscode';
import { getPluralMessage } from '../../shared/plural';

/** The message for a count, which is `{0}` in it, in the digits of VS Code's language; `{1}` and so on as in `vscode.l10n.t`. */
export function plural(count: number, one: string, other: string, ...args: readonly string[]): string {
  const message = getPluralMessage(vscode.env.language, count, one, other);
  return vscode.l10n.t(message, formatCount(count), ...args);
}

/** A count in the digits of VS Code's language. */
export function formatCount(count: number): string {
  return count.toLocaleString(vscode.env.language);
}
