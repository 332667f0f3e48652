import type { CodeTheme } from '../../shared/codeTheme';
import { grammarName } from './languages';
import type { Painter } from './painter';
import { startWorker } from './startWorker';

/** Gives code blocks the colours of the person's theme. What that takes is loaded when the first block wants it. */
export class Highlighter {
  readonly #grammars = new WeakMap<HTMLElement, string>();
  /** Lines that came before the painter or the theme did. */
  #early: [pre: HTMLElement, grammar: string, line: Text][] = [];
  #theme: CodeTheme | undefined;
  #painter: Painter | undefined;
  #loading: Promise<void> | undefined;

  /** A block begins. */
  block(pre: HTMLElement, language: string): void {
    const grammar = grammarName(language);
    if (grammar === undefined) return;
    this.#grammars.set(pre, grammar);
    this.#loading ??= this.#load();
  }

  /** A line of a block is complete. */
  line(pre: HTMLElement, line: Text): void {
    const grammar = this.#grammars.get(pre);
    if (grammar === undefined) return;
    if (this.#painter && this.#theme) this.#painter.add(pre, grammar, line);
    else this.#early.push([pre, grammar, line]);
  }

  /** Takes a theme, or another one. */
  setTheme(theme: CodeTheme): void {
    this.#theme = theme;
    this.#painter?.setTheme(theme);
    this.#begin();
  }

  /** Resolves when every line that can be coloured is. */
  async idle(): Promise<void> {
    await this.#loading;
    await this.#painter?.idle();
  }

  async #load(): Promise<void> {
    try {
      const { Painter } = await import('./painter');
      this.#painter = new Painter(startWorker);
    } catch (error) {
      // Code stays readable without colours.
      console.error('No colours for code:', error);
      return;
    }
    if (this.#theme) this.#painter.setTheme(this.#theme);
    this.#begin();
  }

  #begin(): void {
    if (!this.#painter || !this.#theme) return;
    for (const [pre, grammar, line] of this.#early) this.#painter.add(pre, grammar, line);
    this.#early = [];
  }
}
