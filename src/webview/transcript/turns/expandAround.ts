/** Makes a node visible if it is in a collapsed message or in closed details. */
export function expandAround(node: Node): void {
  let element = node instanceof Element ? node : node.parentElement;
  // The component of a message listens to the event, and the class goes at once, so that it can be scrolled to.
  const message = element?.closest('.collapsed');
  message?.classList.remove('collapsed');
  message?.dispatchEvent(new Event('toggle'));
  for (; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
}
