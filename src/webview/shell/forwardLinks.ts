import type { Page } from '../page/page';

/** Hands every click on a link to the host, which asks before it opens one. */
export function forwardLinks(root: HTMLElement, page: Page): void {
  const forward = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link || (event.type === 'auxclick' && event.button !== 1)) return;
    event.preventDefault();
    // VS Code's own listener on the window would open it a second time.
    event.stopPropagation();
    page.post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  };
  root.addEventListener('click', forward);
  root.addEventListener('auxclick', forward);
}
