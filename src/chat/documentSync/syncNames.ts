import { findNameForms } from '../documents/matchDocuments';

/** A name with this many folders before it is long enough; then comes a number. */
const MAX_PARENTS = 4;

/**
 * Gives documents names of which none could be mistaken for another when the service lists them: two files of one name get the
 * names of their folders before it.
 */
export class SyncNames {
  /** By form: how many names have it. */
  readonly #taken = new Map<string, number>();

  add(name: string): void {
    for (const form of findNameForms(name)) this.#taken.set(form, (this.#taken.get(form) ?? 0) + 1);
  }

  remove(name: string): void {
    for (const form of findNameForms(name)) {
      const count = (this.#taken.get(form) ?? 0) - 1;
      if (count > 0) this.#taken.set(form, count);
      else this.#taken.delete(form);
    }
  }

  /** Returns a free name and takes it. `name`: the file's own, for an upload; `path`: the file's, with `/`. */
  take(name: string, path: string): string {
    const parents = path.split('/').slice(0, -1).reverse();
    let free = name;
    for (const parent of parents.slice(0, MAX_PARENTS)) {
      if (this.#isFree(free)) break;
      free = `${toPlainPart(parent)}-${free}`;
    }
    const stemLength = free.lastIndexOf('.');
    const [stem, extension] =
      stemLength > 0 ? [free.slice(0, stemLength), free.slice(stemLength)] : [free, ''];
    for (let number = 2; !this.#isFree(free); number++) free = `${stem}-${number}${extension}`;
    this.add(free);
    return free;
  }

  #isFree(name: string): boolean {
    return findNameForms(name).every((form) => !this.#taken.has(form));
  }
}

/** Returns a folder's name as part of a file name, not too long. */
function toPlainPart(folder: string): string {
  return Array.from(folder.replace(/[^\p{L}\p{N}_.]+/gu, '-'))
    .slice(0, 20)
    .join('');
}
