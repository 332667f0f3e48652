import * as vscode from 'vscode';
import { formatBytes as formatBytesIn, getPluralMessage } from '../../shared/text/localeText';

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

/** Formats a size in VS Code's language. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, vscode.env.language);
}

/** Joins sentences with the separator of VS Code's language; skips those that are empty or undefined. */
export function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.reduce<string>((text, next) => {
    return text && next ? vscode.l10n.t('{0} {1}', text, next) : text || next || '';
  }, '');
}

/** Returns the message of what was thrown, as text for the user. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
