import type * as vscode from 'vscode';
import { appendTestOutput, type TerminalText, toTerminalText } from './inertTests';

/**
 * Writes what questions that are asked at the same time say, one after the other: the first one's text as it comes, that of
 * the others once those before them have ended.
 */
export class TestOutput {
  readonly #run: vscode.TestRun;
  /** What isn't written yet, in the order in which the questions began. */
  readonly #waiting = new Map<vscode.TestItem, { texts: TerminalText[]; isDone: boolean }>();
  /** The first half of a character whose second half is in the next chunk. */
  readonly #halves = new Map<vscode.TestItem, string>();

  constructor(run: vscode.TestRun) {
    this.#run = run;
  }

  /** Appends untrusted text of a question. */
  appendReplyText(item: vscode.TestItem, text: string): void {
    const whole = (this.#halves.get(item) ?? '') + text;
    const end = /[\ud800-\udbff]$/.test(whole) ? whole.length - 1 : whole.length;
    this.#halves.set(item, whole.slice(end));
    this.#write(item, toTerminalText(whole.slice(0, end)));
  }

  appendLine(item: vscode.TestItem, text: string): void {
    this.appendReplyText(item, `${text}\n`);
  }

  /** Says that a question has ended. */
  endItem(item: vscode.TestItem): void {
    this.appendReplyText(item, '\n');
    const own = this.#waiting.get(item);
    if (own) own.isDone = true;
    for (const [next, { texts, isDone }] of this.#waiting) {
      for (const text of texts.splice(0)) appendTestOutput(this.#run, text, next);
      if (!isDone) return;
      this.#waiting.delete(next);
    }
  }

  /** Appends a line of the whole run, after everything else. */
  appendSummary(text: string): void {
    appendTestOutput(this.#run, toTerminalText(`${text}\n`));
  }

  #write(item: vscode.TestItem, text: TerminalText): void {
    const own = this.#waiting.get(item) ?? { texts: [], isDone: false };
    this.#waiting.set(item, own);
    const [first] = this.#waiting.keys();
    if (first === item) appendTestOutput(this.#run, text, item);
    else own.texts.push(text);
  }
}
