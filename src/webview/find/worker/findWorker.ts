import { findMatches } from './findMatches';
import type { FromFindWorker, Matches, ToFindWorker } from './findMessages';

/** Time after which matches are posted, and after which newer messages come first. */
const PROGRESS_MS = 8;

const texts = new Map<string, string>();
let search: Generator<FromFindWorker> | undefined;

const continuation = new MessageChannel();
continuation.port1.onmessage = continueSearch;

self.onmessage = ({ data }: MessageEvent<ToFindWorker>) => {
  if (data.type === 'search') {
    search = searchTurns(data);
    continueSearch();
    return;
  }
  for (const [turnId, text] of data.texts) {
    if (text === undefined) texts.delete(turnId);
    else texts.set(turnId, text);
  }
};

function continueSearch(): void {
  const next = search?.next();
  if (!next || next.done) return;
  self.postMessage(next.value);
  continuation.port2.postMessage(undefined);
}

function* searchTurns(request: Extract<ToFindWorker, { type: 'search' }>): Generator<FromFindWorker> {
  const { searchId, source, flags, turnIds } = request;
  const pattern = new RegExp(source, flags);
  let { maxMatches } = request;
  let found: (readonly [string, Matches])[] = [];
  let lastPost = performance.now();
  for (const turnId of turnIds) {
    const matches = findMatches(texts.get(turnId) ?? '', pattern, maxMatches);
    maxMatches -= matches.length / 2;
    found.push([turnId, matches]);
    if (performance.now() - lastPost < PROGRESS_MS) continue;
    yield { searchId, found, done: false };
    found = [];
    lastPost = performance.now();
  }
  yield { searchId, found, done: true };
}
