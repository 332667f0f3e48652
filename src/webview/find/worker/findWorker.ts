import { findMatches } from './findMatches';
import type { FromFindWorker, Matches, ToFindWorker } from './findWorkerMessages';

/** Time after which matches are posted, and after which newer messages come first. */
const PROGRESS_MS = 8;
/** The page handles the matches of this many turns in a fraction of a frame. */
const MAX_TURNS_PER_MESSAGE = 256;

interface Search {
  readonly pattern: RegExp;
  /** Turns that are still to be searched, in this order. */
  readonly pending: Set<string>;
  /** Number of matches in each turn that has some. */
  readonly counts: Map<string, number>;
  /** Remaining limit on matches. */
  matchesLeft: number;
}

const texts = new Map<string, string>();
let turnIds: readonly string[] = [];
let search: Search | undefined;
/** 0 before the first request. */
let requestId = 0;

const continuation = new MessageChannel();
continuation.port1.onmessage = continueSearch;

self.onmessage = ({ data }: MessageEvent<ToFindWorker>) => {
  switch (data.type) {
    case 'order':
      turnIds = data.turnIds;
      return;
    case 'stop':
      search = undefined;
      return;
    case 'search':
      search = {
        pattern: new RegExp(data.source, data.flags),
        pending: new Set(getSearchOrder(data.firstTurnId)),
        counts: new Map(),
        matchesLeft: data.maxMatches,
      };
      break;
    case 'texts':
      for (const [turnId, text] of data.texts) setText(turnId, text);
  }
  requestId = data.requestId;
  continueSearch();
};

// From now on, the page may end the worker if it is silent for too long.
self.postMessage({ requestId, found: [], done: false } satisfies FromFindWorker);

/** Returns the turns from one to the end, then those before it, the nearest first. */
function getSearchOrder(firstTurnId: string): readonly string[] {
  const first = Math.max(0, turnIds.indexOf(firstTurnId));
  return [...turnIds.slice(first), ...turnIds.slice(0, first).reverse()];
}

function setText(turnId: string, text: string | undefined): void {
  if (text !== undefined) {
    texts.set(turnId, text);
    search?.pending.add(turnId);
    return;
  }
  texts.delete(turnId);
  search?.pending.delete(turnId);
  if (search) setCount(search, turnId, 0);
}

/** Searches for a while, posts what was found, and continues after newer messages. */
function continueSearch(): void {
  if (!search) return;
  const found = searchPending(search);
  const done = search.pending.size === 0;
  self.postMessage({ requestId, found, done } satisfies FromFindWorker);
  if (!done) continuation.port2.postMessage(undefined);
}

function searchPending(current: Search): FromFindWorker['found'] {
  const found: (readonly [string, Matches])[] = [];
  const end = performance.now() + PROGRESS_MS;
  for (const turnId of current.pending) {
    current.pending.delete(turnId);
    const hadMatches = current.counts.has(turnId);
    setCount(current, turnId, 0);
    const matches = findMatches(texts.get(turnId) ?? '', current.pattern, current.matchesLeft);
    setCount(current, turnId, matches.length / 2);
    if (matches.length > 0 || hadMatches) found.push([turnId, matches]);
    if (found.length >= MAX_TURNS_PER_MESSAGE || performance.now() >= end) break;
  }
  return found;
}

function setCount(current: Search, turnId: string, count: number): void {
  current.matchesLeft += (current.counts.get(turnId) ?? 0) - count;
  if (count > 0) current.counts.set(turnId, count);
  else current.counts.delete(turnId);
}
