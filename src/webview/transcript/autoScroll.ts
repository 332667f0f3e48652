/** Keys that scroll. */
const UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);
const DOWN_KEYS = new Set(['ArrowDown', 'PageDown', ' ']);

/** Frames until a place that was scrolled to has its final position: first its section gets real heights, then its turns. */
const SETTLING_FRAMES = 5;

/** Whether the user has scrolled away from the end, and how many lines have been added there since. */
export interface Away {
  readonly away: boolean;
  readonly newLines: number;
}

/**
 * Scrolls the transcript, in three states. *Filling*: a message was just sent; scrolls to the end until the message
 * reaches the top and stays there, so that a long reply can be read from its start. *Following*: scrolls to the end.
 * *Browsing*: doesn't scroll; entered as soon as the user scrolls up, selects text, or presses a key that scrolls up.
 */
export class AutoScroller {
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  readonly #onChange: (away: Away) => void;
  readonly #observer: ResizeObserver;
  #state: 'filling' | 'following' | 'browsing' = 'following';
  #top = 0;
  /** The last section when the end was last visible, and its height then in px: growth above it isn't new content. */
  #lastEnd: { readonly section: HTMLElement; readonly height: number } | undefined;
  #lastAway: Away = { away: false, newLines: 0 };

  constructor(scroller: HTMLElement, content: HTMLElement, onChange: (away: Away) => void) {
    this.#scroller = scroller;
    this.#content = content;
    this.#onChange = onChange;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    // Handled before the scroll event, whose effect would be undone by content growing in the same frame.
    scroller.addEventListener('wheel', this.#onWheel, { passive: true });
    scroller.addEventListener('keydown', this.#onKeyDown);
    document.addEventListener('selectionchange', this.#onSelectionChange);
    // Called after layout and before paint, so that the end never flickers.
    this.#observer = new ResizeObserver(() => this.#updateScroll());
    this.#observer.observe(scroller);
    this.#observer.observe(content);
    this.#updateScroll();
  }

  /** Scrolls to a message that was just sent, and fills the panel with its reply. */
  showSentMessage(): void {
    this.#state = 'filling';
    this.#updateScroll();
  }

  scrollToEnd(): void {
    this.#state = 'following';
    this.#updateScroll();
  }

  /** Scrolls an element or range to the middle (or to the top if it is taller than the panel) and stops auto-scrolling. */
  scrollTo(place: Element | Range): void {
    this.detach();
    // Content gets its real height only when near the viewport, and scroll anchoring would hold the previous position.
    this.#scroller.style.overflowAnchor = 'none';
    let frames = SETTLING_FRAMES;
    const settle = () => {
      this.#centerPlace(place);
      if (--frames > 0) requestAnimationFrame(settle);
      else this.#scroller.style.overflowAnchor = '';
    };
    settle();
  }

  #centerPlace(place: Element | Range): void {
    const view = this.#scroller.getBoundingClientRect();
    const { top, height } = place.getBoundingClientRect();
    this.#scroller.scrollTop += top - view.top - Math.max(0, (view.height - height) / 2);
    this.#top = this.#scroller.scrollTop;
    this.#notify();
  }

  /** Adjusts for content added above: at the very top, browsers have no scroll anchoring. */
  adjustForGrowthAbove(height: number): void {
    if (this.#state === 'browsing' && this.#scroller.scrollTop === 0) this.#scroller.scrollTop = height;
    this.#top = this.#scroller.scrollTop;
  }

  dispose(): void {
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    this.#scroller.removeEventListener('wheel', this.#onWheel);
    this.#scroller.removeEventListener('keydown', this.#onKeyDown);
    document.removeEventListener('selectionchange', this.#onSelectionChange);
    this.#observer.disconnect();
  }

  /** Scrolls to where the state requires. */
  #updateScroll(): void {
    if (this.#state !== 'browsing') {
      const end = this.#scroller.scrollHeight;
      const sent = this.#state === 'filling' ? this.#findLastMessage() : undefined;
      this.#scroller.scrollTop = sent ? Math.min(end, sent.offsetTop) : end;
      this.#top = this.#scroller.scrollTop;
    }
    this.#notify();
  }

  /** Finds the last message: it is followed by a document or two at most. */
  #findLastMessage(): HTMLElement | undefined {
    for (let section = this.#content.lastElementChild; section; section = section.previousElementSibling) {
      const found = [...section.querySelectorAll<HTMLElement>(':scope > .message')].at(-1);
      if (found) return found;
    }
    return undefined;
  }

  readonly #onScroll = () => {
    const { scrollTop } = this.#scroller;
    const left = this.#getDistanceToEnd();
    // Only scrolling up detaches: content that grew since the last frame also increases the distance.
    if (scrollTop < this.#top - 1 && left > 1) this.#state = 'browsing';
    else if (scrollTop > this.#top && left < 8) this.#state = 'following';
    this.#top = scrollTop;
    this.#notify();
  };

  readonly #onWheel = (event: WheelEvent) => {
    // While following, there is nothing below to scroll to.
    if (event.deltaY < 0 || this.#state === 'filling') this.detach();
  };

  readonly #onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'End' && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
      // The browser's own scrolling stops short if the wheel is still scrolling, or if content grows in the meantime.
      event.preventDefault();
      this.scrollToEnd();
      return;
    }
    if (UP_KEYS.has(event.key) || (DOWN_KEYS.has(event.key) && this.#state === 'filling')) this.detach();
  };

  readonly #onSelectionChange = () => {
    const selection = document.getSelection();
    if (selection?.isCollapsed === false && this.#scroller.contains(selection.anchorNode)) this.detach();
  };

  /** Stops auto-scrolling, unless all content fits into the panel. */
  detach(): void {
    if (this.#scroller.scrollHeight <= this.#scroller.clientHeight + 1) return;
    this.#state = 'browsing';
    this.#notify();
  }

  #getDistanceToEnd(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - clientHeight - scrollTop;
  }

  #notify(): void {
    const left = this.#getDistanceToEnd();
    if (left < 8) this.#rememberEnd();
    const away = this.#state === 'browsing' || (this.#state === 'filling' && left >= 8);
    const newLines = away ? Math.floor(this.#getGrowth() / getLineHeight(this.#scroller)) : 0;
    if (away === this.#lastAway.away && newLines === this.#lastAway.newLines) return;
    this.#lastAway = { away, newLines };
    this.#onChange(this.#lastAway);
  }

  #rememberEnd(): void {
    const section = this.#content.lastElementChild;
    this.#lastEnd =
      section instanceof HTMLElement
        ? { section, height: this.#scroller.scrollHeight - section.offsetTop }
        : undefined;
  }

  /** Returns the height in px added at the end since it was last visible. */
  #getGrowth(): number {
    if (!this.#lastEnd?.section.isConnected) return 0;
    const { section, height } = this.#lastEnd;
    return Math.max(0, this.#scroller.scrollHeight - section.offsetTop - height);
  }
}

/** Returns the line height in px. */
function getLineHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).fontSize) * 1.5 || 20;
}
