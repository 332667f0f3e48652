import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { END_TOLERANCE_PX, findVisibleTurns, isScrolledToEnd } from '../transcript/turns/scrollPosition';

/**
 * Returns the ID of the turn that is being read: the last one that starts in the upper half of what is in sight, or the
 * one that fills it; at the ends of the transcript the first and the last one in sight.
 */
export function useTurnInSight(scroller: RefObject<HTMLElement | null>): string | undefined {
  const [turnId, setTurnId] = useState(() => scroller.current && findTurnInSight(scroller.current));
  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (!element) return;
    let frame: number | undefined;
    const update = () => {
      frame = undefined;
      setTurnId(findTurnInSight(element));
    };
    const updateSoon = () => {
      frame ??= requestAnimationFrame(update);
    };
    // Content that grows changes what is in sight without a scroll event.
    const observer = new ResizeObserver(updateSoon);
    for (const child of [element, ...element.children]) observer.observe(child);
    element.addEventListener('scroll', updateSoon, { passive: true });
    return () => {
      element.removeEventListener('scroll', updateSoon);
      observer.disconnect();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [scroller]);
  return turnId ?? undefined;
}

function findTurnInSight(scroller: HTMLElement): string | undefined {
  const turns = [...findVisibleTurns(scroller, 0)];
  const { scrollTop, clientHeight } = scroller;
  if (isScrolledToEnd(scroller)) return turns.at(-1)?.dataset.turn;
  if (scrollTop < END_TOLERANCE_PX) return turns[0]?.dataset.turn;
  const middle = scroller.getBoundingClientRect().top + clientHeight / 2;
  const started = turns.findLast((turn) => turn.getBoundingClientRect().top <= middle);
  return (started ?? turns[0])?.dataset.turn;
}
