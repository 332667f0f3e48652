const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Attempts to find a free pseudonym before it becomes longer: single-digit IDs soon run out. */
const TRIES = 20;

/**
 * Replaces IDs by others of the same length and the same kinds of characters: the same ID by the same one each time,
 * two IDs by two.
 */
export class Pseudonyms {
  readonly #byId = new Map<string, string>();
  readonly #used = new Set<string>();
  #state = 20250214;

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (id === '') return id;
    let pseudonym = this.#create(id);
    for (let tries = 1; pseudonym === id || this.#used.has(pseudonym); tries++)
      pseudonym = this.#create(tries < TRIES ? id : id + '0'.repeat(tries - TRIES + 1));
    this.#byId.set(id, pseudonym);
    this.#used.add(pseudonym);
    return pseudonym;
  }

  #create(id: string): string {
    // The letters of hexadecimal IDs stay hexadecimal.
    const letters = /^[\da-f-]+$/i.test(id) ? LETTERS.slice(0, 6) : LETTERS;
    // A number doesn't start with a zero.
    const isNumber = /^[1-9]\d*$/.test(id);
    // What has neither would stay as it is.
    const hasNone = !/[a-z\d]/i.test(id);
    return id.replace(/./gs, (character, index: number) => {
      if (hasNone) return this.#pick(letters);
      if (/\d/.test(character)) return this.#pick(isNumber && index === 0 ? DIGITS.slice(1) : DIGITS);
      if (/[a-z]/.test(character)) return this.#pick(letters);
      if (/[A-Z]/.test(character)) return this.#pick(letters).toUpperCase();
      return /[-_.~/:=+@]/.test(character) ? character : 'x';
    });
  }

  /** Picks a letter at random, by a generator that depends on nothing that is redacted. */
  #pick(letters: string): string {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return letters.charAt(Math.floor((this.#state / 2 ** 32) * letters.length));
  }
}
