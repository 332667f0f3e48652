/** Keeps a scroller at its end while content grows, until the person scrolls away. */
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
    else if (left < 8) this.#follow(true);
    this.#top = scrollTop;
  };

  #follow(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    this.#onChange(following);
  }
}
