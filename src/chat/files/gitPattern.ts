/** Counts the steps of matching, so that hostile patterns end early. */
export class MatchSteps {
  readonly #max: number;
  used = 0;

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  /** Throws TooManyStepsError. */
  count(): void {
    if (++this.used > this.#max) throw new TooManyStepsError();
  }
}

export class TooManyStepsError extends Error {
  override readonly name = 'TooManyStepsError';
}

/** Matches one character. `undefined` matches any number of them. */
type Token = ((character: string) => boolean) | undefined;
/** Tokens without one for `/`. `anyFolders` matches any number of folders. */
type Segment = readonly Token[] | 'anyFolders';

/** A pattern of a `.gitignore` file. */
export interface GitPattern {
  /** It begins with `!`: what it matches isn't ignored. */
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** It has a slash before its end, so it matches paths from its folder on. Others match names at any depth. */
  readonly isAnchored: boolean;
  readonly segments: readonly Segment[];
}

/** The names of `[:alpha:]` and the like, as Git knows them: of ASCII only. */
const characterClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[\da-f]/i,
};

/** Parses the lines of a `.gitignore` file. */
export function parseGitPatterns(text: string): GitPattern[] {
  return text.split(/\r?\n/).flatMap((line) => parseGitPattern(line) ?? []);
}

/** Returns undefined for a line without a pattern, and for one that Git never matches. */
export function parseGitPattern(line: string): GitPattern | undefined {
  if (line.startsWith('#')) return undefined;
  let text = trimEnd(line);
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  const segments = text === '' ? undefined : parseSegments(Array.from(text), isAnchored);
  return segments && { isNegated, foldersOnly, isAnchored, segments };
}

/** Removes spaces at the end, but not one after a backslash. */
function trimEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function parseSegments(text: readonly string[], isAnchored: boolean): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let stars = 0;
  const end = () => {
    const isAnyFolders = isAnchored && stars >= 2 && tokens.length === 1;
    segments.push(isAnyFolders ? 'anyFolders' : tokens);
    tokens = [];
    stars = 0;
  };
  for (let at = 0; at < text.length; at++) {
    let character = text[at];
    if (character === '\\') {
      character = text[++at];
      if (character === undefined) return undefined;
      if (character !== '/') {
        tokens.push(createLiteral(character));
        continue;
      }
    }
    if (character === '/') end();
    else if (character === '*') {
      stars++;
      // Several are as one.
      if (tokens.length === 0 || tokens.at(-1) !== undefined) tokens.push(undefined);
    } else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const set = parseSet(text, at + 1);
      if (!set) return undefined;
      tokens.push(set.token);
      at = set.end;
    } else if (character !== undefined) tokens.push(createLiteral(character));
  }
  end();
  return segments;
}

function createLiteral(literal: string): Token {
  return (character) => character === literal;
}

/** Parses a set from behind its `[`; `end` is the index of its `]`. Returns undefined if there is none: Git then matches nothing. */
function parseSet(
  text: readonly string[],
  start: number,
): { readonly token: Token; readonly end: number } | undefined {
  const isNegated = text[start] === '!' || text[start] === '^';
  const tests: ((character: string) => boolean)[] = [];
  const first = isNegated ? start + 1 : start;
  let previous: string | undefined;
  for (let at = first; ; at++) {
    let character = text[at];
    if (character === undefined) return undefined;
    // The first character of a set can be `]` itself.
    if (character === ']' && at > first) {
      return { token: (one) => tests.some((test) => test(one)) !== isNegated, end: at };
    }
    const next = text[at + 1];
    if (character === '-' && previous !== undefined && next !== undefined && next !== ']') {
      const from = previous;
      const to = next === '\\' ? text[at + 2] : next;
      if (to === undefined) return undefined;
      tests.push((one) => compare(from, one) <= 0 && compare(one, to) <= 0);
      at += next === '\\' ? 2 : 1;
      previous = undefined;
      continue;
    }
    if (character === '[' && next === ':') {
      const close = text.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (text[close - 1] === ':' && close - 1 >= at + 2) {
        const characterClass = characterClasses[text.slice(at + 2, close - 1).join('')];
        if (!characterClass) return undefined;
        tests.push((one) => characterClass.test(one));
        at = close;
        previous = undefined;
        continue;
      }
    }
    if (character === '\\') {
      character = text[++at];
      if (character === undefined) return undefined;
    }
    const literal = character;
    tests.push((one) => one === literal);
    previous = literal;
  }
}

function compare(one: string, other: string): number {
  return (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
}

/**
 * Returns whether a pattern matches a path: its parts from the pattern's folder on, each as its characters. Takes time in the
 * product of their lengths at most.
 */
export function matchesGitPattern(
  { segments, foldersOnly, isAnchored }: GitPattern,
  path: readonly (readonly string[])[],
  isFolder: boolean,
  steps: MatchSteps,
): boolean {
  if (foldersOnly && !isFolder) return false;
  return matchSequence<Segment, readonly string[]>(segments, isAnchored ? path : path.slice(-1), {
    isAny: (segment) => segment === 'anyFolders',
    // `a/**` matches what is inside of a, not a.
    minLast: 1,
    matches: (segment, name) =>
      segment !== 'anyFolders' &&
      matchSequence<Token, string>(segment, name, {
        isAny: (token) => token === undefined,
        minLast: 0,
        matches: (token, character) => token?.(character) === true,
        steps,
      }),
    steps,
  });
}

/** Returns whether a pattern matches a file or one of the folders that it is in. */
export function matchesFolderOrFile(pattern: GitPattern, path: readonly (readonly string[])[]): boolean {
  const steps = new MatchSteps();
  return path.some((_, index) =>
    matchesGitPattern(pattern, path.slice(0, index + 1), index < path.length - 1, steps),
  );
}

/**
 * Matches items against a pattern, some of whose parts match any number of items. After a mismatch only the last such part takes
 * one more item: the earlier ones have matched at the earliest place already.
 */
function matchSequence<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  {
    isAny,
    minLast,
    matches,
    steps,
  }: {
    readonly isAny: (part: P) => boolean;
    /** The number of items that a part at the end matches at least if it matches any number. */
    readonly minLast: number;
    readonly matches: (part: P, item: I) => boolean;
    readonly steps: MatchSteps;
  },
): boolean {
  let part = 0;
  let item = 0;
  let anyPart = -1;
  let anyItem = 0;
  for (;;) {
    steps.count();
    if (part < pattern.length && isAny(pattern[part] as P)) {
      if (part === pattern.length - 1) return items.length - item >= minLast;
      anyPart = part++;
      anyItem = item;
    } else if (part === pattern.length && item === items.length) return true;
    else if (part < pattern.length && item < items.length && matches(pattern[part] as P, items[item] as I)) {
      part++;
      item++;
    } else if (anyPart >= 0 && anyItem < items.length) {
      part = anyPart + 1;
      item = ++anyItem;
    } else return false;
  }
}
