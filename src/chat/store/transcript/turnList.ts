import type { Turn } from '../../model/turn';

interface Entry {
  turn: Turn;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/** Turns in order, by ID. Each operation takes the same time in a conversation of any length. */
export class TurnList {
  readonly #entries = new Map<string, Entry>();
  #first: Entry | undefined;
  #last: Entry | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get last(): Turn | undefined {
    return this.#last?.turn;
  }

  get(id: string): Turn | undefined {
    return this.#entries.get(id)?.turn;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Replaces the turn with the same ID, or else adds it before another one; last if there is no such turn. */
  set(turn: Turn, before?: string): void {
    const existing = this.#entries.get(turn.id);
    if (existing) {
      existing.turn = turn;
      return;
    }
    const next = before === undefined ? undefined : this.#entries.get(before);
    const previous = next ? next.previous : this.#last;
    const entry: Entry = { turn, previous, next };
    this.#link(previous, entry);
    this.#link(entry, next);
    this.#entries.set(turn.id, entry);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#link(entry.previous, entry.next);
    this.#entries.delete(id);
  }

  toArray(): Turn[] {
    const turns: Turn[] = [];
    for (let entry = this.#first; entry; entry = entry.next) turns.push(entry.turn);
    return turns;
  }

  /** Makes two entries neighbors; without one of them, the other becomes the first or the last. */
  #link(previous: Entry | undefined, next: Entry | undefined): void {
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
  }
}
