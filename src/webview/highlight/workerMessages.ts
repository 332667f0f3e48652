import type { LanguageRegistration } from '@shikijs/primitive';

/** What the page says to the worker that tokenizes. It is answered in order, one message at a time. */
export type ToWorker =
  /** Adds grammars, each written by `writeGrammar`. */
  | { readonly type: 'grammars'; readonly grammars: readonly string[] }
  /** Tokenizes lines of a block, which go on after those before; the first `skip` have their tokens already. */
  | {
      readonly type: 'lines';
      readonly blockId: number;
      readonly grammar: string;
      readonly lines: readonly string[];
      readonly skip: number;
    }
  /** Forgets where a block's lines left off. Has no answer. */
  | { readonly type: 'forget'; readonly blockId: number };

export type FromWorker =
  /** More of the lines; `scopes` are those that weren't told of before, as `Scopes.takeNew` numbers them. */
  | {
      readonly type: 'tokens';
      readonly lines: readonly TokenNumbers[];
      readonly scopes: readonly NewScope[];
    }
  | { readonly type: 'done' }
  /** The rest of the block can't be tokenized. */
  | { readonly type: 'failed'; readonly reason: string };

/** Where each token of a line ends, followed by the number of its scope. */
export type TokenNumbers = readonly number[];

/** A scope's name and the number of the one around it; none is -1. */
export type NewScope = readonly [parent: number, name: string];

/** What an expression is written as; those of oniguruma-to-es have options of their own. */
interface WrittenRegExp {
  readonly $regexp: readonly [source: string, flags: string, options: object | null];
}

/** Writes a grammar as text: a message would lose what oniguruma-to-es's expressions have beyond others. */
export function writeGrammar(grammar: LanguageRegistration): string {
  return JSON.stringify(grammar, (_, value: unknown): unknown => {
    if (!(value instanceof RegExp)) return value;
    const { source, flags, rawOptions = null } = value as RegExp & { readonly rawOptions?: object };
    return { $regexp: [source, flags, rawOptions] } satisfies WrittenRegExp;
  });
}

/** Reads what `writeGrammar` wrote; `create` makes an expression that has options. */
export function readGrammar(
  json: string,
  create: (source: string, flags: string, options: object) => RegExp,
): LanguageRegistration {
  return JSON.parse(json, (_, value: Partial<WrittenRegExp> | null) => {
    const written = value?.$regexp;
    if (!written) return value;
    const [source, flags, options] = written;
    return options ? create(source, flags, options) : new RegExp(source, flags);
  });
}
