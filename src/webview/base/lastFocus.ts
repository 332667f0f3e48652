let last: Element | null = null;

document.addEventListener('focusin', ({ target }) => {
  last = target instanceof Element ? target : null;
});
// A click on text focuses nothing and may select it: moving the focus back would clear the selection.
document.addEventListener('pointerup', () => {
  last = document.activeElement;
});

/**
 * Returns the focused element, or the one that had the focus before the window lost it and forgot it; undefined after a
 * click that focused nothing.
 */
export function getLastFocused(): HTMLElement | undefined {
  const { activeElement } = document;
  const element = activeElement === document.body && last?.isConnected ? last : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : undefined;
}
