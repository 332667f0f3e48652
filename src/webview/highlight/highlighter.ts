import type { CodeTheme } from '../../shared/view/codeTheme';
import { importWithRetries } from '../base/importWithRetries';
import { startWorker } from '../base/startWorker';
import { findGrammarName } from './languages';
import type { Painter } from './painter';

/** Colors code blocks in the user's theme. The code for it is loaded for the first block. */
export class Highlighter {
  readonly #grammars = new WeakMap<HTMLElement, string>();
  /** Lines added before the painter or the theme was available. */
  #earlyLines: [pre: HTMLElement, grammar: string, line: Text][] = [];
  #theme: CodeTheme | undefined;
  #painter: Painter | undefined;
  #loading: Promise<void> | undefined;

  /** Starts a block. */
  addBlock(pre: HTMLElement, language: string): void {
    const grammar = findGrammarName(language);
    if (grammar === undefined) return;
    this.#grammars.set(pre, grammar);
    this.#loading ??= this.#load();
  }

  /** Adds a complete line of a block. */
  addLine(pre: HTMLElement, line: Text): void {
    const grammar = this.#grammars.get(pre);
    if (grammar === undefined) return;
    if (this.#painter && this.#theme) this.#painter.addLine(pre, grammar, line);
    else this.#earlyLines.push([pre, grammar, line]);
  }

  /** Sets or changes the theme. */
  setTheme(theme: CodeTheme): void {
    this.#theme = theme;
    this.#painter?.setTheme(theme);
    this.#paintEarlyLines();
  }

  /** Resolves when all lines are colored. */
  async whenIdle(): Promise<void> {
    await this.#loading;
    await this.#painter?.whenIdle();
  }

  async #load(): Promise<void> {
    try {
      const { Painter } = await importWithRetries(() => import('./painter'));
      this.#painter = new Painter(startWorker);
    } catch (error) {
      // Code is readable without colors.
      console.error("Couldn't load code coloring:", error);
      return;
    }
    if (this.#theme) this.#painter.setTheme(this.#theme);
    this.#paintEarlyLines();
  }

  #paintEarlyLines(): void {
    if (!this.#painter || !this.#theme) return;
    for (const [pre, grammar, line] of this.#earlyLines) this.#painter.addLine(pre, grammar, line);
    this.#earlyLines = [];
  }
}
