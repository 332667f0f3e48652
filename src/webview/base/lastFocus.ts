let last: Element | null = null;

document.addEventListener('focusin', ({ target }) => {
  last = target instanceof Element ? target : null;
});

/** What has the keyboard, or had it before the window took it away: until it is back the page itself doesn't know. */
export function getLastFocused(): HTMLElement | undefined {
  const { activeElement } = document;
  const element = activeElement === document.body && last?.isConnected ? last : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : undefined;
}
