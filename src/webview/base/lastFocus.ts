let last: Element | null = null;

document.addEventListener('focusin', ({ target }) => {
  last = target instanceof Element ? target : null;
});
// A click on text focuses nothing, and may select something: that stays so.
document.addEventListener('pointerdown', () => {
  last = null;
});

/** Returns the focused element, or the one that had the focus before the window lost it and forgot it. */
export function getLastFocused(): HTMLElement | undefined {
  const { activeElement } = document;
  const element = activeElement === document.body && last?.isConnected ? last : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : undefined;
}
