/** Distance in px within which the transcript counts as scrolled to an end. */
export const END_TOLERANCE_PX = 8;

/** The visible position in the transcript, to return to later. */
export interface ScrollPosition {
  readonly isAtEnd: boolean;
  /** Scrolls back to the same turn. */
  scrollBack(): void;
}

/** Yields the turns that are in sight, or less than `margin` px away from it. */
export function* findVisibleTurns(scroller: HTMLElement, margin: number): Generator<HTMLElement> {
  const view = scroller.getBoundingClientRect();
  const isNear = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > view.top - margin && top < view.bottom + margin;
  };
  for (const section of scroller.querySelectorAll('.section')) {
    if (!isNear(section)) continue;
    for (const turn of section.querySelectorAll<HTMLElement>(':scope > article'))
      if (isNear(turn)) yield turn;
  }
}

/** Returns whether the transcript is scrolled to its end. */
export function isScrolledToEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - clientHeight - scrollTop < END_TOLERANCE_PX;
}

export function getScrollPosition(scroller: HTMLElement): ScrollPosition {
  const isAtEnd = isScrolledToEnd(scroller);
  const [turn] = findVisibleTurns(scroller, 0);
  const getTop = () => (turn?.getBoundingClientRect().top ?? 0) - scroller.getBoundingClientRect().top;
  const top = getTop();
  const restore = (frames: number) => {
    if (turn?.isConnected) scroller.scrollTop += getTop() - top;
    // Content gets its real height only when near the viewport.
    if (frames > 0) requestAnimationFrame(() => restore(frames - 1));
  };
  return { isAtEnd, scrollBack: () => restore(4) };
}

/** Scrolls the code block or table around a range sideways until the range is in sight. */
export function scrollSideways(range: Range, scroller: HTMLElement): void {
  const { startContainer } = range;
  let box = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  while (box && box !== scroller && box.scrollWidth <= box.clientWidth) box = box.parentElement;
  if (!box || box === scroller) return;
  const view = box.getBoundingClientRect();
  const { left, right } = range.getBoundingClientRect();
  if (left < view.left || right > view.right) box.scrollLeft += left - view.left - view.width / 2;
}
