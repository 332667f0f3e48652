import { t } from '../base/l10n';

/** Longer formulas (characters) are left as their source. */
const MAX_LENGTH = 5_000;
/** Groups in groups; formulas that people write have fewer than ten. */
const MAX_BRACE_DEPTH = 50;
/** Temml's work grows with the length of the formula, times three for each command that repeats its argument. */
const MAX_REPEATED_LENGTH = 100_000;
/** Macros of a reply's own could make any number of symbols from few; models hardly write them. */
const DEFINITION =
  /(?<!\\)(?:\\\\)*\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/;
/** Temml builds the argument of these two or three times, so that nesting them makes an exponential tree. */
const REPEATING = /\\(?:cancelto|(?:math)?llap|equilibrium(?:Left|Right))(?![A-Za-z])/g;

/**
 * Throws a RangeError where Temml could take long for a formula: once Temml has begun, nothing can end it. Commands
 * count wherever they stand, in comments and texts as well, so that no other reading of the formula finds more of them.
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
