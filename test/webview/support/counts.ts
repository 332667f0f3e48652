import type { Panel } from './panel';

/** Counts elements on each change of the page, starting now. Returns a function for these counts, from the first nonzero one. */
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
