import type { Message } from '../../client/models';
import { normalizeText } from '../../shared/text/normalizeText';
import type { MessageTurn, ReplyTurn } from '../model/turn';

export interface MessageWithRole {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

export type TextTurn = MessageTurn | ReplyTurn;

/** Limit of the bit vectors, of four bytes each, that a matching may take: enough for 11,000 messages that all differ. */
const MAX_WORDS = 2 ** 22;
const WORD_BITS = 31;
const WORD_MASK = 2 ** WORD_BITS - 1;

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
  // Usually all but the last few are equal, so little is left to compare.
  let start = 0;
  while (start < localKeys.length && localKeys[start] === remoteKeys[start]) start++;
  let [localEnd, remoteEnd] = [localKeys.length, remoteKeys.length];
  while (localEnd > start && remoteEnd > start && localKeys[localEnd - 1] === remoteKeys[remoteEnd - 1]) {
    localEnd--;
    remoteEnd--;
  }
  const differing = [localKeys.slice(start, localEnd), remoteKeys.slice(start, remoteEnd)] as const;
  const isSmall = (remoteEnd - start) * Math.ceil((localEnd - start) / WORD_BITS) <= MAX_WORDS;
  const pairs = (isSmall ? findLongestPairs : findUniquePairs)(...differing);
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

/**
 * Returns the indexes of a longest common subsequence. A vector for each column has a 0 for each row at which the longest
 * subsequence of the columns and rows so far gets longer (Hyyrö 2004). It takes a 31st of the time and the memory of a table.
 */
function findLongestPairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  // From the end, so that the pairs are found from the start.
  const [columns, rows] = [columnKeys.toReversed(), rowKeys.toReversed()];
  const width = Math.ceil(rows.length / WORD_BITS);
  const equalRows = groupIndexes(rows);
  const vectors = new Uint32Array((columns.length + 1) * width).fill(WORD_MASK, 0, width);
  const equal = new Uint32Array(width);
  columns.forEach((key, column) => {
    equal.fill(0);
    for (const row of equalRows.get(key) ?? []) setBit(equal, row);
    let carry = 0;
    for (let word = 0; word < width; word++) {
      const before = vectors[column * width + word] ?? 0;
      const matching = equal[word] ?? 0;
      const sum = before + (before & matching) + carry;
      carry = sum > WORD_MASK ? 1 : 0;
      vectors[(column + 1) * width + word] = ((sum & WORD_MASK) | (before & ~matching)) & WORD_MASK;
    }
  });
  const getsLonger = (row: number, column: number) =>
    (((vectors[(column + 1) * width + Math.floor(row / WORD_BITS)] ?? 0) >> (row % WORD_BITS)) & 1) === 0;
  const pairs: [number, number][] = [];
  let [row, column] = [rows.length - 1, columns.length - 1];
  while (row >= 0 && column >= 0) {
    if (rows[row] === columns[column]) pairs.push([rows.length - 1 - row--, columns.length - 1 - column--]);
    else if (getsLonger(row, column)) column--;
    else row--;
  }
  return pairs;
}

function setBit(words: Uint32Array, index: number): void {
  const word = Math.floor(index / WORD_BITS);
  words[word] = (words[word] ?? 0) | (1 << (index % WORD_BITS));
}

function groupIndexes(keys: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  keys.forEach((key, index) => {
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  });
  return groups;
}

/** Returns the indexes of a common subsequence of the keys that occur once in each list, in much less time. */
function findUniquePairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  const [rows, columns] = [groupIndexes(rowKeys), groupIndexes(columnKeys)];
  type Chain = { readonly pair: readonly [number, number]; readonly previous: Chain | undefined };
  /** By length: the end of the chain whose last column is the lowest. */
  const chains: Chain[] = [];
  rowKeys.forEach((key, row) => {
    const [column, ...others] = columns.get(key) ?? [];
    if (column === undefined || others.length > 0 || rows.get(key)?.length !== 1) return;
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
