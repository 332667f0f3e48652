import * as vscode from 'vscode';

/** Tells the editors that the user chose from those that a page opened. */
export class EditorFocus implements vscode.Disposable {
  /** The document of the editor that was active last. */
  #last = vscode.window.activeTextEditor?.document;
  /** Those that a page has opened, or moved the cursor of, and the user hasn't typed or moved the cursor in since. */
  readonly #openedByPages = new WeakSet<vscode.TextDocument>();
  /** Count of editors that pages are opening now. */
  #opening = 0;
  readonly #listeners = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (!editor) return;
      this.#last = editor.document;
      if (this.#opening > 0) this.#openedByPages.add(editor.document);
    }),
    // VS Code reports no kind for a cursor that an extension sets, and `Command` for one that a jump sets.
    vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const { document } = textEditor;
      const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
      if (kind === Keyboard || kind === Mouse) {
        this.#last = document;
        this.#openedByPages.delete(document);
      } else if (this.#opening > 0) this.#openedByPages.add(document);
    }),
  );

  /** The editor that was active last. The active one is none while an editor tab shows a page. */
  get editor(): vscode.TextEditor | undefined {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    return (
      activeTextEditor ??
      visibleTextEditors.find(({ document }) => document === this.#last) ??
      visibleTextEditors[0]
    );
  }

  /** Returns whether the user chose the editor: not if a page opened it, until they type or move the cursor in it. */
  isChosen({ document }: vscode.TextEditor): boolean {
    return this.#opening === 0 && document === this.#last && !this.#openedByPages.has(document);
  }

  /** Opens an editor because a page asks for it. */
  async openForPage(open: () => Thenable<unknown>): Promise<void> {
    this.#opening++;
    try {
      await open();
    } finally {
      this.#opening--;
    }
  }

  dispose(): void {
    this.#listeners.dispose();
  }
}
