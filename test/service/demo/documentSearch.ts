import MiniSearch from 'minisearch';
import type { TextDocument } from './documentText';
import { getPassages, type Passage } from './passages';
import { type Declaration, findDeclarations } from './symbols';
import { findWords, normalize, tokenize } from './terms';

/** Searches the passages of documents, with ranking. */
export class DocumentSearch {
  readonly documents: readonly TextDocument[];
  readonly #passages: readonly Passage[];
  #index: MiniSearch | undefined;

  constructor(documents: readonly TextDocument[]) {
    this.documents = documents;
    this.#passages = documents.flatMap((document) => getPassages(document));
  }

  /** Returns the passages most relevant to `words`, best first; with `fuzzy`, also for similar spellings. */
  find(words: readonly string[], fuzzy = false): Passage[] {
    const results = this.#getIndex().search(words.join(' '), {
      boost: { names: 4, headings: 2, file: 0.5 },
      prefix: (term) => term.length > 3,
      ...(fuzzy && { fuzzy: (term: string) => (term.length > 3 ? 0.25 : false) }),
    });
    const minScore = (results[0]?.score ?? 0) * 0.45;
    return results
      .filter(({ score }) => score >= minScore)
      .flatMap(({ id }) => this.#passages[id as number] ?? []);
  }

  /** Returns the first passage of each document. */
  getOpenings(): Passage[] {
    return this.documents.flatMap((document) => getPassages(document).slice(0, 1));
  }

  /**
   * Returns the declarations of a name: those with the exact spelling or, without any, those that differ in
   * case.
   */
  findDeclarations(name: string): Declaration[] {
    const all = this.documents.flatMap((document) => findDeclarations(document));
    const exact = all.filter((declaration) => declaration.name === name);
    return exact.length
      ? exact
      : all.filter((declaration) => declaration.name.toLowerCase() === name.toLowerCase());
  }

  /** Returns the lines of code outside of the declaration that mention its name. Data files are skipped. */
  findMentions({
    name,
    document: home,
    startLine,
    endLine,
  }: Declaration): { document: TextDocument; line: number }[] {
    return this.documents
      .filter((document) => findDeclarations(document).length > 0)
      .flatMap((document) =>
        document.lines.flatMap((text, index) => {
          const line = index + 1;
          const inside = document === home && line >= startLine && line <= endLine;
          return !inside && findWords(text).includes(name) ? [{ document, line }] : [];
        }),
      );
  }

  /** Builds the index when it is first needed: a question that names a declaration doesn't need it. */
  #getIndex(): MiniSearch {
    if (this.#index) return this.#index;
    const index = new MiniSearch({
      fields: ['text', 'headings', 'names', 'file'],
      tokenize,
      processTerm: normalize,
    });
    index.addAll(
      this.#passages.map(({ text, headings, names, document }, id) => ({
        id,
        text,
        headings: headings.join(' '),
        names: names.join(' '),
        file: document.name,
      })),
    );
    this.#index = index;
    return index;
  }
}
