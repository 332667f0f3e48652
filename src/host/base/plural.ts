import * as vscode from 'vscode';
import { getPluralMessage } from '../../shared/text/plural';

/**
 * Formats a message for a count. `{0}` is the count in the digits of VS Code's language; `{1}` and so on are
 * `args`.
 */
export function plural(count: number, one: string, other: string, ...args: readonly string[]): string {
  const message = getPluralMessage(vscode.env.language, count, one, other);
  return vscode.l10n.t(message, formatCount(count), ...args);
}

/** Formats a count in the digits of VS Code's language. */
export function formatCount(count: number): string {
  return count.toLocaleString(vscode.env.language);
}
