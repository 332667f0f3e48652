/** Keys that move in what scrolls. */
const UP = new Set(['ArrowUp', 'PageUp', 'Home']);
const DOWN = new Set(['ArrowDown', 'PageDown', ' ']);

/** What a person who is not at the end needs to know: whether they are away, and how many lines have come since. */
export interface Away {
  readonly away: boolean;
  readonly newLines: number;
}

/**
 * Where the transcript stands, in three states. *Filling*: a message was just sent; the end is followed until the message
 * reaches the top, where it stays, so that a long reply is read from its beginning. *Following*: the end is followed.
 * *Browsing*: nothing moves; it begins the moment the person scrolls up, selects, or presses a key that moves up.
 */
export class AutoScroller {
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  readonly #onChange: (away: Away) => void;
  readonly #observer: ResizeObserver;
  #state: 'filling' | 'following' | 'browsing' = 'following';
  #top = 0;
  /** The last section when the end was last in sight, and how far the end was below its top, in px: what grows above is not new. */
  #seen: { readonly section: HTMLElement; readonly height: number } | undefined;
  #told: Away = { away: false, newLines: 0 };

  constructor(scroller: HTMLElement, content: HTMLElement, onChange: (away: Away) => void) {
    this.#scroller = scroller;
    this.#content = content;
    this.#onChange = onChange;
    scroller.addEventListener('scroll', this.#scrolled, { passive: true });
    // Before the scroll itself, which content that grows in the same frame would undo.
    scroller.addEventListener('wheel', this.#wheeled, { passive: true });
    scroller.addEventListener('keydown', this.#pressed);
    document.addEventListener('selectionchange', this.#selected);
    // Observed sizes are told after layout and before paint, so that the end never flickers.
    this.#observer = new ResizeObserver(() => this.#settle());
    this.#observer.observe(scroller);
    this.#observer.observe(content);
    this.#settle();
  }

  /** A message was sent: shows it, and fills the panel with its reply. */
  fill(): void {
    this.#state = 'filling';
    this.#settle();
  }

  toEnd(): void {
    this.#state = 'following';
    this.#settle();
  }

  /** Brings a place into the middle, or what begins there to the top; nothing moves from there. */
  show(place: Element | Range): void {
    this.#detach();
    // What was out of sight gets its height only now that it is near, and the browser would keep in place what was in sight.
    this.#scroller.style.overflowAnchor = 'none';
    let frames = 3;
    const settle = () => {
      this.#center(place);
      if (--frames > 0) requestAnimationFrame(settle);
      else this.#scroller.style.overflowAnchor = '';
    };
    settle();
  }

  #center(place: Element | Range): void {
    const view = this.#scroller.getBoundingClientRect();
    const { top, height } = place.getBoundingClientRect();
    this.#scroller.scrollTop += top - view.top - Math.max(0, (view.height - height) / 2);
    this.#top = this.#scroller.scrollTop;
    this.#tell();
  }

  /** Content came in above: at the very top the browser would not keep what is in sight where it is. */
  grewAbove(height: number): void {
    if (this.#state === 'browsing' && this.#scroller.scrollTop === 0) this.#scroller.scrollTop = height;
    this.#top = this.#scroller.scrollTop;
  }

  dispose(): void {
    this.#scroller.removeEventListener('scroll', this.#scrolled);
    this.#scroller.removeEventListener('wheel', this.#wheeled);
    this.#scroller.removeEventListener('keydown', this.#pressed);
    document.removeEventListener('selectionchange', this.#selected);
    this.#observer.disconnect();
  }

  /** Moves to where the state wants to be. */
  #settle(): void {
    if (this.#state !== 'browsing') {
      const end = this.#scroller.scrollHeight;
      const sent = this.#state === 'filling' ? this.#lastMessage() : undefined;
      this.#scroller.scrollTop = sent ? Math.min(end, sent.offsetTop) : end;
      this.#top = this.#scroller.scrollTop;
    }
    this.#tell();
  }

  /** The message at the end: at most a document or two stand behind it. */
  #lastMessage(): HTMLElement | undefined {
    for (let section = this.#content.lastElementChild; section; section = section.previousElementSibling) {
      const found = [...section.querySelectorAll<HTMLElement>(':scope > .message')].at(-1);
      if (found) return found;
    }
    return undefined;
  }

  readonly #scrolled = () => {
    const { scrollTop } = this.#scroller;
    const left = this.#left();
    // Only a way up lets go: content that grew since the last frame leaves a distance as well.
    if (scrollTop < this.#top - 1 && left > 1) this.#state = 'browsing';
    else if (scrollTop > this.#top && left < 8) this.#state = 'following';
    this.#top = scrollTop;
    this.#tell();
  };

  readonly #wheeled = (event: WheelEvent) => {
    // While the end is followed there is nothing further down to go to.
    if (event.deltaY < 0 || this.#state === 'filling') this.#detach();
  };

  readonly #pressed = (event: KeyboardEvent) => {
    if (UP.has(event.key) || (DOWN.has(event.key) && this.#state === 'filling')) this.#detach();
  };

  readonly #selected = () => {
    const selection = document.getSelection();
    if (selection?.isCollapsed === false && this.#scroller.contains(selection.anchorNode)) this.#detach();
  };

  /** What fits into the scroller has no other place to be than at its end. */
  #detach(): void {
    if (this.#scroller.scrollHeight <= this.#scroller.clientHeight + 1) return;
    this.#state = 'browsing';
    this.#tell();
  }

  #left(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - clientHeight - scrollTop;
  }

  #tell(): void {
    const left = this.#left();
    if (left < 8) this.#see();
    const away = this.#state === 'browsing' || (this.#state === 'filling' && left >= 8);
    const newLines = away ? Math.floor(this.#grown() / lineHeight(this.#scroller)) : 0;
    if (away === this.#told.away && newLines === this.#told.newLines) return;
    this.#told = { away, newLines };
    this.#onChange(this.#told);
  }

  #see(): void {
    const section = this.#content.lastElementChild;
    this.#seen =
      section instanceof HTMLElement
        ? { section, height: this.#scroller.scrollHeight - section.offsetTop }
        : undefined;
  }

  /** px that came at the end since it was in sight. */
  #grown(): number {
    if (!this.#seen?.section.isConnected) return 0;
    const { section, height } = this.#seen;
    return Math.max(0, this.#scroller.scrollHeight - section.offsetTop - height);
  }
}

/** px. */
function lineHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).fontSize) * 1.5 || 20;
}
