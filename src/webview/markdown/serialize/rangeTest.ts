/**
 * Creates a function that returns whether a node is in a range, at least in part. `Range.intersectsNode` counts the
 * siblings before a node each time, which takes quadratic time for all of them.
 */
export function createRangeTest(range: Range): (node: Node) => boolean {
  const outside = findOutside(range);
  return (node) => {
    for (let at: Node | null = node; at; at = at.parentNode) if (outside.has(at)) return false;
    return true;
  };
}

/** Finds the nodes beside the ends of a range, and beside their ancestors: these contain all that isn't in it. */
function findOutside({ startContainer, startOffset, endContainer, endOffset }: Range): Set<Node> {
  const outside = new Set<Node>();
  if (!(startContainer instanceof CharacterData))
    for (const child of [...startContainer.childNodes].slice(0, startOffset)) outside.add(child);
  if (!(endContainer instanceof CharacterData))
    for (const child of [...endContainer.childNodes].slice(endOffset)) outside.add(child);
  for (let at: Node | null = startContainer; at; at = at.parentNode)
    for (let node = at.previousSibling; node; node = node.previousSibling) outside.add(node);
  for (let at: Node | null = endContainer; at; at = at.parentNode)
    for (let node = at.nextSibling; node; node = node.nextSibling) outside.add(node);
  return outside;
}
