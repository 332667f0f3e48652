import { t } from '../base/l10n';

/** In characters. Longer formulas are left as their source. */
const MAX_LENGTH = 5_000;
/** Maximum nesting of groups; formulas in practice have fewer than ten levels. */
const MAX_BRACE_DEPTH = 50;
/** Temml's work grows with the length of the formula, and triples for each command that repeats its argument. */
const MAX_REPEATED_LENGTH = 100_000;
/** Macros defined in a reply could expand to any number of symbols; models rarely define any. */
const DEFINITION =
  /(?<!\\)(?:\\\\)*\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/;
/** Temml builds the argument of these two or three times, so that nesting them grows exponentially. */
const REPEATING = /\\(?:cancelto|(?:math)?llap|equilibrium(?:Left|Right))(?![A-Za-z])/g;

/**
 * Throws a RangeError if Temml could take long for a formula: once started, it can't be stopped. Commands count
 * everywhere, even in comments and texts, so that no other reading of the formula finds more of them.
 */
export function checkFormula(tex: string): void {
  if (tex.length > MAX_LENGTH) throw new RangeError(t('The formula is too long.'));
  if (DEFINITION.test(tex)) throw new RangeError(t('The formula defines macros.'));
  const repeats = tex.match(REPEATING)?.length ?? 0;
  if (tex.length * 3 ** repeats > MAX_REPEATED_LENGTH || findBraceDepth(tex) > MAX_BRACE_DEPTH) {
    throw new RangeError(t('The formula is too large.'));
  }
}

function findBraceDepth(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of tex.matchAll(/\\.|[{}]/gs)) {
    if (token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === '}') depth--;
  }
  return deepest;
}
