import type { Message } from '../../client/models';
import type { MessageTurn, ReplyTurn, Turn } from '../model/turn';
import { findFailure, readReply } from './sources';

/** A turn to add (before another one, or last), or to replace the one with its id. */
export interface TurnChange {
  readonly turn: Turn;
  readonly before?: string;
}

interface MessageWithRole {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

type TextTurn = MessageTurn | ReplyTurn;

/**
 * Returns the changes that a service's messages (docs/service.md: GET /messages) make to the local turns:
 * missing turns, in order, and the service's ids of existing ones. A message matches a turn by the stored id,
 * otherwise by role, order and text, or as the only reply to the same message. Local turns are never removed
 * and their text never changes; an interrupted reply gets the complete text as `whole`. `messages` may be in
 * any order and contain duplicates; `now` is in ms since the epoch.
 */
export function mergeMessages(
  turns: readonly Turn[],
  messages: readonly Message[],
  { bot, now }: { readonly bot: string; readonly now: number },
): TurnChange[] {
  const remoteMessages = assignRoles(sortChronologically(messages));
  const localTurns = turns.filter((turn) => turn.kind !== 'document');
  const matches = matchTurns(localTurns, remoteMessages);
  const changes: TurnChange[] = [];
  for (const [index, turn] of matches) {
    const changed = toUpdatedTurn(turn, remoteMessages[index]?.message);
    if (changed) changes.push({ turn: changed });
  }
  const merged = [...turns];
  /** Index after the last turn that precedes the next message. */
  let end = 0;
  let question: Turn | undefined;
  remoteMessages.forEach(({ message, kind }, index) => {
    const match = matches.get(index);
    if (match) {
      end = Math.max(end, merged.indexOf(match) + 1);
      if (kind === 'message') question = match;
      return;
    }
    if (isRepeat(index, remoteMessages, matches, localTurns)) return;
    // Nobody sends an empty message: the service left the text out.
    if (kind === 'message' && message.content.trim() === '') return;
    if (kind === 'reply' && message.content.trim() === '') {
      // An unfinished reply has nothing to show, and a retried one was replaced.
      if (!findFailure(message) || isRepeat(index + 1, remoteMessages, matches, localTurns)) return;
    }
    const next = findNextMatchIndex(remoteMessages, matches, merged, index);
    if (kind === 'message') end = skipOlderTurns(merged, end, next, message);
    const at = message.createdAt === undefined ? (merged[end - 1]?.at ?? now) : message.createdAt * 1000;
    const turn =
      kind === 'message'
        ? createMessageTurn(message, at)
        : createReplyTurn(message, at, question?.id ?? '', bot);
    const before = merged[end]?.id;
    changes.push({ turn, ...(before !== undefined && { before }) });
    merged.splice(end, 0, turn);
    end++;
    if (kind === 'message') question = turn;
  });
  return changes;
}

/** Removes duplicates and sorts chronologically; pages come in either order. */
function sortChronologically(messages: readonly Message[]): Message[] {
  const unique = [...new Map(messages.map((message) => [message.id, message])).values()];
  const [first, last] = [unique[0], unique.at(-1)];
  const [from, to] = [first?.createdAt ?? 0, last?.createdAt ?? 0];
  // Within the same second, a conversation starts with the user's message.
  const isReversed = from > to || (from === to && first?.machine === true && last?.machine === false);
  if (isReversed) unique.reverse();
  return unique.every(({ createdAt }) => createdAt !== undefined)
    ? unique.sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
    : unique;
}

/** Assigns roles; if the service doesn't tell who is speaking, messages and replies alternate. */
function assignRoles(messages: readonly Message[]): MessageWithRole[] {
  const remoteMessages: MessageWithRole[] = [];
  for (const message of messages) {
    const isReply = message.machine ?? remoteMessages.at(-1)?.kind === 'message';
    remoteMessages.push({ message, kind: isReply ? 'reply' : 'message' });
  }
  return remoteMessages;
}

/** Matches messages with turns; returns the turns by the index of their message. */
function matchTurns(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
): Map<number, TextTurn> {
  const matches = new Map(findCommonSubsequence(turns, remoteMessages).map(([index, turn]) => [index, turn]));
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
        isSamePartialReply(turn, message),
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

function isSamePartialReply(reply: ReplyTurn, { content }: Message): boolean {
  if (reply.skipped) return true;
  if (reply.ending === 'complete') return false;
  const [local, remote] = [normalizeText(reply.text), normalizeText(content)];
  return local.startsWith(remote) || remote.startsWith(local);
}

/** Returns the longest common subsequence of turns and messages as pairs of message index and turn. */
function findCommonSubsequence(
  turns: readonly TextTurn[],
  remoteMessages: readonly MessageWithRole[],
): [number, TextTurn][] {
  const knownIds = new Set(turns.map(({ remoteId }) => remoteId));
  const localKeys = turns.map((turn) => ({ turn, key: `${turn.kind} ${normalizeText(turn.text)}` }));
  const remoteKeys = remoteMessages.map(({ message, kind }, index) => ({
    index,
    id: message.id,
    key: knownIds.has(message.id) ? undefined : `${kind} ${normalizeText(message.content)}`,
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

/** Normalizes white space and composition, which differ between storages. */
function normalizeText(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}

/** Returns a turn with what the service knows about it, or undefined if there is nothing new. */
function toUpdatedTurn(turn: TextTurn, message: Message | undefined): TextTurn | undefined {
  if (!message) return;
  const whole = turn.kind === 'reply' ? findCompleteText(turn, message) : undefined;
  if (turn.remoteId === message.id && (whole === undefined || hasCompleteText(turn, whole))) return;
  return { ...turn, remoteId: message.id, ...(whole !== undefined && { whole }) };
}

function hasCompleteText(turn: TextTurn, whole: string): boolean {
  return turn.kind === 'reply' && turn.whole === whole;
}

/** Returns the service's complete text of a reply that was interrupted only on the way here. */
function findCompleteText({ ending, text }: ReplyTurn, message: Message): string | undefined {
  const { content } = message;
  if (ending !== 'interrupted' && ending !== 'failed') return;
  return findFailure(message) || content.length < text.length || content === '' ? undefined : content;
}

/**
 * Returns whether a message is a repetition by a retry, which is one turn here: the one that its reply
 * answers.
 */
function isRepeat(
  index: number,
  remoteMessages: readonly MessageWithRole[],
  matches: ReadonlyMap<number, TextTurn>,
  turns: readonly TextTurn[],
): boolean {
  const reply = matches.get(index + 1);
  if (remoteMessages[index]?.kind !== 'message' || reply?.kind !== 'reply') return false;
  const question = turns.find(({ id }) => id === reply.messageId);
  return (
    question?.kind === 'message' &&
    normalizeText(question.text) === normalizeText(remoteMessages[index].message.content)
  );
}

/** Returns the index of the turn of the next matched message, or the end. */
function findNextMatchIndex(
  remoteMessages: readonly MessageWithRole[],
  matches: ReadonlyMap<number, TextTurn>,
  merged: readonly Turn[],
  index: number,
): number {
  for (let at = index + 1; at < remoteMessages.length; at++) {
    const turn = matches.get(at);
    if (turn) return merged.indexOf(turn);
  }
  return merged.length;
}

/**
 * Returns the index after turns unknown to the service (files, unsent messages) that are older than the
 * message.
 */
function skipOlderTurns(merged: readonly Turn[], from: number, to: number, { createdAt }: Message): number {
  if (createdAt === undefined) return Math.max(from, to);
  let end = from;
  while (end < to) {
    const turn = merged[end];
    // Never insert between a message and its reply. The service's times are truncated to seconds.
    if (turn && turn.kind !== 'reply' && turn.at > createdAt * 1000 + 999) break;
    end++;
  }
  return end;
}

function createMessageTurn({ id, content }: Message, at: number): MessageTurn {
  return { kind: 'message', id: crypto.randomUUID(), text: content, at, remoteId: id };
}

function createReplyTurn(message: Message, at: number, messageId: string, bot: string): ReplyTurn {
  return {
    kind: 'reply',
    id: crypto.randomUUID(),
    messageId,
    bot,
    text: message.content,
    at,
    ending: 'complete',
    ...readReply(message),
    remoteId: message.id,
  };
}
