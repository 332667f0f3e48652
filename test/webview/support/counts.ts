import type { Panel } from './panel';

/** Counts elements whenever the page changes, beginning now. The result returns these numbers, the first that isn't 0 first. */
export async function watchCount(panel: Panel, selector: string): Promise<() => Promise<number[]>> {
  const counts = await panel.page.evaluateHandle((wanted) => {
    const found: number[] = [];
    const observer = new MutationObserver(() => {
      const count = document.querySelectorAll(wanted).length;
      if (count > 0) found.push(count);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return found;
  }, selector);
  return () => counts.jsonValue();
}
