/** Whether something is selected; querying it for each line would make the browser lay out the page each time. */
let hasSelection = false;

/** Starts tracking the selection. */
export function watchSelection(): void {
  const update = () => {
    hasSelection = document.getSelection()?.isCollapsed === false;
  };
  update();
  document.addEventListener('selectionchange', update);
}

/** Replaces nodes by others with the same text; keeps a selection that starts or ends in them. */
export function keepSelection(
  before: readonly ChildNode[],
  after: readonly ChildNode[],
  replace: () => void,
): void {
  if (!hasSelection) {
    replace();
    return;
  }
  const selection = document.getSelection();
  const { anchorNode, focusNode, anchorOffset, focusOffset } = selection ?? {};
  const anchor = getOffset(before, anchorNode, anchorOffset);
  const focus = getOffset(before, focusNode, focusOffset);
  replace();
  if (anchor === undefined && focus === undefined) return;
  const from = anchor === undefined ? ([anchorNode, anchorOffset] as const) : getPoint(after, anchor);
  const to = focus === undefined ? ([focusNode, focusOffset] as const) : getPoint(after, focus);
  if (from?.[0] && to?.[0]) selection?.setBaseAndExtent(from[0], from[1] ?? 0, to[0], to[1] ?? 0);
}

/** Returns the offset of a point in the nodes' text; undefined if it is elsewhere. */
function getOffset(
  nodes: readonly ChildNode[],
  node: Node | null | undefined,
  offset = 0,
): number | undefined {
  if (!(node instanceof Text)) return undefined;
  let characters = 0;
  for (const child of nodes) {
    if (child === node || child.firstChild === node) return characters + offset;
    characters += child.textContent?.length ?? 0;
  }
  return undefined;
}

function getPoint(nodes: readonly ChildNode[], offset: number): readonly [Node, number] | undefined {
  let characters = 0;
  for (const child of nodes) {
    const text = child instanceof Text ? child : child.firstChild;
    const length = child.textContent?.length ?? 0;
    if (text && offset <= characters + length) return [text, offset - characters];
    characters += length;
  }
  return undefined;
}
