import * as vscode from 'vscode';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { type InertLabel, type InertText, toInertLabel, toInertText } from '../base/inertText';

// VS Code's testing UI as Parley writes to it. Headings, phrases, bots' names and replies are untrusted.

declare const terminal: unique symbol;

/** Text that can't act on a terminal; only `toTerminalText` makes it. */
export type TerminalText = string & { readonly [terminal]: true };

/** Escapes control, bidirectional and invisible characters, and ends lines as a terminal needs it. */
export function toTerminalText(text: string): TerminalText {
  return escapeInvisible(text).replaceAll('\n', '\r\n') as TerminalText;
}

export function createTestItem(
  controller: vscode.TestController,
  id: string,
  label: string,
  uri: vscode.Uri,
  line?: number,
): vscode.TestItem {
  const shown: InertLabel = toInertLabel(label);
  const item = controller.createTestItem(id, shown, uri);
  if (line !== undefined) item.range = toLineRange(line);
  return item;
}

/** Undefined removes the error. */
export function setItemError(item: vscode.TestItem, error: string | undefined): void {
  item.error = error === undefined ? undefined : toInertText(error);
}

export function createTestMessage(text: string, uri: vscode.Uri, line: number): vscode.TestMessage {
  const shown: InertText = toInertText(text);
  const message = new vscode.TestMessage(shown);
  message.location = new vscode.Location(uri, toLineRange(line));
  return message;
}

export function createDiagnostic(text: string, line: number): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toLineRange(line), toInertText(text));
  diagnostic.source = 'Parley';
  return diagnostic;
}

/** VS Code shortens a range to the text that there is. */
function toLineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 1000);
}

export function appendTestOutput(run: vscode.TestRun, text: TerminalText, item?: vscode.TestItem): void {
  run.appendOutput(text, undefined, item);
}
