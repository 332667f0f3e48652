import * as vscode from 'vscode';

type Answer = (shown: Shown) => unknown;

/** What VS Code was told to show, and by which of its functions. */
export interface Shown {
  readonly by: string;
  /** Every text in it, buttons included. */
  readonly texts: readonly string[];
  readonly buttons: readonly string[];
  readonly items: readonly vscode.QuickPickItem[];
}

/** VS Code's own notifications, dialogs, quick picks and progress, recorded in place of being shown. */
export class RecordedWindow {
  readonly shown: Shown[] = [];
  readonly #before = new Map<string, unknown>();
  readonly #answer: Answer;

  /** `answer` stands for the person: what it returns is what was chosen. */
  constructor(answer: Answer = () => undefined) {
    this.#answer = answer;
    for (const kind of ['Information', 'Warning', 'Error']) {
      this.#replace(`show${kind}Message`, async (message: string, ...rest: unknown[]) => {
        const { detail } = (rest.find((each) => typeof each === 'object') ?? {}) as vscode.MessageOptions;
        const buttons = rest.filter((each) => typeof each === 'string');
        return this.#ask({ by: kind, texts: [message, ...lines(detail), ...buttons], buttons, items: [] });
      });
    }
    this.#replace(
      'showQuickPick',
      async (items: vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
        const texts = [options.title, options.placeHolder, ...items.flatMap(textsOf)];
        return this.#ask({ by: 'QuickPick', texts: texts.flatMap((each) => each ?? []), buttons: [], items });
      },
    );
    this.#replace('showInputBox', async (options: vscode.InputBoxOptions) => {
      const problem = await options.validateInput?.('');
      const texts = [options.title, options.prompt, options.placeHolder, problem];
      const strings = texts.filter((each) => typeof each === 'string');
      return this.#ask({ by: 'InputBox', texts: strings, buttons: [], items: [] });
    });
    this.#replace(
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof vscode.window.withProgress>[1]) => {
        this.#ask({ by: 'Progress', texts: lines(options.title), buttons: [], items: [] });
        const report = ({ message }: { message?: string }) =>
          this.#ask({ by: 'Progress', texts: lines(message), buttons: [], items: [] });
        return task({ report }, new vscode.CancellationTokenSource().token);
      },
    );
    this.#replace('setStatusBarMessage', (text: string) => {
      this.#ask({ by: 'StatusBar', texts: [text], buttons: [], items: [] });
      return { dispose: () => undefined };
    });
  }

  /** All texts so far. */
  get texts(): string[] {
    return this.shown.flatMap(({ texts }) => texts);
  }

  dispose(): void {
    for (const [name, before] of this.#before) Object.assign(vscode.window, { [name]: before });
  }

  #ask(shown: Shown): unknown {
    this.shown.push(shown);
    return this.#answer(shown);
  }

  #replace(name: string, by: unknown): void {
    this.#before.set(name, vscode.window[name as keyof typeof vscode.window]);
    Object.assign(vscode.window, { [name]: by });
  }
}

function textsOf({ label, description = '', detail = '' }: vscode.QuickPickItem): string[] {
  return [label, description, detail];
}

/** What VS Code shows line by line. */
function lines(text: string | undefined): string[] {
  return text?.split('\n') ?? [];
}
