import { findWords } from '../../../shared/text/searchText';
import { expandAround } from './expandAround';

const HIGHLIGHT_NAME = 'search-match';
/** More matches than anyone looks at; the browser slows down with each. */
const MAX_HIGHLIGHTS = 10_000;

/** Highlights folded words in an element, without changing its content, until the next key or click. Returns the first one. */
export function highlightWords(element: HTMLElement, words: readonly string[]): Range | undefined {
  clearHighlights();
  if (words.length === 0) return undefined;
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text && ranges.length < MAX_HIGHLIGHTS; text = texts.nextNode()) {
    for (const [start, end] of findWords(text.nodeValue ?? '', words)) {
      if (ranges.length === MAX_HIGHLIGHTS) break;
      expandAround(text);
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, end);
      ranges.push(range);
    }
  }
  setHighlights(ranges);
  document.addEventListener('keydown', clearHighlights, { once: true });
  document.addEventListener('pointerdown', clearHighlights, { once: true });
  return ranges[0];
}

/** Highlights ranges until `clearHighlights`. */
export function setHighlights(ranges: readonly Range[]): void {
  CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges));
}

export function clearHighlights(): void {
  CSS.highlights.delete(HIGHLIGHT_NAME);
  document.removeEventListener('keydown', clearHighlights);
  document.removeEventListener('pointerdown', clearHighlights);
}

/** Highlights a turn for two seconds. */
export function flashTurn(turn: HTMLElement): void {
  turn.classList.remove('revealed');
  // Timed by CSS, so that it lasts as long with reduced motion.
  turn.addEventListener('animationend', () => turn.classList.remove('revealed'), { once: true });
  turn.classList.add('revealed');
}
