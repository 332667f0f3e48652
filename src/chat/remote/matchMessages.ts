import type { Message } from '../../client/models';
import { sleep } from '../../client/sleep';
import { normalizeText } from '../../shared/text/normalizeText';
import type { ReplyTurn, TextTurn } from '../model/turn';
import { findCommonSubsequence } from './commonSubsequence';

export interface MessageWithRole {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

/** Limit on replies to one message that are compared by their starts, on either side; no user retries that often. */
const MAX_REPLIES = 100;

/** Matches messages with turns; returns the turns by the index of their message. */
export function matchTurns(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  normalize = createNormalizer(),
): Map<number, TextTurn> {
  const matches = new Map(matchByText(turns, remoteMessages, normalize));
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
  let candidates: readonly ReplyTurn[] = [];
  let comparisons = 0;
  remoteMessages.forEach(({ message, kind }, index) => {
    if (kind === 'message') {
      const question = matches.get(index);
      const { unmatched = [] } = (question && replies.get(question.id)) ?? {};
      const isCandidate = (turn: ReplyTurn) => mayBePartial(turn) && !matchedTurns.has(turn);
      candidates = unmatched.filter(isCandidate).slice(0, MAX_REPLIES);
      comparisons = 0;
    }
    if (kind === 'message' || matches.has(index) || comparisons++ >= MAX_REPLIES) return;
    const partial = candidates.find(
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

/** The replies to one message: how many there are, and those of which the service's ID isn't known. */
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

function mayBePartial({ skipped, ending }: ReplyTurn): boolean {
  return skipped === true || ending !== 'complete';
}

function isSamePartialReply(reply: ReplyTurn, message: Message, normalize: Normalizer): boolean {
  if (reply.skipped) return true;
  const [local, remote] = [normalize(reply), normalize(message)];
  // Much faster than `startsWith`, which engines do character by character.
  return local.slice(0, remote.length) === remote.slice(0, local.length);
}

/** Matches what has the same text in the same order; what has an ID that both sides know matches only by it. */
function matchByText(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
  normalize: Normalizer,
): [number, TextTurn][] {
  const knownIds = new Set(turns.map(({ remoteId }) => remoteId));
  const getNumber = createNumbering();
  const localKeys = turns.map((turn) =>
    getNumber(turn.remoteId === undefined ? `${turn.kind} ${normalize(turn)}` : `id ${turn.remoteId}`),
  );
  const remoteKeys = remoteMessages.map(({ message, kind }) =>
    getNumber(knownIds.has(message.id) ? `id ${message.id}` : `${kind} ${normalize(message)}`),
  );
  return findCommonSubsequence(localKeys, remoteKeys).flatMap(([local, remote]) => {
    const turn = turns[local];
    return turn ? [[remote, turn]] : [];
  });
}

/** A function that normalizes white space and composition of a text, which differ between storages. */
export type Normalizer = (holder: TextTurn | Message) => string;

/** Creates a function that normalizes each text once: one of many megabytes may be compared with thousands of others. */
export function createNormalizer(): Normalizer {
  const normalizedTexts = new WeakMap<TextTurn | Message, string>();
  return (holder) => {
    let normalized = normalizedTexts.get(holder);
    if (normalized === undefined) {
      normalized = normalizeText(getText(holder)).replace(/\s+/g, ' ').trim();
      normalizedTexts.set(holder, normalized);
    }
    return normalized;
  };
}

/** In UTF-16 code units: takes up to 0.05 s. */
const LENGTH_PER_TASK = 2 ** 20;

/** Like `createNormalizer`, but normalizes these texts before, a part at a time: many megabytes take seconds. */
export async function createFilledNormalizer(holders: readonly (TextTurn | Message)[]): Promise<Normalizer> {
  const normalize = createNormalizer();
  let length = 0;
  for (const holder of holders) {
    normalize(holder);
    length += getText(holder).length;
    if (length < LENGTH_PER_TASK) continue;
    await sleep(0);
    length = 0;
  }
  return normalize;
}

function getText(holder: TextTurn | Message): string {
  return 'content' in holder ? holder.content : holder.text;
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
