import type { Frame } from 'playwright-core';

declare global {
  interface Window {
    /** The time of each chunk's paint by its number, in ms since the epoch. */
    paints: number[];
    stopPaints: () => void;
  }
}

/**
 * Returns the offset from `performance.now()` to ms since the epoch, more precise than `Date.now()` and the
 * same in every process.
 */
export function getClockOffset(): number {
  const before = Date.now();
  while (Date.now() === before);
  return Date.now() - performance.now();
}

/**
 * Records when each chunk is painted in the last element that matches `selector`, or in the last one below it that
 * matches `textSelector`. A chunk counts as painted in a task after the animation frame that follows its DOM change,
 * when the frame's paint is recorded.
 */
export async function watchPaints(frame: Frame, selector: string, textSelector?: string): Promise<void> {
  const offset = await frame.evaluate(getClockOffset);
  await frame.evaluate(recordPaints, { selector, textSelector, offset });
}

/** Waits until this many chunks are painted; resolves to the time of each. */
export async function takePaints(frame: Frame, count: number, timeout = 60_000): Promise<number[]> {
  await frame.waitForFunction((all) => window.paints.length >= all, count, { polling: 100, timeout });
  return await frame.evaluate(() => {
    window.stopPaints();
    return window.paints;
  });
}

interface RecordOptions {
  readonly selector: string;
  readonly textSelector: string | undefined;
  readonly offset: number;
}

/** Runs in the page. */
function recordPaints({ selector, textSelector, offset }: RecordOptions): void {
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
  const getLastText = () => {
    const parent = textSelector === undefined ? root : [...root.querySelectorAll(textSelector)].at(-1);
    if (!parent) return '';
    const texts = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT);
    let text = texts.lastChild();
    // VS Code's Markdown has line breaks between blocks.
    while (text && text.nodeValue?.trim() === '') text = texts.previousNode();
    return text?.nodeValue ?? '';
  };
  const observer = new MutationObserver(() => {
    const number = /c(\d+)$/.exec(getLastText().slice(-8))?.[1];
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
