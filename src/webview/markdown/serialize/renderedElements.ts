/** Yields the children of an element, skipping elements that only group. */
export function* unwrapGroups(parent: Node): Generator<Node> {
  for (const child of parent.childNodes) {
    if (child instanceof Element && child.matches('.md-section, .md-items, .table-block'))
      yield* unwrapGroups(child);
    else yield child;
  }
}

/** Returns whether the renderer created the element for a block. */
export function isBlock(element: Element): boolean {
  return element.matches(
    'p, h1, h2, h3, h4, h5, h6, pre, ul, ol, blockquote, table, hr, .code-block, div.md-math, .md-details',
  );
}

/** Returns whether a line ends after a <br>, which isn't the case if a tag created it. */
export function isLineEnd({ nextSibling }: Element): boolean {
  return nextSibling instanceof Text && nextSibling.data.startsWith('\n');
}

/** Returns whether struck text can be written with tildes anywhere. */
export function isStruck(del: Element): boolean {
  const text = del.textContent;
  return (
    /^[\p{L}\p{N}]/u.test(text) &&
    /[\p{L}\p{N}]$/u.test(text) &&
    !del.querySelector('del') &&
    !del.parentElement?.closest('del') &&
    del.previousSibling?.nodeName !== 'DEL'
  );
}

export function isList(element: Element): boolean {
  return element.matches('ul, ol');
}
