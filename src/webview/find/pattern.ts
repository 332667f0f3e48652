/** A search pattern with the options of VS Code's find widget. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly regex: boolean;
}

/** A regular expression that can be posted to a worker. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** Whether a search for it may take hours, as for a user's expression; plain words never do. */
  readonly mayBeSlow: boolean;
}

/** The characters of words, such as letters with their accents. */
const WORD = '[\\p{L}\\p{M}\\p{N}_]';

/** Creates the pattern for a query; undefined for an empty one. Throws a `SyntaxError` for an invalid expression. */
export function createPattern({ text, matchCase, wholeWord, regex }: FindQuery): Pattern | undefined {
  if (text === '') return undefined;
  const flags = matchCase ? 'gmu' : 'gimu';
  const expression = regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  // Checked before it's wrapped: `a)(b` is only valid inside of parentheses.
  if (regex) new RegExp(expression, flags);
  const source = wholeWord ? `(?<!${WORD})(?:${expression})(?!${WORD})` : expression;
  return { source, flags, mayBeSlow: regex };
}
