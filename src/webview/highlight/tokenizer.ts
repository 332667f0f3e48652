import { createShikiPrimitive, type LanguageRegistration } from '@shikijs/primitive';
import type { StateStack } from '@shikijs/vscode-textmate';
import { regexEngine } from './regexEngine';
import { Scopes } from './scopes';
import type { NewScope, TokenNumbers } from './workerMessages';

/** What the lines above a line left open. */
export type GrammarState = StateStack | null;

/** The time that a line may take, unless a single search takes longer. */
const MAX_LINE_MS = 500;

/** Finds tokens line by line with TextMate grammars: Shiki's engine, which knows no theme here. */
export class Tokenizer {
  readonly #shiki = createShikiPrimitive({ engine: regexEngine(), langs: [], themes: [] });
  readonly #scopes = new Scopes();

  /** Adds grammars; those that they embed are among them or were added before. */
  add(grammars: readonly LanguageRegistration[]): void {
    this.#shiki.loadLanguageSync(...grammars);
  }

  /** The tokens of a line (without its line break); undefined where they take too long. */
  tokenize(
    grammarName: string,
    text: string,
    state: GrammarState,
  ): { readonly tokens: TokenNumbers; readonly state: GrammarState } | undefined {
    // As in Shiki: an empty line changes nothing.
    if (text === '') return { tokens: [], state };
    const grammar = this.#shiki.getLanguage(grammarName);
    let line = grammar.tokenizeLine(text, state, MAX_LINE_MS);
    // Expressions are compiled when they first meet a line, which is quicker the second time.
    if (line.stoppedEarly) line = grammar.tokenizeLine(text, state, MAX_LINE_MS);
    if (line.stoppedEarly) return undefined;
    const tokens = line.tokens.flatMap(({ endIndex, scopes }) => [
      Math.min(endIndex, text.length),
      this.#scopes.number(scopes),
    ]);
    return { tokens, state: line.ruleStack };
  }

  /** The scopes that tokens have had since this was last asked. */
  takeNewScopes(): NewScope[] {
    return this.#scopes.takeNew();
  }
}
