import type * as vscode from 'vscode';
import type { InertLabel, InertText } from './inertText';

// VS Code's own UI as Parley writes to it. VS Code's types take any string; what is declared here takes inert text only, so
// that showing a name, a file or the service's words as they come doesn't compile.

export interface InertPickOptions {
  readonly title: InertText;
  readonly placeHolder?: InertText;
  readonly ignoreFocusOut?: boolean;
  readonly matchOnDescription?: boolean;
}

export interface InertItem {
  readonly label: InertLabel;
  readonly description?: InertLabel;
  readonly detail?: InertLabel;
}

interface InertInputBoxOptions {
  readonly title?: InertText;
  readonly prompt?: InertText;
  readonly placeHolder?: InertText;
  readonly value?: string;
  readonly password?: boolean;
  readonly ignoreFocusOut?: boolean;
  readonly validateInput?: (text: string) => InertText | undefined;
}

export interface InertProgress {
  report(step: { readonly message?: InertText; readonly increment?: number }): void;
}

type Answer = Thenable<string | undefined>;

/** Dialogs and notifications. Buttons have Parley's own words. */
export interface InertWindow {
  showInformationMessage(message: InertText, ...buttons: string[]): Answer;
  showWarningMessage(message: InertText, ...buttons: string[]): Answer;
  showWarningMessage(
    message: InertText,
    options: { readonly modal: true; readonly detail?: InertText },
    ...buttons: string[]
  ): Answer;
  showErrorMessage(message: InertText, ...buttons: string[]): Answer;
  setStatusBarMessage(text: InertLabel, durationMs: number): vscode.Disposable;
  showQuickPick<T extends InertItem>(
    items: readonly T[],
    options: InertPickOptions & { readonly canPickMany: true },
  ): Thenable<readonly T[] | undefined>;
  showQuickPick<T extends InertItem>(items: readonly T[], options: InertPickOptions): Thenable<T | undefined>;
  showInputBox(options: InertInputBoxOptions): Answer;
  withProgress<T>(
    options: Omit<vscode.ProgressOptions, 'title'> & { readonly title: InertText },
    run: (progress: InertProgress, token: vscode.CancellationToken) => Thenable<T>,
  ): Thenable<T>;
}

/** The answer in VS Code's Chat. Its Markdown has foreign text, which Chat doesn't trust; what is around it is inert. */
export interface InertChatResponse extends Pick<vscode.ChatResponseStream, 'markdown' | 'button'> {
  progress(text: InertText): void;
  anchor(target: vscode.Uri, title: InertText): void;
}

export function setTabTitle(tab: vscode.WebviewPanel, title: InertText): void {
  if (tab.title !== title) tab.title = title;
}

/** Undefined restores the view's own title. */
export function setViewTitle(
  view: vscode.WebviewView,
  title: InertText | undefined,
  description: InertText | undefined,
): void {
  Object.assign(view, { title, description });
}

export function setStatusItem(
  item: vscode.StatusBarItem,
  icon: string,
  text: InertLabel,
  tooltip: InertText,
): void {
  const shown = `$(${icon}) ${text}`;
  if (item.text !== shown) item.text = shown;
  if (item.tooltip !== tooltip) item.tooltip = tooltip;
}

/** A comment of plain text: as a string, its body isn't Markdown. */
interface InertComment extends Omit<vscode.Comment, 'author' | 'body' | 'label'> {
  readonly author: { readonly name: InertText };
  readonly body: InertText;
}

/** Makes a comment the only one of its thread. */
export function setComment(thread: vscode.CommentThread, label: InertText, comment: InertComment): void {
  thread.label = label;
  thread.comments = [comment];
}
