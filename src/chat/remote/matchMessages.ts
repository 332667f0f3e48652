import type { Message } from '../../client/models';
import { normalizeText } from '../../shared/text/normalizeText';
import type { MessageTurn, ReplyTurn } from '../model/turn';

export interface MessageWithRole {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

export type TextTurn = MessageTurn | ReplyTurn;

/** Two bytes each. Thousands of messages that all differ would fill the memory, and hold up the extension host. */
const MAX_TABLE_CELLS = 2_000_000;

/** Matches messages with turns; returns the turns by the index of their message. */
export function matchTurns(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  normalize = createNormalizer(),
): Map<number, TextTurn> {
  const matches = new Map(findCommonSubsequence(turns, remoteMessages, normalize));
  const matchedTurns = new Set(matches.values());
  const byId = new Map(turns.map((turn) => [turn.remoteId, turn]));
  const replies = groupReplies(turns);
  remoteMessages.forEach(({ message }, index) => {
    const turn = byId.get(message.id);
    if (!turn || matchedTurns.has(turn)) return;
    matches.set(index, turn);
    matchedTurns.add(turn);
  });
  // An interrupted reply has another text on the service: match the one that follows its message.
  let question: TextTurn | undefined;
  remoteMessages.forEach(({ message, kind }, index) => {
    if (kind === 'message') question = matches.get(index);
    if (kind === 'message' || matches.has(index)) return;
    const candidates = question && replies.get(question.id)?.unmatched;
    const partial = candidates?.find(
      (turn) => !matchedTurns.has(turn) && isSamePartialReply(turn, message, normalize),
    );
    if (!partial) return;
    matches.set(index, partial);
    matchedTurns.add(partial);
  });
  for (const [index, turn] of matchOnlyReplies(replies, remoteMessages, matches, matchedTurns))
    matches.set(index, turn);
  return matches;
}

/**
 * Matches replies whose stored text differs from the streamed one: if a message has one reply on either side,
 * they are the same.
 */
function* matchOnlyReplies(
  replies: ReadonlyMap<string, Replies>,
  remoteMessages: readonly MessageWithRole[],
  matches: ReadonlyMap<number, TextTurn>,
  matchedTurns: ReadonlySet<TextTurn>,
): Generator<[number, TextTurn]> {
  for (const [index, question] of [...matches]) {
    if (question.kind !== 'message' || remoteMessages[index + 1]?.kind !== 'reply') continue;
    if (matches.has(index + 1) || remoteMessages[index + 2]?.kind === 'reply') continue;
    const { count, unmatched: [only] = [] } = replies.get(question.id) ?? {};
    if (count === 1 && only && !matchedTurns.has(only)) yield [index + 1, only];
  }
}

/** The replies to one message: how many there are, and those of which the service's id isn't known. */
interface Replies {
  count: number;
  readonly unmatched: ReplyTurn[];
}

function groupReplies(turns: readonly TextTurn[]): ReadonlyMap<string, Replies> {
  const groups = new Map<string, Replies>();
  for (const turn of turns) {
    if (turn.kind !== 'reply') continue;
    const group = groups.get(turn.messageId) ?? { count: 0, unmatched: [] };
    groups.set(turn.messageId, group);
    group.count++;
    if (turn.remoteId === undefined) group.unmatched.push(turn);
  }
  return groups;
}

function isSamePartialReply(reply: ReplyTurn, message: Message, normalize: Normalizer): boolean {
  if (reply.skipped) return true;
  if (reply.ending === 'complete') return false;
  const [local, remote] = [normalize(reply), normalize(message)];
  return local.startsWith(remote) || remote.startsWith(local);
}

/**
 * Returns the longest common subsequence of turns and messages as pairs of message index and turn; a shorter
 * one if thousands of both differ.
 */
function findCommonSubsequence(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  normalize: Normalizer,
): [number, TextTurn][] {
  const knownIds = new Set(turns.map(({ remoteId }) => remoteId));
  const getNumber = createNumbering();
  // What has a known id matches only by it.
  const localKeys = turns.map((turn) =>
    getNumber(turn.remoteId === undefined ? `${turn.kind} ${normalize(turn)}` : `id ${turn.remoteId}`),
  );
  const remoteKeys = remoteMessages.map(({ message, kind }) =>
    getNumber(knownIds.has(message.id) ? `id ${message.id}` : `${kind} ${normalize(message)}`),
  );
  // Usually all but the last few are equal, so the table is small.
  let start = 0;
  while (start < localKeys.length && localKeys[start] === remoteKeys[start]) start++;
  let [localEnd, remoteEnd] = [localKeys.length, remoteKeys.length];
  while (localEnd > start && remoteEnd > start && localKeys[localEnd - 1] === remoteKeys[remoteEnd - 1]) {
    localEnd--;
    remoteEnd--;
  }
  const differing = [localKeys.slice(start, localEnd), remoteKeys.slice(start, remoteEnd)] as const;
  const isSmall = (localEnd - start) * (remoteEnd - start) <= MAX_TABLE_CELLS;
  const pairs = (isSmall ? findLongestPairs : findOrderedPairs)(...differing);
  const matches: [number, TextTurn][] = [];
  const addMatch = (at: number, of: number) => {
    const turn = turns[at];
    if (turn) matches.push([of, turn]);
  };
  for (let at = 0; at < start; at++) addMatch(at, at);
  for (const [row, column] of pairs) addMatch(start + row, start + column);
  for (let at = localEnd; at < turns.length; at++) addMatch(at, at - localEnd + remoteEnd);
  return matches;
}

type Pairs = readonly (readonly [row: number, column: number])[];

/** Returns the indexes of a longest common subsequence. */
function findLongestPairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  const width = columnKeys.length + 1;
  const longest = new Uint16Array((rowKeys.length + 1) * width);
  const length = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rowKeys.length - 1; row >= 0; row--) {
    for (let column = columnKeys.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        rowKeys[row] === columnKeys[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < rowKeys.length && column < columnKeys.length; ) {
    if (rowKeys[row] === columnKeys[column]) pairs.push([row++, column++]);
    else if (length(row + 1, column) >= length(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

/**
 * Returns the indexes of a common subsequence in much less time: the nth of equal rows belongs to the nth of equal
 * columns, and of these pairs the most that are in order are returned.
 */
function findOrderedPairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  const columns = new Map<number, number[]>();
  for (let column = columnKeys.length - 1; column >= 0; column--) {
    const key = columnKeys[column] ?? 0;
    const equal = columns.get(key);
    if (equal) equal.push(column);
    else columns.set(key, [column]);
  }
  type Chain = { readonly pair: readonly [number, number]; readonly previous: Chain | undefined };
  /** By length: the end of the chain whose last column is the lowest. */
  const chains: Chain[] = [];
  rowKeys.forEach((key, row) => {
    const column = columns.get(key)?.pop();
    if (column === undefined) return;
    let [low, high] = [0, chains.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((chains[middle]?.pair[1] ?? 0) < column) low = middle + 1;
      else high = middle;
    }
    chains[low] = { pair: [row, column], previous: chains[low - 1] };
  });
  const pairs: Chain['pair'][] = [];
  for (let chain = chains.at(-1); chain; chain = chain.previous) pairs.push(chain.pair);
  return pairs.reverse();
}

/** A function that normalizes white space and composition of a text, which differ between storages. */
export type Normalizer = (holder: TextTurn | Message) => string;

/** Creates a function that normalizes each text once: one of many megabytes may be compared with thousands of others. */
export function createNormalizer(): Normalizer {
  const normalizedTexts = new WeakMap<TextTurn | Message, string>();
  return (holder) => {
    let normalized = normalizedTexts.get(holder);
    if (normalized === undefined) {
      const text = 'content' in holder ? holder.content : holder.text;
      normalized = normalizeText(text).replace(/\s+/g, ' ').trim();
      normalizedTexts.set(holder, normalized);
    }
    return normalized;
  };
}

/** Engines hash longer texts by their lengths only. */
const HASHED_LENGTH = 8_000;

/** Creates a function that returns the same number for the same text, in time that grows with the text only. */
function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    let number = 0;
    for (let at = 0; at < text.length; at += HASHED_LENGTH) {
      const key = `${number} ${text.slice(at, at + HASHED_LENGTH)}`;
      number = numbers.get(key) ?? numbers.size + 1;
      numbers.set(key, number);
    }
    return number;
  };
}
