import MiniSearch from 'minisearch';
import { type Question, readQuestion } from './question';
import { compareQuestions } from './sameQuestion';

/** Terms of a question that are looked up, the rarest ones: the same question has most of them. */
const MAX_TERMS = 6;
/** Occurrences of these terms that are ranked. The rarest term counts whatever it has. */
const MAX_OCCURRENCES = 4000;
/** Questions that are compared word by word, the best ones. */
const MAX_COMPARED = 50;

interface Indexed<T> {
  readonly id: number;
  /** Its terms, separated by spaces. */
  readonly terms: string;
  readonly text: string;
  readonly entry: T;
}

/** How much work the last search was. */
export interface SearchWork {
  readonly occurrences: number;
  readonly compared: number;
}

/** Questions that can be searched for one that means the same: ranked by BM25, then compared word by word. */
export class QuestionIndex<T extends object> {
  readonly #search = new MiniSearch<Indexed<T>>({
    fields: ['terms'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
    autoVacuum: false,
  });
  readonly #indexed = new Map<number, Indexed<T>>();
  readonly #ids = new Map<T, number>();
  /** In how many questions each term is: searching for a frequent one takes long. */
  readonly #counts = new Map<string, number>();
  #nextId = 0;
  #work: SearchWork = { occurrences: 0, compared: 0 };

  get size(): number {
    return this.#indexed.size;
  }

  get lastWork(): SearchWork {
    return this.#work;
  }

  has(entry: T): boolean {
    return this.#ids.has(entry);
  }

  addQuestion(entry: T, text: string, question: Question): void {
    const terms = [...question.terms.keys()];
    const indexed = { id: this.#nextId++, terms: terms.join(' '), text, entry };
    this.#indexed.set(indexed.id, indexed);
    this.#ids.set(entry, indexed.id);
    this.#search.add(indexed);
    for (const term of terms) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
  }

  removeQuestion(entry: T): void {
    const indexed = this.#indexed.get(this.#ids.get(entry) ?? -1);
    if (!indexed) return;
    this.#ids.delete(entry);
    this.#indexed.delete(indexed.id);
    this.#search.remove(indexed);
    for (const term of indexed.terms.split(' ')) {
      const count = (this.#counts.get(term) ?? 0) - 1;
      if (count > 0) this.#counts.set(term, count);
      else this.#counts.delete(term);
    }
  }

  /** Returns the questions that mean the same, with how much of them is the same, from 0 to 1. */
  findQuestions(question: Question): { readonly entry: T; readonly share: number }[] {
    const queries = this.#chooseTerms(question);
    const found = queries.length === 0 ? [] : this.#search.search({ combineWith: 'OR', queries });
    const best = found.slice(0, MAX_COMPARED);
    this.#work = { ...this.#work, compared: best.length };
    return best.flatMap(({ id }) => {
      const indexed = this.#indexed.get(id);
      const other = indexed && readQuestion(indexed.text);
      const share = other && compareQuestions(question, other);
      return indexed && share !== undefined ? { entry: indexed.entry, share } : [];
    });
  }

  #chooseTerms({ terms }: Question): string[] {
    const known = [...terms.keys()].flatMap((term) => {
      const count = this.#counts.get(term);
      return count === undefined ? [] : { term, count };
    });
    const rarest = known.sort((a, b) => a.count - b.count).slice(0, MAX_TERMS);
    let occurrences = 0;
    const chosen = rarest.filter(({ count }, index) => {
      if (index > 0 && occurrences + count > MAX_OCCURRENCES) return false;
      occurrences += count;
      return true;
    });
    this.#work = { occurrences, compared: 0 };
    return chosen.map(({ term }) => term);
  }
}
