import * as vscode from 'vscode';

type Answer = (shown: Shown) => unknown;

/** A notification, dialog or other UI that VS Code was asked to show. */
export interface Shown {
  readonly by: string;
  /** All its texts, including buttons. */
  readonly texts: readonly string[];
  readonly buttons: readonly string[];
  readonly items: readonly vscode.QuickPickItem[];
}

/** Replaces VS Code's notifications, dialogs, quick picks and progress, and records what would be shown. */
export class RecordedWindow {
  readonly shown: Shown[] = [];
  /** The quick pick created last, as far as Parley uses it. */
  quickPick:
    | Pick<vscode.QuickPick<vscode.QuickPickItem>, 'items' | 'activeItems' | 'busy' | 'hide'>
    | undefined;
  readonly #before = new Map<string, unknown>();
  readonly #answer: Answer;

  /** `answer` returns the user's choice. */
  constructor(answer: Answer = () => undefined) {
    this.#answer = answer;
    for (const kind of ['Information', 'Warning', 'Error']) {
      this.#replace(`show${kind}Message`, async (message: string, ...rest: unknown[]) => {
        const { detail } = (rest.find((argument) => typeof argument === 'object') ??
          {}) as vscode.MessageOptions;
        const buttons = rest.filter((argument) => typeof argument === 'string');
        return this.#ask({
          by: kind,
          texts: [message, ...splitLines(detail), ...buttons],
          buttons,
          items: [],
        });
      });
    }
    this.#replace(
      'showQuickPick',
      async (items: vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
        const texts = [options.title, options.placeHolder, ...items.flatMap(getTexts)];
        return this.#ask({ by: 'QuickPick', texts: texts.flatMap((text) => text ?? []), buttons: [], items });
      },
    );
    this.#replace('createQuickPick', () => this.#createQuickPick());
    this.#replace('showInputBox', async (options: vscode.InputBoxOptions) => {
      const problem = await options.validateInput?.('');
      const texts = [options.title, options.prompt, options.placeHolder, problem];
      const strings = texts.filter((text) => typeof text === 'string');
      return this.#ask({ by: 'InputBox', texts: strings, buttons: [], items: [] });
    });
    this.#replace('showOpenDialog', async (options: vscode.OpenDialogOptions) =>
      this.#ask({ by: 'OpenDialog', texts: splitLines(options.title), buttons: [], items: [] }),
    );
    this.#replace(
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof vscode.window.withProgress>[1]) => {
        this.#ask({ by: 'Progress', texts: splitLines(options.title), buttons: [], items: [] });
        const report = ({ message }: { message?: string }) =>
          this.#ask({ by: 'Progress', texts: splitLines(message), buttons: [], items: [] });
        return task({ report }, new vscode.CancellationTokenSource().token);
      },
    );
    this.#replace('setStatusBarMessage', (text: string) => {
      this.#ask({ by: 'StatusBar', texts: [text], buttons: [], items: [] });
      return { dispose: () => undefined };
    });
  }

  /** All texts shown so far. */
  get texts(): string[] {
    return this.shown.flatMap(({ texts }) => texts);
  }

  dispose(): void {
    for (const [name, before] of this.#before) Object.assign(vscode.window, { [name]: before });
  }

  /** Creates a quick pick that asks for a choice whenever it shows new items: an item or a button of one. */
  #createQuickPick() {
    const onDidAccept = new vscode.EventEmitter<void>();
    const onDidHide = new vscode.EventEmitter<void>();
    const onDidTriggerItemButton = new vscode.EventEmitter<unknown>();
    const ask = (items: readonly vscode.QuickPickItem[]) => {
      const texts = [pick.title, pick.placeholder, ...items.flatMap(getTexts)];
      const choice = this.#ask({ by: 'QuickPick', texts, buttons: [], items });
      const item = items.find(({ buttons = [] }) => buttons.includes(choice as vscode.QuickInputButton));
      if (item) onDidTriggerItemButton.fire({ item, button: choice });
      else if (choice !== undefined) {
        pick.selectedItems = [choice as vscode.QuickPickItem];
        onDidAccept.fire();
      }
    };
    let items: readonly vscode.QuickPickItem[] = [];
    let visible = false;
    const pick = {
      title: '',
      placeholder: '',
      value: '',
      busy: false,
      activeItems: [] as readonly vscode.QuickPickItem[],
      selectedItems: [] as readonly vscode.QuickPickItem[],
      onDidAccept: onDidAccept.event,
      onDidHide: onDidHide.event,
      onDidTriggerItemButton: onDidTriggerItemButton.event,
      get items() {
        return items;
      },
      set items(shown) {
        items = shown;
        if (visible) ask(shown);
      },
      show() {
        visible = true;
        ask(items);
      },
      hide: () => onDidHide.fire(),
      dispose: () => vscode.Disposable.from(onDidAccept, onDidHide, onDidTriggerItemButton).dispose(),
    };
    this.quickPick = pick;
    return pick;
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

function getTexts({ label, description = '', detail = '' }: vscode.QuickPickItem): string[] {
  return [label, description, detail];
}

/** Splits text that VS Code shows with line breaks. */
function splitLines(text: string | undefined): string[] {
  return text?.split('\n') ?? [];
}
