import type { LanguageRegistration } from '@shikijs/primitive';

/** Messages from the page to the worker, answered in order, one at a time. */
export type ToWorker =
  /** Adds grammars serialized by `serializeGrammar`. */
  | { readonly type: 'grammars'; readonly grammars: readonly string[] }
  /** Tokenizes the next lines of a block; the first `skip` lines are already tokenized. */
  | {
      readonly type: 'lines';
      readonly blockId: number;
      readonly grammar: string;
      readonly lines: readonly string[];
      readonly skip: number;
    }
  /** Drops the state of a block. Has no answer. */
  | { readonly type: 'forget'; readonly blockId: number };

export type FromWorker =
  /** Tokens of more lines; `scopes` are the scopes added since the last message, numbered as by `Scopes.takeNew`. */
  | {
      readonly type: 'tokens';
      readonly lines: readonly TokenNumbers[];
      readonly scopes: readonly NewScope[];
    }
  | { readonly type: 'done' }
  /** The rest of the block can't be tokenized. */
  | { readonly type: 'failed'; readonly reason: string };

/** The end of each token of a line, followed by the number of its scope. */
export type TokenNumbers = readonly number[];

/** A scope's name and the number of its parent, -1 for none. */
export type NewScope = readonly [parent: number, name: string];

/** The serialized form of a regular expression; those of oniguruma-to-es have options. */
interface SerializedRegExp {
  readonly $regexp: readonly [source: string, flags: string, options: object | null];
}

/** Serializes a grammar: a structured clone would lose the options of oniguruma-to-es expressions. */
export function serializeGrammar(grammar: LanguageRegistration): string {
  return JSON.stringify(grammar, (_, value: unknown): unknown => {
    if (!(value instanceof RegExp)) return value;
    const { source, flags, rawOptions = null } = value as RegExp & { readonly rawOptions?: object };
    return { $regexp: [source, flags, rawOptions] } satisfies SerializedRegExp;
  });
}

/** Parses a grammar serialized by `serializeGrammar`; `create` creates an expression with options. */
export function parseGrammar(
  json: string,
  create: (source: string, flags: string, options: object) => RegExp,
): LanguageRegistration {
  return JSON.parse(json, (_, value: Partial<SerializedRegExp> | null) => {
    const written = value?.$regexp;
    if (!written) return value;
    const [source, flags, options] = written;
    return options ? create(source, flags, options) : new RegExp(source, flags);
  });
}
