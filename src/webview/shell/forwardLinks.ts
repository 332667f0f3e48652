import type { PanelController } from '../page/panelController';

/** Forwards clicks on links to the host, which asks before opening them. */
export function forwardLinks(root: HTMLElement, page: PanelController): void {
  const forward = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link || (event.type === 'auxclick' && event.button !== 1)) return;
    event.preventDefault();
    // Otherwise VS Code's own listener on the window opens the link a second time.
    event.stopPropagation();
    page.post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  };
  root.addEventListener('click', forward);
  root.addEventListener('auxclick', forward);
}
