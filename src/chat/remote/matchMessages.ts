import type { Message } from '../../client/models';
import { normalizeText } from '../../shared/text/normalizeText';
import type { MessageTurn, ReplyTurn } from '../model/turn';

export interface MessageWithRole {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

export type TextTurn = MessageTurn | ReplyTurn;

/** Two bytes each. A service that returns thousands of other messages each time could fill the memory. */
const MAX_TABLE_CELLS = 25_000_000;

/** Matches messages with turns; returns the turns by the index of their message. */
export function matchTurns(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  normalize = createNormalizer(),
): Map<number, TextTurn> {
  const matches = new Map(findCommonSubsequence(turns, remoteMessages, normalize));
  const matchedTurns = new Set(matches.values());
  const byId = new Map(turns.map((turn) => [turn.remoteId, turn]));
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
    const partial = turns.find(
      (turn) =>
        !matchedTurns.has(turn) &&
        turn.kind === 'reply' &&
        isUnmatchedAnswer(turn, question) &&
        isSamePartialReply(turn, message, normalize),
    );
    if (!partial) return;
    matches.set(index, partial);
    matchedTurns.add(partial);
  });
  for (const [index, turn] of matchOnlyReplies(turns, remoteMessages, matches, matchedTurns))
    matches.set(index, turn);
  return matches;
}

/**
 * Matches replies whose stored text differs from the streamed one: if a message has one reply on either side,
 * they are the same.
 */
function* matchOnlyReplies(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  matches: ReadonlyMap<number, TextTurn>,
  matchedTurns: ReadonlySet<TextTurn>,
): Generator<[number, TextTurn]> {
  for (const [index, question] of [...matches]) {
    if (question.kind !== 'message' || remoteMessages[index + 1]?.kind !== 'reply') continue;
    if (matches.has(index + 1) || remoteMessages[index + 2]?.kind === 'reply') continue;
    const replies = turns.filter((turn) => turn.kind === 'reply' && turn.messageId === question.id);
    const [only] = replies;
    if (
      only?.kind === 'reply' &&
      replies.length === 1 &&
      !matchedTurns.has(only) &&
      isUnmatchedAnswer(only, question)
    ) {
      yield [index + 1, only];
    }
  }
}

function isUnmatchedAnswer(reply: ReplyTurn, question: TextTurn | undefined): boolean {
  return question !== undefined && reply.messageId === question.id && reply.remoteId === undefined;
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
  const localKeys = turns.map((turn) => ({ turn, key: getNumber(`${turn.kind} ${normalize(turn)}`) }));
  const remoteKeys = remoteMessages.map(({ message, kind }, index) => ({
    index,
    id: message.id,
    key: knownIds.has(message.id) ? undefined : getNumber(`${kind} ${normalize(message)}`),
  }));
  const isSame = (at: number, of: number) => {
    const [one, other] = [localKeys[at], remoteKeys[of]];
    if (!one || !other) return false;
    return one.turn.remoteId === undefined ? one.key === other.key : one.turn.remoteId === other.id;
  };
  const matches: [number, TextTurn][] = [];
  const addMatch = (at: number, of: number) => {
    const turn = localKeys[at]?.turn;
    if (turn) matches.push([of, turn]);
  };
  // Usually all but the last few are equal, so the table is small.
  let start = 0;
  while (start < localKeys.length && isSame(start, start)) addMatch(start, start++);
  let [rows, columns] = [localKeys.length - start, remoteKeys.length - start];
  while (rows > 0 && columns > 0 && isSame(start + rows - 1, start + columns - 1)) {
    addMatch(start + --rows, start + --columns);
  }
  if (rows * columns > MAX_TABLE_CELLS) {
    const indexes = new Map<string | number, number>();
    for (let column = columns - 1; column >= 0; column--) {
      const { id, key } = remoteKeys[start + column] ?? {};
      indexes.set(`id ${id}`, start + column);
      if (key !== undefined) indexes.set(key, start + column);
    }
    let next = start;
    for (let row = start; row < start + rows; row++) {
      const { turn, key } = localKeys[row] ?? {};
      const index = indexes.get(turn?.remoteId === undefined ? (key ?? 0) : `id ${turn.remoteId}`) ?? -1;
      if (index < next) continue;
      addMatch(row, index);
      next = index + 1;
    }
    return matches;
  }
  const width = columns + 1;
  const longest = new Uint16Array((rows + 1) * width);
  const length = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      longest[row * width + column] = isSame(start + row, start + column)
        ? length(row + 1, column + 1) + 1
        : Math.max(length(row + 1, column), length(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(start + row, start + column)) addMatch(start + row++, start + column++);
    else if (length(row + 1, column) >= length(row, column + 1)) row++;
    else column++;
  }
  return matches;
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
