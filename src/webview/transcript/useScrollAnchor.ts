import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { usePage } from '../page/pageServices';
import type { PageState } from '../page/state';
import type { AutoScroller } from './autoScroll';
import { clearHighlights, flashTurn, highlightWords } from './turns/searchHighlights';

type ContentRef = RefObject<HTMLDivElement | null>;
type ScrollerRef = RefObject<AutoScroller | undefined>;

/** Keeps the scroll position while sections are added above, also at the very top. */
export function useScrollAnchor(content: ContentRef, autoScroller: ScrollerRef): void {
  const before = useRef<{ section: HTMLElement; top: number }>(undefined);
  useLayoutEffect(() => {
    const section = content.current?.querySelector<HTMLElement>(':scope > .section');
    if (!section) return;
    const { current } = before;
    // Content was only added if another section is the first now; avoid a layout otherwise.
    if (section === current?.section) return;
    if (current?.section.isConnected)
      autoScroller.current?.adjustForGrowthAbove(current.section.offsetTop - current.top);
    before.current = { section, top: section.offsetTop };
  });
}

/** Scrolls to the turn to reveal as soon as it is rendered, and highlights it and the words it was found by. */
export function useReveal(
  reveal: PageState['reveal'],
  turns: readonly Turn[],
  content: ContentRef,
  autoScroller: ScrollerRef,
  draw: (index: number) => void,
): void {
  const page = usePage();
  const done = useRef<PageState['reveal']>(undefined);
  useLayoutEffect(() => clearHighlights, []);
  useLayoutEffect(() => {
    if (!reveal || reveal === done.current) return;
    const index = turns.findIndex(({ id }) => id === reveal.turnId);
    if (index < 0) return;
    const turn = content.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(reveal.turnId)}"]`);
    if (!turn) return draw(index);
    done.current = reveal;
    const word = highlightWords(turn, page.getHitWords(reveal.turnId));
    flashTurn(turn);
    if (reveal.focus) turn.focus({ preventScroll: true });
    autoScroller.current?.scrollTo(word ?? turn);
  });
}
