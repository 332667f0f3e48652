/** Texts of which a line must contain one; undefined where that isn't known. */
type Required = readonly string[] | undefined;

/** More alternatives are not worth looking for. */
const MOST = 8;

/**
 * Texts of which at least one stands in whatever a regular expression matches or looks ahead at; undefined where there
 * are none. To look for a text is many times faster than to search with the expression, and spares compiling it.
 */
export function requiredText({ source, ignoreCase }: RegExp): readonly string[] | undefined {
  // Nor of those with modifiers, as in (?i:…), or with strings in a class.
  if (ignoreCase || /\(\?[ims-]+:|\\q\{/.test(source)) return undefined;
  return new Scan(source).alternatives();
}

/** Reads an expression's source from left to right. */
class Scan {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end of a group, or of everything. */
  alternatives(): Required {
    let all: Required = this.#sequence();
    while (this.#take('|')) {
      const next = this.#sequence();
      all = all && next && all.length + next.length <= MOST ? [...all, ...next] : undefined;
    }
    return all;
  }

  /** What is asked for most strictly of all that follows each other. */
  #sequence(): Required {
    let best: Required;
    let run = '';
    const offer = (required: Required) => {
      if (strictness(required) > strictness(best)) best = required;
    };
    const endRun = () => {
      if (run !== '') offer([run]);
      run = '';
    };
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      const atom = this.#atom();
      const repeats = this.#quantifier();
      if (atom.literal !== undefined && repeats === undefined) {
        run += atom.literal;
        continue;
      }
      if (atom.literal !== undefined && repeats) run += atom.literal;
      if (atom.empty) continue;
      endRun();
      if (repeats !== false) offer(atom.required);
    }
    endRun();
    return best;
  }

  /** A character, class, group or assertion; `empty` where what stands around it is adjacent all the same. */
  #atom(): { literal?: string; required?: Required; empty?: boolean } {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) {
      this.#class();
      return {};
    }
    if (this.#take('\\')) return this.#escape();
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    if (character === '.') return {};
    return character === '^' || character === '$' ? { empty: true } : { literal: character };
  }

  #group(): { required?: Required; empty?: boolean } {
    const [kind = ''] = /^\?(?:<?[=!]|:|<[^>]*>)/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += kind.length;
    const required = this.alternatives();
    this.#take(')');
    // What a line must not have, or may have further left than the search begins, doesn't count.
    if (kind === '?!' || kind === '?<!' || kind === '?<=') return { empty: true };
    return { required };
  }

  #class(): void {
    while (this.#at < this.#source.length && !this.#take(']')) {
      if (this.#take('[')) this.#class();
      else if (this.#take('\\')) this.#at++;
      else this.#at++;
    }
  }

  #escape(): { literal?: string; empty?: boolean } {
    const rest = this.#source.slice(this.#at);
    if (rest[0] === 'b' || rest[0] === 'B') {
      this.#at++;
      return { empty: true };
    }
    const [token = ''] =
      /^(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|k<[^>]*>|\d+|[a-zA-Z]|.)/su.exec(rest) ??
      [];
    this.#at += token.length;
    return /^[^\da-zA-Z]/.test(token) ? { literal: token } : {};
  }

  /** True where what precedes stands at least once, false where it may be missing; undefined where nothing says so. */
  #quantifier(): boolean | undefined {
    const [token] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at, this.#at + 12)) ?? [];
    if (token === undefined) return undefined;
    this.#at += token.length;
    return !/^(?:[*?]|\{0)/.test(token);
  }

  #take(character: string): boolean {
    if (this.#source.charAt(this.#at) !== character) return false;
    this.#at++;
    return true;
  }
}

/** Long texts are rarer, and few are sooner looked for. */
function strictness(required: Required): number {
  if (!required) return 0;
  return Math.min(...required.map(({ length }) => length)) * 10 - required.length;
}
