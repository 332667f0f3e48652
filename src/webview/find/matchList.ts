import type { Matches } from './worker/findWorkerMessages';

/** A match in the text of a turn. */
export interface Match {
  readonly turnId: string;
  readonly start: number;
  readonly end: number;
}

/** The matches of all turns searched so far, in the order of the turns. */
export class MatchList {
  readonly #matches = new Map<string, Matches>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get(turnId: string): Matches {
    return this.#matches.get(turnId) ?? [];
  }

  set(turnId: string, matches: Matches): void {
    this.#total += (matches.length - this.get(turnId).length) / 2;
    if (matches.length > 0) this.#matches.set(turnId, matches);
    else this.#matches.delete(turnId);
  }

  clear(): void {
    this.#matches.clear();
    this.#total = 0;
  }

  /** Returns the position of a match, counted from 1; 0 if there is no such match any more. */
  getPosition(turnIds: Iterable<string>, { turnId, start, end }: Match): number {
    const matches = this.get(turnId);
    const index = findIndex(matches, start);
    if (matches[index * 2] !== start || matches[index * 2 + 1] !== end) return 0;
    let before = 0;
    for (const id of turnIds) {
      if (id === turnId) return before + index + 1;
      before += this.get(id).length / 2;
    }
    return 0;
  }

  /** Returns the next (1) or previous (-1) match from an offset in a turn on; after the last comes the first. */
  step(
    turnIds: readonly string[],
    from: { turnId: string; offset: number },
    step: 1 | -1,
  ): Match | undefined {
    const at = Math.max(0, turnIds.indexOf(from.turnId));
    const turnId = turnIds[at] ?? '';
    const matches = this.get(turnId);
    const offset = turnId === from.turnId ? from.offset : 0;
    const here = getMatch(turnId, matches, findIndex(matches, offset) + (step > 0 ? 0 : -1));
    if (here) return here;
    for (let distance = 1; distance <= turnIds.length; distance++) {
      const otherId = turnIds.at((at + step * distance) % turnIds.length) ?? '';
      const others = this.get(otherId);
      const found = getMatch(otherId, others, step > 0 ? 0 : others.length / 2 - 1);
      if (found) return found;
    }
    return undefined;
  }
}

export function* toMatches(turnId: string, matches: Matches): Generator<Match> {
  for (let index = 0; index < matches.length / 2; index++) {
    const match = getMatch(turnId, matches, index);
    if (match) yield match;
  }
}

function getMatch(turnId: string, matches: Matches, index: number): Match | undefined {
  const start = matches[index * 2];
  const end = matches[index * 2 + 1];
  return start === undefined || end === undefined ? undefined : { turnId, start, end };
}

/** Returns the index of the first match that starts at an offset or later. */
function findIndex(matches: Matches, offset: number): number {
  let index = 0;
  while ((matches[index * 2] ?? Number.POSITIVE_INFINITY) < offset) index++;
  return index;
}
