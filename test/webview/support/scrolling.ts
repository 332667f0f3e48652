import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '../../support/waitUntil';
import type { Panel } from './panel';

/**
 * Returns the first turn in sight and its top, once they have been the same for more frames than scrolling to a place or
 * returning to one takes: turns get their real height in the first ones.
 */
export function waitForRest(panel: Panel): Promise<[turnId: string, top: number]> {
  return panel.page.evaluate(async () => {
    let [last, frames] = ['', 0];
    while (frames <= 8) {
      await new Promise(requestAnimationFrame);
      const top = document.querySelector('.transcript')?.getBoundingClientRect().top ?? 0;
      const turn = [...document.querySelectorAll('article')].find(
        (article) => article.getBoundingClientRect().bottom > top,
      );
      const now = JSON.stringify([turn?.dataset.turn, Math.round(turn?.getBoundingClientRect().top ?? 0)]);
      frames = now === last ? frames + 1 : 0;
      last = now;
    }
    return JSON.parse(last) as [string, number];
  });
}

/** Scrolls the transcript up with the wheel, and waits until it rests elsewhere: the wheel's event comes before. */
export async function scrollUp(panel: Panel, px: number): Promise<void> {
  await panel.page.getByRole('log').hover();
  const before = await waitForRest(panel);
  await panel.page.mouse.wheel(0, -px);
  await waitUntil('the wheel has scrolled', async () => !isDeepStrictEqual(await waitForRest(panel), before));
  await panel.page.locator('.jump').waitFor();
}
