import { expandAround } from '../transcript/turns/expandAround';
import { findVisibleTurns, type ScrollPosition, scrollSideways } from '../transcript/turns/scrollPosition';
import { clearHighlights, setHighlights } from '../transcript/turns/searchHighlights';
import type { TurnReader } from '../transcript/turns/turnReader';
import { type Match, type MatchList, toMatches } from './matchList';
import type { TurnText } from './turnText';

/** Name of the CSS highlight of the match that was gone to. */
const CURRENT_HIGHLIGHT = 'find-current';
/** Height of the widget in px, which covers the top of the transcript. */
const WIDGET_HEIGHT_PX = 48;

/** Matches of one turn that are marked: the browser slows down with each, and a panel seldom shows more. */
const MAX_MARKED_MATCHES = 1000;
/** Distance above the view, in px, from which the matches of a turn with more are marked. */
const MARGIN_PX = 100;

/** The transcript's scroller. */
export interface Scroller {
  /** Stops following the reply that streams. */
  detach(): void;
  scrollTo(place: Element | Range): void;
  scrollToEnd(): void;
}

/** The transcript, as the widget finds it. */
export interface SearchedTranscript {
  /** The element that scrolls. */
  readonly element: HTMLElement;
  /** The element in it with the turns. */
  readonly content: HTMLElement;
  readonly scroller: Scroller;
  /** Scroll position before the widget opened. */
  readonly position: ScrollPosition;
}

/** Marks the matches that are in sight, and scrolls to the current one. */
export class MatchView {
  /** The match that was gone to. */
  current: Match | undefined;
  readonly #element: HTMLElement;
  readonly #scroller: Scroller;
  readonly #position: ScrollPosition;
  readonly #texts: TurnReader<TurnText>;
  readonly #matches: MatchList;
  readonly #searchedTexts: ReadonlyMap<string, string>;
  #frame: number | undefined;
  /** Whether the transcript is where the last match is, and not where the user scrolled since. */
  #hasJumped = false;

  constructor(
    { element, scroller, position }: SearchedTranscript,
    texts: TurnReader<TurnText>,
    matches: MatchList,
    searchedTexts: ReadonlyMap<string, string>,
  ) {
    this.#element = element;
    this.#scroller = scroller;
    this.#position = position;
    this.#texts = texts;
    this.#matches = matches;
    this.#searchedTexts = searchedTexts;
    clearHighlights();
    element.addEventListener('scroll', this.#onScroll, { passive: true });
    for (const type of ['wheel', 'pointerdown', 'keydown'])
      element.addEventListener(type, this.#onUserScroll, { passive: true });
  }

  /** Returns the ID of the first turn in sight. */
  getFirstTurnInSight(): string {
    const [turn] = findVisibleTurns(this.#element, 0);
    return turn?.dataset.turn ?? '';
  }

  /** Returns where the first match in sight starts in a turn; the length of its text if there is none. */
  getFirstOffsetInSight(turnId: string): number {
    const turn = this.#texts.getTurn(turnId);
    if (!turn) return 0;
    const text = this.#texts.read(turn);
    const { top } = this.#element.getBoundingClientRect();
    const matches = [...toMatches(turnId, this.#matches.get(turnId))];
    return matches[findFirstBelow(text, matches, top)]?.start ?? text.text.length;
  }

  /** Makes a match the current one, and scrolls to it, unless it is in sight. */
  showMatch(match: Match): void {
    this.current = match;
    const { turnId, start, end } = match;
    const turn = this.#texts.getTurn(turnId);
    if (!turn) return;
    const range = this.#texts.read(turn).createRange(start, end);
    expandAround(range.startContainer);
    scrollSideways(range, this.#element);
    const view = this.#element.getBoundingClientRect();
    const { top, bottom } = range.getBoundingClientRect();
    if (top >= view.top + WIDGET_HEIGHT_PX && bottom <= view.bottom) this.#scroller.detach();
    else {
      this.#scroller.scrollTo(range);
      this.#hasJumped = true;
    }
    CSS.highlights.set(CURRENT_HIGHLIGHT, new Highlight(range));
    // Later, since the turns around it may have to be laid out too.
    this.markMatchesSoon();
  }

  /**
   * Marks the matches in sight, and some around them. Turns that CSS skips (`content-visibility`) are marked when they come near.
   */
  markMatchesInSight(): void {
    const ranges: Range[] = [];
    CSS.highlights.delete(CURRENT_HIGHLIGHT);
    const turns =
      this.#matches.total > 0 ? findVisibleTurns(this.#element, this.#element.clientHeight / 2) : [];
    for (const turn of turns) {
      const turnId = turn.dataset.turn ?? '';
      if (this.#matches.get(turnId).length === 0) continue;
      const text = this.#texts.read(turn);
      const searched = this.#searchedTexts.get(turnId) ?? '';
      for (const { start, end } of this.#selectMatches(turnId, text)) {
        // The text may have changed since it was searched; a reply that streams only gets longer.
        if (text.text.slice(start, end) !== searched.slice(start, end)) continue;
        const range = text.createRange(start, end);
        const isCurrent = this.current?.turnId === turnId && this.current.start === start;
        if (isCurrent) CSS.highlights.set(CURRENT_HIGHLIGHT, new Highlight(range));
        else ranges.push(range);
      }
    }
    setHighlights(ranges);
  }

  /** Returns the matches of a turn to mark: if there are many, those in sight and the current one. */
  #selectMatches(turnId: string, text: TurnText): readonly Match[] {
    const matches = [...toMatches(turnId, this.#matches.get(turnId))];
    if (matches.length <= MAX_MARKED_MATCHES) return matches;
    const { top } = this.#element.getBoundingClientRect();
    const first = findFirstBelow(text, matches, top - MARGIN_PX);
    const selected = matches.slice(first, first + MAX_MARKED_MATCHES);
    const { current } = this;
    const isMissing = current?.turnId === turnId && !selected.some(({ start }) => start === current.start);
    return isMissing ? [...selected, current] : selected;
  }

  markMatchesSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.markMatchesInSight();
    });
  }

  /** Returns to what was in sight before, unless the user has scrolled since the last match. */
  restorePosition(): void {
    if (!this.#hasJumped) return;
    if (this.#position.isAtEnd) this.#scroller.scrollToEnd();
    else this.#position.scrollBack();
  }

  dispose(): void {
    this.#element.removeEventListener('scroll', this.#onScroll);
    for (const type of ['wheel', 'pointerdown', 'keydown'])
      this.#element.removeEventListener(type, this.#onUserScroll);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearHighlights();
    CSS.highlights.delete(CURRENT_HIGHLIGHT);
  }

  readonly #onScroll = () => this.markMatchesSoon();

  readonly #onUserScroll = () => {
    this.#hasJumped = false;
  };
}

/** Returns the index of the first match that starts at a vertical position of the page or below it. */
function findFirstBelow(text: TurnText, matches: readonly Match[], y: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const match = matches[middle];
    if (match && getTop(text.createRange(match.start, match.end)) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns where a range is; one that is collapsed is where the element around it is. */
function getTop(range: Range): number {
  let { top, height } = range.getBoundingClientRect();
  for (let element = range.startContainer.parentElement; element && height === 0; ) {
    ({ top, height } = element.getBoundingClientRect());
    element = element.parentElement;
  }
  return top;
}
