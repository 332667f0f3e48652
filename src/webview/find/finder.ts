import { startWorker } from '../highlight/startWorker';
import { expandAround } from './expandAround';
import { type Match, MatchList, toMatches } from './matchList';
import { createPattern, type FindQuery, type Pattern } from './pattern';
import { findVisibleTurns, type ScrollPosition, scrollSideways } from './scrollPosition';
import { Searcher } from './searcher';
import { clearHighlights, setHighlights } from './searchHighlights';
import { type TextUpdate, TranscriptTexts } from './transcriptTexts';
import type { FromFindWorker } from './worker/findMessages';
import workerScript from './worker/findWorker?text';

/** Name of the CSS highlight of the match that was gone to. */
const CURRENT_HIGHLIGHT = 'find-current';
/** As in VS Code's editor. */
const MAX_MATCHES = 19_999;
/** Height of the widget in px, which covers the top of the transcript. */
const WIDGET_HEIGHT_PX = 48;

/** What the status says. */
export type FindStatus =
  | { readonly type: 'idle' | 'searching' | 'invalid' | 'failed' }
  /** `position`: 0 if no match was gone to; `isLimited`: whether there may be more. */
  | {
      readonly type: 'found';
      readonly position: number;
      readonly total: number;
      readonly isLimited: boolean;
    };

/** What scrolls the transcript. */
export interface Scroller {
  /** Stops following the reply that streams. */
  detach(): void;
  scrollTo(place: Range): void;
  scrollToEnd(): void;
}

/** The transcript, as the widget finds it. */
export interface Transcript {
  /** The element that scrolls. */
  readonly element: HTMLElement;
  /** The element in it with the turns. */
  readonly content: HTMLElement;
  readonly scroller: Scroller;
  /** What was in sight before the widget opened. */
  readonly position: ScrollPosition;
}

/** Finds text in the whole transcript, marks what is in sight, and goes from match to match. */
export class Finder {
  readonly #element: HTMLElement;
  readonly #scroller: Scroller;
  readonly #onStatus: (status: FindStatus) => void;
  readonly #searcher: Searcher;
  readonly #texts: TranscriptTexts;
  readonly #position: ScrollPosition;
  readonly #matches = new MatchList();
  /** Turns that are still to be searched. */
  readonly #pending = new Set<string>();
  #pattern: Pattern | undefined;
  /** Where to search from: an offset in a turn, or what is in sight of it. */
  #from: { readonly turnId: string; readonly offset?: number };
  #current: Match | undefined;
  /** Whether to go to the first match that is found. */
  #goesToFirst = false;
  /** Whether the matches are those of an earlier query. */
  #outdated = false;
  #failed = false;
  /** Number of turns of the conversation, including those that aren't loaded or rendered yet. */
  #turnCount = 0;
  /** Whether the transcript is where the last match is, and not where the user scrolled since. */
  #hasJumped = false;
  #frame: number | undefined;

  constructor({ element, content, scroller, position }: Transcript, onStatus: (status: FindStatus) => void) {
    this.#element = element;
    this.#scroller = scroller;
    this.#position = position;
    this.#onStatus = onStatus;
    const [turn] = findVisibleTurns(element, 0);
    this.#from = { turnId: turn?.dataset.turn ?? '' };
    clearHighlights();
    this.#searcher = new Searcher(() => startWorker(workerScript), {
      onFound: (found) => this.#onFound(found),
      onFailed: () => this.#onFailed(),
    });
    this.#texts = new TranscriptTexts(content, (texts) => this.#onTexts(texts));
    element.addEventListener('scroll', this.#onScroll, { passive: true });
    for (const type of ['wheel', 'pointerdown', 'keydown'])
      element.addEventListener(type, this.#onUserScroll, { passive: true });
  }

  /** Sets the number of turns of the conversation, with those that aren't loaded or rendered yet. */
  setTurnCount(count: number): void {
    this.#turnCount = count;
    this.#updateStatus();
  }

  /** Searches for something else, from the current match on. */
  search(query: FindQuery): void {
    if (this.#current) this.#from = { turnId: this.#current.turnId, offset: this.#current.start };
    this.#failed = false;
    this.#pending.clear();
    try {
      this.#pattern = createPattern(query);
    } catch {
      this.#pattern = undefined;
      this.#clear();
      this.#onStatus({ type: 'invalid' });
      return;
    }
    if (!this.#pattern) {
      this.#clear();
      this.#onStatus({ type: 'idle' });
      return;
    }
    this.#outdated = true;
    this.#goesToFirst = true;
    for (const turnId of this.#getSearchOrder()) this.#pending.add(turnId);
    this.#searchPending();
  }

  /** Goes to the next (1) or previous (-1) match. */
  step(step: 1 | -1): void {
    if (this.#outdated) return;
    const { turnIds } = this.#texts;
    const { turnId } = this.#from;
    const offset = this.#current ? this.#current.start + (step > 0 ? 1 : 0) : (this.#from.offset ?? 0);
    const match = this.#matches.step(turnIds, { turnId: this.#current?.turnId ?? turnId, offset }, step);
    if (match) this.#goTo(match);
  }

  /** Returns to what was in sight before, unless the user has scrolled since the last match. */
  restorePosition(): void {
    if (!this.#hasJumped) return;
    if (this.#position.isAtEnd) this.#scroller.scrollToEnd();
    else this.#position.restore();
  }

  dispose(): void {
    this.#element.removeEventListener('scroll', this.#onScroll);
    for (const type of ['wheel', 'pointerdown', 'keydown'])
      this.#element.removeEventListener(type, this.#onUserScroll);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#pattern = undefined;
    this.#texts.dispose();
    this.#searcher.dispose();
    clearHighlights();
    CSS.highlights.delete(CURRENT_HIGHLIGHT);
  }

  #clear(): void {
    this.#searcher.stop();
    this.#matches.clear();
    this.#current = undefined;
    this.#outdated = false;
    this.#highlight();
  }

  /** Returns the turns from the first one in sight to the end, then those before it, the nearest first. */
  #getSearchOrder(): readonly string[] {
    const { turnIds } = this.#texts;
    const at = Math.max(0, turnIds.indexOf(this.#from.turnId));
    return [...turnIds.slice(at), ...turnIds.slice(0, at).reverse()];
  }

  #searchPending(): void {
    if (!this.#pattern || this.#failed) return;
    const known = this.#outdated ? 0 : this.#matches.total;
    const maxMatches = Math.max(0, MAX_MATCHES - known);
    if (this.#pending.size > 0) this.#searcher.search(this.#pattern, [...this.#pending], maxMatches);
    else this.#onFound([]);
  }

  #onTexts(texts: TextUpdate): void {
    const changed = texts.filter(([turnId, text]) => this.#searcher.texts.get(turnId) !== text);
    if (changed.length > 0) this.#searcher.setTexts(changed);
    for (const [turnId, text] of changed) {
      if (text !== undefined) this.#pending.add(turnId);
      else {
        this.#pending.delete(turnId);
        this.#matches.set(turnId, []);
      }
    }
    // Nodes may be new although their text is the same.
    this.#highlightSoon();
    if (changed.length > 0 || this.#outdated) this.#searchPending();
    else this.#updateStatus();
  }

  #onFound(found: FromFindWorker['found']): void {
    if (this.#outdated) {
      this.#matches.clear();
      this.#current = undefined;
      this.#outdated = false;
    }
    for (const [turnId, matches] of found) {
      this.#pending.delete(turnId);
      this.#matches.set(turnId, matches);
    }
    if (this.#goesToFirst && this.#matches.total > 0) {
      this.#goesToFirst = false;
      const first = this.#findFirst();
      if (first) this.#goTo(first);
    }
    this.#highlightSoon();
    this.#updateStatus();
  }

  #onFailed(): void {
    this.#failed = true;
    this.#clear();
    this.#onStatus({ type: 'failed' });
  }

  /** Finds the first match in sight or after it, otherwise the nearest before. */
  #findFirst(): Match | undefined {
    const { turnIds } = this.#texts;
    const { turnId, offset = this.#getFirstOffsetInSight() } = this.#from;
    const next = this.#matches.step(turnIds, { turnId, offset }, 1);
    const isAfter =
      next &&
      (next.turnId === turnId
        ? next.start >= offset
        : turnIds.indexOf(next.turnId) > turnIds.indexOf(turnId));
    return isAfter ? next : this.#matches.step(turnIds, { turnId, offset }, -1);
  }

  /** Returns where the first match in sight starts in the turn to search from; its length if there is none. */
  #getFirstOffsetInSight(): number {
    const { turnId } = this.#from;
    const turn = this.#texts.getTurn(turnId);
    if (!turn) return 0;
    const text = this.#texts.read(turn);
    const { top } = this.#element.getBoundingClientRect();
    for (const { start, end } of toMatches(turnId, this.#matches.get(turnId))) {
      if (text.createRange(start, end).getBoundingClientRect().top >= top) return start;
    }
    return text.text.length;
  }

  #goTo(match: Match): void {
    this.#current = match;
    this.#goesToFirst = false;
    const turn = this.#texts.getTurn(match.turnId);
    if (!turn) return;
    const range = this.#texts.read(turn).createRange(match.start, match.end);
    expandAround(range.startContainer);
    scrollSideways(range, this.#element);
    const view = this.#element.getBoundingClientRect();
    const { top, bottom } = range.getBoundingClientRect();
    if (top >= view.top + WIDGET_HEIGHT_PX && bottom <= view.bottom) this.#scroller.detach();
    else {
      this.#scroller.scrollTo(range);
      this.#hasJumped = true;
    }
    this.#highlight();
    this.#updateStatus();
  }

  /** Marks the matches in sight, and some around them. */
  #highlight(): void {
    const ranges: Range[] = [];
    CSS.highlights.delete(CURRENT_HIGHLIGHT);
    const turns = this.#matches.total > 0 ? findVisibleTurns(this.#element, this.#element.clientHeight) : [];
    for (const turn of turns) {
      const turnId = turn.dataset.turn ?? '';
      const matches = this.#matches.get(turnId);
      if (matches.length === 0) continue;
      const text = this.#texts.read(turn);
      const searched = this.#searcher.texts.get(turnId) ?? '';
      for (const { start, end } of toMatches(turnId, matches)) {
        // The text may have changed since it was searched; a reply that streams only gets longer.
        if (text.text.slice(start, end) !== searched.slice(start, end)) continue;
        const range = text.createRange(start, end);
        const isCurrent = this.#current?.turnId === turnId && this.#current.start === start;
        if (isCurrent) CSS.highlights.set(CURRENT_HIGHLIGHT, new Highlight(range));
        else ranges.push(range);
      }
    }
    setHighlights(ranges);
  }

  #highlightSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#highlight();
    });
  }

  #updateStatus(): void {
    if (!this.#pattern || this.#failed || this.#outdated) return;
    const { total } = this.#matches;
    const isSearching = this.#pending.size > 0;
    // Not a number that is wrong a moment later.
    if (isSearching && total < MAX_MATCHES) return;
    const isLimited =
      total >= MAX_MATCHES || !this.#texts.isComplete || this.#texts.turnCount < this.#turnCount;
    if (total === 0 && isLimited) {
      this.#onStatus({ type: 'searching' });
      return;
    }
    const position = this.#current ? this.#matches.getPosition(this.#texts.turnIds, this.#current) : 0;
    this.#onStatus({ type: 'found', position, total, isLimited });
  }

  readonly #onScroll = () => this.#highlightSoon();

  readonly #onUserScroll = () => {
    this.#hasJumped = false;
  };
}
