/** A queue in which `shift` takes constant time: that of a long array moves all other items. */
export class Queue<T> {
  #added: T[] = [];
  /** The first items, in reverse order. */
  #first: T[] = [];

  get length(): number {
    return this.#added.length + this.#first.length;
  }

  push(item: T): void {
    this.#added.push(item);
  }

  /** Returns the first item. */
  peek(): T | undefined {
    if (this.#first.length === 0) {
      this.#first = this.#added.reverse();
      this.#added = [];
    }
    return this.#first.at(-1);
  }

  /** Removes the first item and returns it. */
  shift(): T | undefined {
    this.peek();
    return this.#first.pop();
  }
}
