import { findWords } from '../../shared/searchText';

/** The name under which styles know marked words. */
const NAME = 'sought';

/** Marks folded words in an element, without a change to what it holds, until the person goes on. Returns the first one's place. */
export function markWords(element: HTMLElement, words: readonly string[]): Range | undefined {
  clearMarks();
  if (words.length === 0) return undefined;
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const [start, end] of findWords(text.nodeValue ?? '', words)) {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, end);
      ranges.push(range);
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
  document.addEventListener('keydown', clearMarks, { once: true });
  document.addEventListener('pointerdown', clearMarks, { once: true });
  return ranges[0];
}

export function clearMarks(): void {
  CSS.highlights.delete(NAME);
  document.removeEventListener('keydown', clearMarks);
  document.removeEventListener('pointerdown', clearMarks);
}

/** Tells for two seconds which turn is meant. */
export function flash(turn: HTMLElement): void {
  turn.classList.remove('revealed');
  // As CSS times it, so that it is as long for who wants no motion.
  turn.addEventListener('animationend', () => turn.classList.remove('revealed'), { once: true });
  turn.classList.add('revealed');
}
