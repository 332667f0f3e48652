import type { Question } from './question';
import { ASKED_FOR, type Interrogative } from './wordLists';

/** How many words of the topic both must have. */
const MIN_COMMON_WEIGHT = 2;
/** How much of the topic both must have. */
const MIN_SHARE = 0.8;
const STRONG = 1;
/** A word with a typing error has at least so many letters. */
const MIN_TYPO_LENGTH = 6;

/**
 * Returns how much of two questions is the same, from 0 to 1; undefined if they don’t mean the same. Both sides may ask in
 * their own way, but neither may have a word of its own that matters: a wrong answer is worse than none.
 */
export function compareQuestions(one: Question, other: Question): number | undefined {
  if (one.isNegated !== other.isNegated || !hasSame(one.exact, other.exact)) return undefined;
  if (!asksForSame(one, other) || isReversed(one, other)) return undefined;
  const left = new Map(one.terms);
  const right = new Map(other.terms);
  let common = 0;
  const match = (a: string, b: string) => {
    common += Math.max(left.get(a) ?? 0, right.get(b) ?? 0);
    left.delete(a);
    right.delete(b);
  };
  for (const term of one.terms.keys()) if (right.has(term)) match(term, term);
  for (const term of left.keys()) {
    const similar = [...right.keys()].find((candidate) => isTypo(term, candidate));
    if (similar !== undefined) match(term, similar);
  }
  const [inOne, inOther] = [[...left.values()], [...right.values()]];
  if (inOne.includes(STRONG) && inOther.includes(STRONG)) return undefined;
  const rest = [...inOne, ...inOther].reduce((sum, weight) => sum + weight, 0);
  const share = common / (common + rest);
  return common >= MIN_COMMON_WEIGHT && share >= MIN_SHARE ? share : undefined;
}

function hasSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

function asksForSame(one: Question, other: Question): boolean {
  if (one.asks === 'polar' && other.asks === 'polar') return one.asksForDuty === other.asksForDuty;
  return one.asks === other.asks || isCompatible(one, other.asks) || isCompatible(other, one.asks);
}

/** Returns whether a question asks for the same as an interrogative, in other words. */
function isCompatible({ asks, terms }: Question, other: Interrogative): boolean {
  if (asks !== 'what' && asks !== 'how' && asks !== 'none') return false;
  if (other === 'how' || other === 'what') return true;
  return [...terms.keys()].some((term) => ASKED_FOR[other]?.has(term));
}

/** Returns whether one leads to where the other comes from. */
function isReversed(one: Question, other: Question): boolean {
  const swaps = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((term) => b.has(term));
  if (swaps(one.targets, other.sources) || swaps(one.sources, other.targets)) return true;
  const differ = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
    const [left, right] = [
      [...a].filter((term) => other.terms.has(term)),
      [...b].filter((term) => one.terms.has(term)),
    ];
    return left.length > 0 && right.length > 0 && !left.some((term) => right.includes(term));
  };
  return differ(one.targets, other.targets) || differ(one.sources, other.sources);
}

/** Returns whether two long words differ by one letter, or by the order of two. */
function isTypo(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < MIN_TYPO_LENGTH || Math.abs(one.length - other.length) > 1)
    return false;
  if (/\d/.test(one + other) || one.slice(0, 2) !== other.slice(0, 2)) return false;
  let start = 0;
  while (one[start] === other[start] && start < one.length) start++;
  let end = 0;
  while (one.at(-1 - end) === other.at(-1 - end) && end < Math.min(one.length, other.length) - start) end++;
  const [a, b] = [one.length - start - end, other.length - start - end];
  if (Math.max(a, b) <= 1) return true;
  return a === 2 && b === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
}
