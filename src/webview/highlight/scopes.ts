import type { NewScope } from './workerMessages';

/** What a token is: the innermost of the scopes that it stands in, linked to the outer ones as themes match them. */
export interface Scope {
  readonly scopeName: string;
  readonly parent: Scope | null;
}

class Node implements Scope {
  readonly scopeName: string;
  readonly parent: Node | null;
  readonly number: number;
  readonly children = new Map<string, Node>();

  constructor(scopeName: string, parent: Node | null, number: number) {
    this.scopeName = scopeName;
    this.parent = parent;
    this.number = number;
  }
}

/** Every stack of scopes is one object, however many tokens have it. */
export class Scopes {
  readonly #roots = new Map<string, Node>();
  readonly #all: Node[] = [];
  #taken = 0;

  /** The number of a token's scope, given from the outermost one in. */
  number(names: readonly string[]): number {
    let found: Node | null = null;
    for (const name of names) found = this.#child(found, name);
    if (!found) throw new Error('A token has no scope.');
    return found.number;
  }

  /** The scopes that are new since this was last asked, in the order of their numbers. */
  takeNew(): NewScope[] {
    const made = this.#all.slice(this.#taken);
    this.#taken = this.#all.length;
    return made.map(({ parent, scopeName }) => [parent?.number ?? -1, scopeName]);
  }

  /** The scope of a name in another scope. */
  find(parent: Scope | undefined, name: string): Scope {
    return this.#child(parent instanceof Node ? parent : null, name);
  }

  #child(parent: Node | null, name: string): Node {
    const children = parent?.children ?? this.#roots;
    let node = children.get(name);
    if (!node) {
      node = new Node(name, parent, this.#all.length);
      children.set(name, node);
      this.#all.push(node);
    }
    return node;
  }
}
