import assert from 'node:assert/strict';
import { repeat } from '../support/repetition';
import { describePanel, type Panel } from './support/panel';
import { itInScenes } from './support/scenes';

/** Panel sizes in px; at a zoom of 200 % a page has half the room. */
const extremes: readonly Size[] = [
  { name: '320 px at 200 %', width: 160, height: 400 },
  { name: '400 px with text of 26 px', width: 400, height: 640, text: 26 },
  { name: '2000 px', width: 2000, height: 1000 },
];
const between: readonly Size[] = [
  { name: '200 px', width: 200, height: 640 },
  { name: '400 px at 200 %', width: 200, height: 400 },
  { name: '800 px', width: 800, height: 600 },
];

interface Size {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly text?: number;
}

for (const { name: size, width, height, text } of repeat(extremes, [...extremes, ...between])) {
  describePanel(`a panel of ${size}`, { width, height, reducedMotion: 'reduce' }, (panel) => {
    itInScenes(panel, 'has no horizontal scroll bar, and everything is reachable', async () => {
      if (text !== undefined) {
        await enlarge(panel, text);
        assert.deepEqual(await panel.page.evaluate(findLowLines), []);
      }
      assert.deepEqual(await panel.page.evaluate(findTooWide), []);
      assert.deepEqual(await panel.page.evaluate(findOutOfReach), []);
    });
  });
}

/** Sets the text size as the user's settings would. */
async function enlarge(panel: Panel, size: number): Promise<void> {
  await panel.change({ type: 'chatFont', chatFont: { size } });
  await panel.page.evaluate(
    (px) => document.documentElement.style.setProperty('--vscode-editor-font-size', `${px}px`),
    size,
  );
}

/** Returns where a line is lower than its letters. Those of `sub` and `sup` are: they must not move the lines around them. */
function findLowLines(): string[] {
  return [...document.querySelectorAll('#app *:not(math *, sub, sup)')]
    .filter((it) => [...it.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''))
    .filter((it) => {
      const { lineHeight, fontSize } = getComputedStyle(it);
      return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize);
    })
    .map((it) => it.className);
}

/** Returns elements that are too wide to be seen without scrolling, except those that scroll themselves. */
function findTooWide(): string[] {
  const { documentElement, body } = document;
  const whole = [
    documentElement,
    body,
    ...document.querySelectorAll('.app, .app > :not(.unseen), .transcript, .turn, .widget'),
  ];
  return whole
    .filter((it) => it.scrollWidth > it.clientWidth && getComputedStyle(it).display !== 'contents')
    .map((it) => `${it.localName}.${it.className}: ${it.scrollWidth} > ${it.clientWidth}`);
}

/** Returns controls that are unreachable: outside the window, or cut off by an element that the user can't scroll. */
function findOutOfReach(): string[] {
  const controls = [
    ...document.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [tabindex="0"]'),
  ];
  const covered = document.querySelector('.drop-zone, .widget');
  return controls
    .filter((it) => it.checkVisibility() && (!covered || covered.contains(it)))
    .filter((it) => {
      it.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const box = it.getBoundingClientRect();
      for (let around = it.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        if (overflowX === 'hidden' && around.scrollLeft !== 0) return true;
        if (overflowY === 'hidden' && around.scrollTop !== 0) return true;
      }
      const isBig = it.matches('.transcript, pre');
      const { innerWidth: right, innerHeight: bottom } = window;
      // Scroll positions are whole pixels, so an element at half a pixel is half a pixel off.
      const inside =
        box.left >= -0.5 && box.top >= -0.5 && box.right <= right + 0.5 && box.bottom <= bottom + 0.5;
      return box.width < 8 || box.height < 8 || (!inside && !isBig);
    })
    .map((it) => {
      const { left, top, right, bottom } = it.getBoundingClientRect();
      const name = it.ariaLabel ?? it.textContent?.slice(0, 20);
      return `${it.localName}.${it.className} ${name}: ${[left, top, right, bottom].map(Math.round)}`;
    });
}
