import type { Frame } from 'playwright-core';

declare global {
  interface Window {
    /** When each chunk was painted, ms since the epoch, by its number. */
    paints: number[];
    stopPaints: () => void;
  }
}

/** What to add to `performance.now()` for ms since the epoch, finer than `Date.now()`; the same clock in every process. */
export function clockOffset(): number {
  const before = Date.now();
  while (Date.now() === before);
  return Date.now() - performance.now();
}

/**
 * Notes when each chunk is painted in the last element that `selector` finds. Painted: after the change of the DOM came a
 * frame (requestAnimationFrame), and after that frame a task of its own, which runs when the frame's paint is recorded.
 */
export async function watchPaints(frame: Frame, selector: string): Promise<void> {
  const offset = await frame.evaluate(clockOffset);
  await frame.evaluate(noteThem, { selector, offset });
}

/** Waits for the paint of so many chunks; resolves to when each was. */
export async function takePaints(frame: Frame, count: number): Promise<number[]> {
  await frame.waitForFunction((all) => window.paints.length >= all, count, { polling: 100, timeout: 60_000 });
  return await frame.evaluate(() => {
    window.stopPaints();
    return window.paints;
  });
}

function noteThem({ selector, offset }: { selector: string; offset: number }): void {
  const root = [...document.querySelectorAll(selector)].at(-1);
  if (!root) throw new Error(`There is no ${selector}.`);
  window.paints = [];
  let inDom = 0;
  let scheduled = false;
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => {
    const now = offset + performance.now();
    while (window.paints.length < data) window.paints.push(now);
  };
  const observer = new MutationObserver(() => {
    let last: Node = root;
    while (last.lastChild) last = last.lastChild;
    const number = /c(\d+)$/.exec((last.nodeValue ?? '').slice(-8))?.[1];
    if (number === undefined) return;
    inDom = Number(number) + 1;
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      port1.postMessage(inDom);
    });
  });
  observer.observe(root, { subtree: true, childList: true, characterData: true });
  window.stopPaints = () => observer.disconnect();
}
