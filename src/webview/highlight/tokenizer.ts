import { createShikiPrimitive, type Grammar } from '@shikijs/primitive';
import type { StateStack } from '@shikijs/vscode-textmate';
import { grammarFiles } from './grammarFiles';
import { OutOfTime, regexEngine } from './regexEngine';
import type { Scope, Scopes } from './scopes';

/** What the lines above a line left open. */
export type GrammarState = StateStack | null;

/** A stretch of a line: where it ends, and what it is. */
export interface Token {
  readonly end: number;
  readonly scope: Scope;
}

export interface TokenizedLine {
  readonly tokens: readonly Token[];
  readonly state: GrammarState;
}

/** Longer lines (characters) are plain: minified code, data. */
const LONGEST = 2000;

/** Finds tokens line by line with TextMate grammars: Shiki's engine, which knows no theme here. */
export class Tokenizer {
  /** When the try at a line has to end, on the clock of `performance`. */
  #deadline = Number.POSITIVE_INFINITY;
  readonly #shiki = createShikiPrimitive({
    engine: regexEngine(() => performance.now() > this.#deadline),
    langs: [],
    themes: [],
  });
  readonly #loading = new Map<string, Promise<Grammar>>();
  readonly #scopes: Scopes;

  constructor(scopes: Scopes) {
    this.#scopes = scopes;
  }

  /** Loads a grammar once, with those it embeds. Rejects where its file can't be had. */
  async load(name: string): Promise<Grammar> {
    let loading = this.#loading.get(name);
    if (!loading) {
      loading = this.#load(name);
      this.#loading.set(name, loading);
    }
    return await loading;
  }

  /**
   * The tokens of a line (without its line break). Where they take longer than `limit` ms: `warming` when the line met
   * expressions of the grammar for the first time, and another try gets further; else `late`.
   */
  tokenize(
    grammar: Grammar,
    text: string,
    state: GrammarState,
    limit: number,
  ): TokenizedLine | 'warming' | 'late' {
    // As in Shiki: an empty line changes nothing.
    if (text === '' || text.length > LONGEST) return { tokens: [], state };
    this.#deadline = performance.now() + limit;
    let line: ReturnType<Grammar['tokenizeLine']>;
    try {
      line = grammar.tokenizeLine(text, state, limit);
    } catch (error) {
      if (error instanceof OutOfTime) return 'warming';
      throw error;
    }
    if (line.stoppedEarly) return 'late';
    const tokens = line.tokens.map(({ endIndex, scopes }) => ({
      end: Math.min(endIndex, text.length),
      scope: this.#scopes.find(scopes),
    }));
    return { tokens, state: line.ruleStack };
  }

  async #load(name: string): Promise<Grammar> {
    const file = grammarFiles[name];
    if (!file) throw new Error(`No grammar is called ${name}.`);
    const { default: grammars } = await file();
    this.#shiki.loadLanguageSync(...grammars);
    return this.#shiki.getLanguage(name);
  }
}
