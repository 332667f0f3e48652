import { createShikiPrimitive, type LanguageRegistration } from '@shikijs/primitive';
import type { StateStack } from '@shikijs/vscode-textmate';
import { createRegexEngine } from './regexEngine';
import { Scopes } from './scopes';
import type { NewScope, TokenNumbers } from './workerMessages';

/** The state of the grammar after the previous line. */
export type GrammarState = StateStack | null;

/** Time limit for a line; a single search may exceed it. */
const MAX_LINE_MS = 500;

/** Tokenizes code line by line with TextMate grammars: Shiki's engine without a theme. */
export class Tokenizer {
  readonly #shiki = createShikiPrimitive({ engine: createRegexEngine(), langs: [], themes: [] });
  readonly #scopes = new Scopes();

  /** Adds grammars; embedded ones must be among them or have been added before. */
  addGrammars(grammars: readonly LanguageRegistration[]): void {
    this.#shiki.loadLanguageSync(...grammars);
  }

  /** Returns the tokens of a line without its line break; undefined if it takes too long. */
  tokenizeLine(
    grammarName: string,
    text: string,
    state: GrammarState,
  ): { readonly tokens: TokenNumbers; readonly state: GrammarState } | undefined {
    // As in Shiki, an empty line changes nothing.
    if (text === '') return { tokens: [], state };
    const grammar = this.#shiki.getLanguage(grammarName);
    let line = grammar.tokenizeLine(text, state, MAX_LINE_MS);
    // Expressions are compiled on first use, so a second attempt is faster.
    if (line.stoppedEarly) line = grammar.tokenizeLine(text, state, MAX_LINE_MS);
    if (line.stoppedEarly) return undefined;
    const tokens = line.tokens.flatMap(({ endIndex, scopes }) => [
      Math.min(endIndex, text.length),
      this.#scopes.getNumber(scopes),
    ]);
    return { tokens, state: line.ruleStack };
  }

  /** Returns the scopes added since the last call. */
  takeNewScopes(): NewScope[] {
    return this.#scopes.takeNew();
  }
}
