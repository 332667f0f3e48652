import { startWorker } from '../base/startWorker';
import { TurnReader, type TurnUpdate } from '../transcript/turns/turnReader';
import { type Match, MatchList } from './matchList';
import { MatchView, type SearchedTranscript } from './matchView';
import { createPattern, type FindQuery, type Pattern } from './pattern';
import { Searcher } from './searcher';
import { TurnText } from './turnText';
import workerScript from './worker/findWorker?text';
import type { FromFindWorker } from './worker/findWorkerMessages';

/** As in VS Code's editor. */
const MAX_MATCHES = 19_999;

/** State shown by the status. */
export type FindStatus =
  | { readonly type: 'idle' | 'searching' | 'invalid' | 'failed' }
  /** `position`: 0 if no match was gone to; `isLimited`: whether there may be more. */
  | {
      readonly type: 'found';
      readonly position: number;
      readonly total: number;
      readonly isLimited: boolean;
    };

/** Finds text in the whole transcript, marks what is in sight, and goes from match to match. */
export class Finder {
  readonly #onStatus: (status: FindStatus) => void;
  readonly #searcher: Searcher;
  readonly #texts: TurnReader<TurnText>;
  readonly #matches = new MatchList();
  readonly #view: MatchView;
  #pattern: Pattern | undefined;
  /** Start of the search: an offset in a turn, or its visible part. */
  #from: { readonly turnId: string; readonly offset?: number };
  /** Whether to go to the first match that is found. */
  #goesToFirst = false;
  /** The steps to take once the search has ended, from the first match on. */
  #pendingSteps: (1 | -1)[] = [];
  /** Whether there are texts that are still to be searched. */
  #isSearching = false;
  /** Whether the matches are those of an earlier query. */
  #outdated = false;
  #failed = false;
  /** Number of turns of the conversation, including those that aren't loaded or rendered yet. */
  #turnCount = 0;

  constructor(transcript: SearchedTranscript, onStatus: (status: FindStatus) => void) {
    this.#onStatus = onStatus;
    this.#searcher = new Searcher(() => startWorker(workerScript), {
      onFound: (found, done) => this.#onFound(found, done),
      onFailed: () => this.#onFailed(),
    });
    this.#texts = new TurnReader(
      transcript.content,
      (turn) => new TurnText(turn),
      (update) => this.#onTexts(update),
    );
    this.#view = new MatchView(transcript, this.#texts, this.#matches, this.#searcher.texts);
    this.#from = { turnId: this.#view.getFirstTurnInSight() };
  }

  /** Sets the number of turns of the conversation, with those that aren't loaded or rendered yet. */
  setTurnCount(count: number): void {
    this.#turnCount = count;
    this.#updateStatus();
  }

  /** Searches for something else, from the current match on. */
  search(query: FindQuery): void {
    const { current } = this.#view;
    if (current) this.#from = { turnId: current.turnId, offset: current.start };
    this.#failed = false;
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
    this.#pendingSteps = [];
    this.#isSearching = true;
    this.#searcher.search({
      pattern: this.#pattern,
      turnIds: this.#texts.turnIds,
      firstTurnId: this.#from.turnId,
      maxMatches: MAX_MATCHES,
    });
  }

  /** Goes to the next (1) or previous (-1) match; if none is found yet, as soon as the search ends. */
  step(step: 1 | -1): void {
    if (this.#goesToFirst && this.#isSearching) {
      this.#pendingSteps.push(step);
      return;
    }
    const { turnIds } = this.#texts;
    const { current } = this.#view;
    const { turnId } = current ?? this.#from;
    const offset = current ? current.start + (step > 0 ? 1 : 0) : (this.#from.offset ?? 0);
    const match = this.#matches.step(turnIds, { turnId, offset }, step);
    if (match) this.#goTo(match);
  }

  /** Returns to what was in sight before, unless the user has scrolled since the last match. */
  restorePosition(): void {
    this.#view.restorePosition();
  }

  dispose(): void {
    this.#pattern = undefined;
    this.#texts.dispose();
    this.#searcher.dispose();
    this.#view.dispose();
  }

  #clear(): void {
    this.#searcher.stop();
    this.#matches.clear();
    this.#view.current = undefined;
    this.#outdated = false;
    this.#isSearching = false;
    this.#view.markMatchesInSight();
  }

  #onTexts(update: TurnUpdate<TurnText>): void {
    const changed = update
      .map(([turnId, value]) => [turnId, value?.text] as const)
      .filter(([turnId, text]) => this.#searcher.texts.get(turnId) !== text);
    for (const [turnId, text] of changed) if (text === undefined) this.#matches.set(turnId, []);
    if (changed.length > 0) this.#searcher.setTexts(changed);
    this.#isSearching ||= changed.length > 0 && this.#pattern !== undefined && !this.#failed;
    // Nodes may be new although their text is the same.
    this.#view.markMatchesSoon();
    this.#updateStatus();
  }

  #onFound(found: FromFindWorker['found'], done: boolean): void {
    if (this.#outdated) {
      this.#matches.clear();
      this.#view.current = undefined;
      this.#outdated = false;
    }
    this.#isSearching = !done;
    for (const [turnId, matches] of found) this.#matches.set(turnId, matches);
    if (this.#goesToFirst && this.#matches.total > 0) {
      this.#goesToFirst = false;
      const first = this.#findFirst();
      if (first) this.#goTo(first);
    }
    if (done) for (const step of this.#pendingSteps.splice(0)) this.step(step);
    this.#view.markMatchesSoon();
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
    const { turnId, offset = this.#view.getFirstOffsetInSight(turnId) } = this.#from;
    const next = this.#matches.step(turnIds, { turnId, offset }, 1);
    const isAfter =
      next &&
      (next.turnId === turnId
        ? next.start >= offset
        : turnIds.indexOf(next.turnId) > turnIds.indexOf(turnId));
    return isAfter ? next : this.#matches.step(turnIds, { turnId, offset }, -1);
  }

  #goTo(match: Match): void {
    this.#goesToFirst = false;
    this.#view.showMatch(match);
    this.#updateStatus();
  }

  #updateStatus(): void {
    if (!this.#pattern || this.#failed || this.#outdated) return;
    const { total } = this.#matches;
    // Not a number that is wrong a moment later.
    if (this.#isSearching && total < MAX_MATCHES) return;
    const isLimited =
      total >= MAX_MATCHES || !this.#texts.isComplete || this.#texts.turnCount < this.#turnCount;
    if (total === 0 && isLimited) {
      this.#onStatus({ type: 'searching' });
      return;
    }
    const { current } = this.#view;
    const position = current ? this.#matches.getPosition(this.#texts.turnIds, current) : 0;
    this.#onStatus({ type: 'found', position, total, isLimited });
  }
}
