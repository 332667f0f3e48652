import type { NewScope } from './workerMessages';

/** A token's innermost scope, linked to the outer ones as themes match them. */
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

/** Interns stacks of scopes: each stack is one object, however many tokens have it. */
export class Scopes {
  readonly #roots = new Map<string, Node>();
  readonly #all: Node[] = [];
  #takenCount = 0;

  /** Returns the number of a stack of scopes, given from the outermost one. */
  getNumber(names: readonly string[]): number {
    let found: Node | null = null;
    for (const name of names) found = this.#child(found, name);
    if (!found) throw new Error('A token has no scope.');
    return found.number;
  }

  /** Returns the scopes added since the last call, in the order of their numbers. */
  takeNew(): NewScope[] {
    const newScopes = this.#all.slice(this.#takenCount);
    this.#takenCount = this.#all.length;
    return newScopes.map(({ parent, scopeName }) => [parent?.number ?? -1, scopeName]);
  }

  /** Returns the scope with a name in another scope. */
  getChild(parent: Scope | undefined, name: string): Scope {
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
