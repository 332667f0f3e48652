import * as vscode from 'vscode';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { toInertLabel, toInertLines, toInertText } from './inertText';
import type { InertItem, InertPickOptions, InertWindow } from './inertUi';

// All notifications, dialogs and quick picks go through this file, which makes their text inert: conversation
// names, file names and the service's messages are untrusted. The compiler checks it here; scripts/dialogs.grit finds code
// that goes past this file.

const ui: InertWindow = vscode.window;

export function showInformation(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return ui.showInformationMessage(toInertText(message), ...buttons);
}

export function showWarning(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return ui.showWarningMessage(toInertText(message), ...buttons);
}

export function showError(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return ui.showErrorMessage(toInertText(message), ...buttons);
}

/**
 * Shows a modal dialog with one line per detail; Enter presses the first button. Resolves to undefined if it
 * is canceled.
 */
export function confirm(
  question: string,
  details: readonly string[],
  ...buttons: string[]
): Thenable<string | undefined> {
  const detail = toInertLines(details);
  const options = { modal: true, ...(detail !== '' && { detail }) } as const;
  return ui.showWarningMessage(toInertText(question), options, ...buttons);
}

/** In code points: the text of a dialog is cut at 1,000 per line. */
const MAX_LINE_LENGTH = 500;

/** Splits a text into lines that a dialog shows as a whole, with what can't be seen in it. */
export function splitForDialog(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const points = [...escapeInvisible(line)];
    const count = Math.max(1, Math.ceil(points.length / MAX_LINE_LENGTH));
    return Array.from({ length: count }, (_, index) =>
      points.slice(index * MAX_LINE_LENGTH, (index + 1) * MAX_LINE_LENGTH).join(''),
    );
  });
}

/** Shows a message in the status bar for a short time. */
export function showFeedback(message: string, durationMs: number): void {
  ui.setStatusBarMessage(toInertLabel(message), durationMs);
}

export function withProgress<T>(
  options: vscode.ProgressOptions & { readonly title: string },
  run: (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<T>,
): Thenable<T> {
  return ui.withProgress({ ...options, title: toInertText(options.title) }, (progress, token) =>
    run(
      {
        report: ({ message, increment }) =>
          progress.report({
            ...(message !== undefined && { message: toInertText(message) }),
            ...(increment !== undefined && { increment }),
          }),
      },
      token,
    ),
  );
}

interface PickOptions {
  readonly title: string;
  readonly placeHolder?: string;
  readonly ignoreFocusOut?: boolean;
  readonly matchOnDescription?: boolean;
}

/** Lets the user pick one of the items; resolves to the original item. */
export async function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: PickOptions,
): Promise<T | undefined> {
  const shown = items.map((item) => ({ ...toInertItem(item), item }));
  return (await ui.showQuickPick(shown, toInertOptions(options)))?.item;
}

/** Lets the user pick any number of the items; resolves to the original items. */
export async function pickSome<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: PickOptions,
): Promise<readonly T[] | undefined> {
  const shown = items.map((item) => ({ ...toInertItem(item), item }));
  const picked = await ui.showQuickPick(shown, { ...toInertOptions(options), canPickMany: true });
  return picked?.map(({ item }) => item);
}

/** A quick pick with items that change while it is open; `setItems` makes them inert. */
export type QuickPick<T extends vscode.QuickPickItem> = Omit<
  vscode.QuickPick<T>,
  'items' | 'title' | 'placeholder'
> & {
  readonly items: readonly T[];
};

export function createQuickPick<T extends vscode.QuickPickItem>(
  title: string,
  placeholder: string,
): QuickPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  pick.title = toInertText(title);
  pick.placeholder = toInertText(placeholder);
  return pick;
}

export function setItems<T extends vscode.QuickPickItem>(pick: QuickPick<T>, items: readonly T[]): void {
  const shown: readonly (T & InertItem)[] = items.map(toInertItem);
  (pick as vscode.QuickPick<T>).items = shown;
}

/** Asks for a line of text. `validate` returns the error message for invalid text. */
export function showInputBox(
  options: Pick<
    vscode.InputBoxOptions,
    'title' | 'prompt' | 'placeHolder' | 'value' | 'password' | 'ignoreFocusOut'
  >,
  validate?: (text: string) => string | undefined,
): Thenable<string | undefined> {
  const { title, prompt, placeHolder, ...rest } = options;
  return ui.showInputBox({
    ...rest,
    ...(title !== undefined && { title: toInertText(title) }),
    ...(prompt !== undefined && { prompt: toInertText(prompt) }),
    ...(placeHolder !== undefined && { placeHolder: toInertText(placeHolder) }),
    ...(validate && {
      validateInput: (text: string) => {
        const problem = validate(text);
        return problem === undefined ? undefined : toInertText(problem);
      },
    }),
  });
}

function toInertItem<T extends vscode.QuickPickItem>(item: T): T & InertItem {
  const { label, description, detail } = item;
  return {
    ...item,
    label: toInertLabel(label),
    ...(description !== undefined && { description: toInertLabel(description) }),
    ...(detail !== undefined && { detail: toInertLabel(detail) }),
  };
}

function toInertOptions({ title, placeHolder, ...rest }: PickOptions): InertPickOptions {
  return {
    ...rest,
    title: toInertText(title),
    ...(placeHolder !== undefined && { placeHolder: toInertText(placeHolder) }),
  };
}
