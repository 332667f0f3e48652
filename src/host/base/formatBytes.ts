import * as vscode from 'vscode';
import { formatBytes as formatBytesIn } from '../../shared/text/formatBytes';

/** Formats a size in VS Code's language. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, vscode.env.language);
}
