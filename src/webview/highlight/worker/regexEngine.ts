import type { createShikiPrimitive } from '@shikijs/primitive';
import type { OnigScanner, OnigString } from '@shikijs/vscode-textmate';
import { findRequiredText } from './regexPrefilter';

type RegexEngine = Parameters<typeof createShikiPrimitive>[0]['engine'];
type Line = string | OnigString;

const NOT_FOUND = -1;
/** vscode-textmate's value for a group that didn't take part in a match. */
const MISSING_GROUP = 2 ** 32 - 1;

/** A regular expression of a grammar, and the result of its last search. */
class Search {
  readonly #regexp: RegExp;
  #required: readonly string[] | undefined;
  /** Whether a match further right is valid for a search from there: the expression doesn't depend on the start. */
  readonly #reusable: boolean;
  #line: Line | undefined;
  #from = 0;
  #index = NOT_FOUND;
  #match: RegExpExecArray | null = null;

  constructor(regexp: RegExp) {
    this.#regexp = regexp;
    this.#reusable =
      !regexp.sticky && !(regexp as { rawOptions?: { strategy?: string | null } }).rawOptions?.strategy;
  }

  /** Returns where the expression matches in a line, from an offset on. */
  find(line: Line, from: number): number {
    const isCached = this.#reusable && this.#line === line && this.#from <= from;
    if (isCached && (this.#index === NOT_FOUND || this.#index >= from)) return this.#index;
    if (this.#line === undefined) this.#required = findRequiredText(this.#regexp);
    const text = typeof line === 'string' ? line : line.content;
    this.#match = this.#mayMatch(text, from) ? this.#exec(text, from) : null;
    this.#index = this.#match?.index ?? NOT_FOUND;
    this.#line = line;
    this.#from = from;
    return this.#index;
  }

  /** Returns the start and end of each group of the last match. */
  getCaptures(): { start: number; end: number; length: number }[] {
    return Array.from(this.#match?.indices ?? [], (group: [number, number] | undefined) => {
      const [start, end] = group ?? [MISSING_GROUP, MISSING_GROUP];
      return { start, end, length: end - start };
    });
  }

  #mayMatch(text: string, from: number): boolean {
    return !this.#required || this.#required.some((required) => text.includes(required, from));
  }

  #exec(text: string, from: number): RegExpExecArray | null {
    this.#regexp.lastIndex = from;
    return this.#regexp.exec(text);
  }
}

/**
 * Runs grammars with precompiled expressions. Finds the same matches as Shiki's raw engine, but searches a line only once
 * per expression, however many rules share it, and only if the line may match.
 */
export function createRegexEngine(): RegexEngine {
  const searches = new Map<string | RegExp, Search>();

  const getSearch = (pattern: string | RegExp) => {
    // A pattern that needs no translation is a plain string.
    const regexp = typeof pattern === 'string' ? new RegExp(escapeRegex(pattern), 'dg') : pattern;
    // Expressions of oniguruma-to-es may override how they search.
    const key = regexp.constructor === RegExp ? String(regexp) : regexp;
    let search = searches.get(key);
    if (!search) {
      search = new Search(regexp);
      searches.set(key, search);
    }
    return search;
  };

  const createScanner = (patterns: readonly (string | RegExp)[]): OnigScanner => {
    const all = patterns.map(getSearch);
    return {
      findNextMatchSync(line, from) {
        let best: Search | undefined;
        let bestAt = Number.POSITIVE_INFINITY;
        for (const search of all) {
          const at = search.find(line, from);
          if (at === NOT_FOUND || at >= bestAt) continue;
          best = search;
          bestAt = at;
          if (at === from) break;
        }
        return best ? { index: all.indexOf(best), captureIndices: best.getCaptures() } : null;
      },
    };
  };

  return { createScanner, createString: (content) => ({ content }) };
}

function escapeRegex(text: string): string {
  return text.replace(/[^\w\s]/g, '\\$&');
}
