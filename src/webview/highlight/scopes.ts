/** What a token is: the innermost of the scopes that it stands in, linked to the outer ones as themes match them. */
export interface Scope {
  readonly scopeName: string;
  readonly parent: Scope | null;
}

class Node implements Scope {
  readonly scopeName: string;
  readonly parent: Node | null;
  readonly children = new Map<string, Node>();

  constructor(scopeName: string, parent: Node | null) {
    this.scopeName = scopeName;
    this.parent = parent;
  }
}

/** Every stack of scopes is one object, however many tokens have it. */
export class Scopes {
  readonly #roots = new Map<string, Node>();

  /** The scope of a token, given from the outermost one in. */
  find(names: readonly string[]): Scope {
    let found: Node | null = null;
    let children = this.#roots;
    for (const name of names) {
      let node: Node | undefined = children.get(name);
      if (!node) {
        node = new Node(name, found);
        children.set(name, node);
      }
      found = node;
      children = node.children;
    }
    if (!found) throw new Error('A token has no scope.');
    return found;
  }
}
