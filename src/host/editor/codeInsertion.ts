import * as vscode from 'vscode';
import type { Conversation } from '../../chat/model/conversation';
import { containsCode } from '../../chat/text/containsCode';
import { showInformation } from '../base/dialogs';
import type { ChangeReview } from './changeReview';
import type { EditorFocus } from './editorFocus';

const { t } = vscode.l10n;

/**
 * Inserts the code of a reply into the last active editor. It is reviewed first if the user didn't choose the editor,
 * or if the code isn't in a reply of the conversation: a page that was taken over can ask for any text in any file.
 */
export class CodeInsertion {
  readonly #editors: EditorFocus;
  readonly #review: ChangeReview;

  constructor({ editorFocus, review }: { editorFocus: EditorFocus; review: ChangeReview }) {
    this.#editors = editorFocus;
    this.#review = review;
  }

  /** Inserts code at each cursor; selected text stays. `conversation`: the one that the page shows. */
  async insertAtCursor(conversation: Conversation | undefined, code: string): Promise<void> {
    await this.#change(conversation, code, ({ active }) => new vscode.Range(active, active));
  }

  /** Replaces each selection. */
  async replaceSelection(conversation: Conversation | undefined, code: string): Promise<void> {
    await this.#change(conversation, code, (selection) => selection);
  }

  async #change(
    conversation: Conversation | undefined,
    code: string,
    getRange: (selection: vscode.Selection) => vscode.Range,
  ): Promise<void> {
    const { editor } = this.#editors;
    if (!editor) {
      void showInformation(t('Open a file in an editor first.'));
      return;
    }
    const { document, selections, viewColumn } = editor;
    const ranges = selections.map(getRange);
    if (!this.#editors.isChosen(editor) || !isInReply(conversation, code)) {
      await this.#review.propose(document, replaceRanges(document, ranges, code));
      return;
    }
    await editor.edit((edit) => {
      for (const range of ranges) {
        if (range.isEmpty) edit.insert(range.start, code);
        else edit.replace(range, code);
      }
    });
    await vscode.window.showTextDocument(document, viewColumn);
  }
}

/** Only replies count: a page can send a message with any text. */
function isInReply(conversation: Conversation | undefined, code: string): boolean {
  return (conversation?.turns ?? []).some((turn) => turn.kind === 'reply' && containsCode(turn.text, code));
}

/** Returns the document's text with all ranges replaced by the code. */
function replaceRanges(document: vscode.TextDocument, ranges: readonly vscode.Range[], code: string): string {
  let text = '';
  let end = 0;
  const whole = document.getText();
  for (const range of ranges.toSorted((a, b) => a.start.compareTo(b.start))) {
    text += whole.slice(end, document.offsetAt(range.start)) + code;
    end = document.offsetAt(range.end);
  }
  return text + whole.slice(end);
}
