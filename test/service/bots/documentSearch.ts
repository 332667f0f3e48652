import MiniSearch from 'minisearch';
import type { TextDocument } from './documentText';
import { type Passage, passages } from './passages';
import { type Declaration, declarations } from './symbols';
import { normalize, rawWords, tokenize } from './terms';

/** Ranked search over the passages of some documents. */
export class DocumentSearch {
  readonly documents: readonly TextDocument[];
  readonly #passages: readonly Passage[];
  #index: MiniSearch | undefined;

  constructor(documents: readonly TextDocument[]) {
    this.documents = documents;
    this.#passages = documents.flatMap((document) => passages(document));
  }

  /** The passages that say most about `words`, best first; with `fuzzy`, also those with a similar spelling. */
  find(words: readonly string[], fuzzy = false): Passage[] {
    const results = this.#build().search(words.join(' '), {
      boost: { names: 4, headings: 2, file: 0.5 },
      prefix: (term) => term.length > 3,
      ...(fuzzy && { fuzzy: (term: string) => (term.length > 3 ? 0.25 : false) }),
    });
    const enough = (results[0]?.score ?? 0) * 0.45;
    return results
      .filter(({ score }) => score >= enough)
      .flatMap(({ id }) => this.#passages[id as number] ?? []);
  }

  /** How each document begins. */
  opening(): Passage[] {
    return this.documents.flatMap((document) => passages(document).slice(0, 1));
  }

  /** The declarations of a name, those that spell it exactly first. */
  declarationsOf(name: string): Declaration[] {
    const all = this.documents.flatMap((document) => declarations(document));
    const exact = all.filter((each) => each.name === name);
    return exact.length ? exact : all.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  }

  /** The lines outside of its declaration in which code mentions a name (a table of data doesn't). */
  mentionsOf({
    name,
    document: home,
    startLine,
    endLine,
  }: Declaration): { document: TextDocument; line: number }[] {
    return this.documents
      .filter((document) => declarations(document).length > 0)
      .flatMap((document) =>
        document.lines.flatMap((text, index) => {
          const line = index + 1;
          const inside = document === home && line >= startLine && line <= endLine;
          return !inside && rawWords(text).includes(name) ? [{ document, line }] : [];
        }),
      );
  }

  /** Only a question that names no declaration needs the index. */
  #build(): MiniSearch {
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
