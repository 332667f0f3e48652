/** Keys that move up in what scrolls. */
const UP = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps a scroller at its end while content grows, until the person scrolls up, selects, or presses a key that moves up.
 * It follows again when they come back to the end.
 */
export class Follower {
  readonly #scroller: HTMLElement;
  readonly #onChange: (following: boolean) => void;
  readonly #observer: ResizeObserver;
  #following = true;
  #top = 0;

  constructor(scroller: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    scroller.addEventListener('scroll', this.#scrolled, { passive: true });
    // Before the scroll itself, which content that grows in the same frame would undo.
    scroller.addEventListener('wheel', this.#wheeled, { passive: true });
    scroller.addEventListener('keydown', this.#pressed);
    document.addEventListener('selectionchange', this.#selected);
    // Observed sizes are told after layout and before paint, so that the end never flickers.
    this.#observer = new ResizeObserver(() => this.#following && this.#stick());
    this.#observer.observe(scroller);
    this.#observer.observe(content);
    this.#stick();
  }

  toEnd(): void {
    this.#follow(true);
    this.#stick();
  }

  dispose(): void {
    this.#scroller.removeEventListener('scroll', this.#scrolled);
    this.#scroller.removeEventListener('wheel', this.#wheeled);
    this.#scroller.removeEventListener('keydown', this.#pressed);
    document.removeEventListener('selectionchange', this.#selected);
    this.#observer.disconnect();
  }

  #stick(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
  }

  readonly #scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const left = scrollHeight - clientHeight - scrollTop;
    // Only a way up lets go: content that grew since the last frame leaves a distance as well.
    if (scrollTop < this.#top - 1 && left > 1) this.#follow(false);
    else if (scrollTop > this.#top && left < 8) this.#follow(true);
    this.#top = scrollTop;
  };

  readonly #wheeled = (event: WheelEvent) => {
    if (event.deltaY < 0) this.#letGo();
  };

  readonly #pressed = (event: KeyboardEvent) => {
    if (UP.has(event.key)) this.#letGo();
  };

  readonly #selected = () => {
    const selection = document.getSelection();
    if (selection?.isCollapsed === false && this.#scroller.contains(selection.anchorNode)) this.#letGo();
  };

  /** What fits into the scroller has no other place to be than at its end. */
  #letGo(): void {
    if (this.#scroller.scrollHeight > this.#scroller.clientHeight + 1) this.#follow(false);
  }

  #follow(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    this.#onChange(following);
  }
}
