import type { Message } from '../../client/models';
import type { MessageTurn, ReplyTurn, TextTurn, Turn } from '../model/turn';
import { createNormalizer, type MessageWithRole, matchTurns, type Normalizer } from './matchMessages';
import { findFailure, isOldestFirst, readReply } from './replySources';

/** A turn to add (before another one, or last), or to replace the one with its ID. */
export interface TurnChange {
  readonly turn: TextTurn;
  readonly before?: string;
}

/**
 * Returns the changes that a service's messages (docs/service.md: GET /messages) make to the local turns:
 * missing turns, in order, and the service's IDs of existing ones. A message matches a turn by the stored ID,
 * otherwise by role, order and text, or as the only reply to the same message. Local turns are never removed.
 * Their text never changes, but a complete reply may grow; an interrupted one gets the complete text as
 * `whole`. `messages` may be in any order and contain duplicates; `now` is in ms since the epoch; `normalize`
 * may have normalized texts before.
 */
export function mergeMessages(
  turns: readonly Turn[],
  messages: readonly Message[],
  {
    bot,
    now,
    normalize = createNormalizer(),
  }: { readonly bot: string; readonly now: number; readonly normalize?: Normalizer },
): TurnChange[] {
  const localTurns = turns.filter((turn) => turn.kind !== 'document');
  const remoteMessages = assignRoles(sortChronologically(messages, localTurns, normalize));
  const matches = matchTurns(localTurns, remoteMessages, normalize);
  const changes: TurnChange[] = [];
  for (const [index, turn] of matches) {
    const changed = toUpdatedTurn(turn, remoteMessages[index]?.message);
    if (changed) changes.push({ turn: changed });
  }
  const indexes = new Map(turns.map((turn, index) => [turn, index]));
  const nextMatches = findNextMatches(remoteMessages.length, matches);
  /** Index after the last local turn that precedes the next message. */
  let end = 0;
  /** The turn before the next message, local or added. */
  let previous: Turn | undefined;
  const moveTo = (index: number) => {
    if (index <= end) return;
    end = index;
    previous = turns[end - 1];
  };
  let question: Turn | undefined;
  const repeats = findRepeats(remoteMessages, matches, localTurns, normalize);
  remoteMessages.forEach(({ message, kind }, index) => {
    const match = matches.get(index);
    if (match) {
      moveTo((indexes.get(match) ?? 0) + 1);
      if (kind === 'message') question = match;
      return;
    }
    if (repeats.has(index)) return;
    // Nobody sends an empty message: the service left the text out.
    if (kind === 'message' && message.content.trim() === '') return;
    if (kind === 'reply' && message.content.trim() === '') {
      // An unfinished reply has nothing to show, and a retried one was replaced.
      if (!findFailure(message) || repeats.has(index + 1)) return;
    }
    if (kind === 'message') {
      const next = nextMatches[index];
      moveTo(skipOlderTurns(turns, end, (next && indexes.get(next)) ?? turns.length, message));
    }
    const at = message.createdAt === undefined ? (previous?.at ?? now) : message.createdAt * 1000;
    const turn =
      kind === 'message'
        ? createMessageTurn(message, at)
        : createReplyTurn(message, at, question?.id ?? '', bot);
    const before = turns[end]?.id;
    changes.push({ turn, ...(before !== undefined && { before }) });
    previous = turn;
    if (kind === 'message') question = turn;
  });
  return changes;
}

/** Removes duplicates and sorts chronologically; pages come in either order. */
function sortChronologically(
  messages: readonly Message[],
  turns: readonly TextTurn[],
  normalize: Normalizer,
): Message[] {
  const unique = [...new Map(messages.map((message) => [message.id, message])).values()];
  const [first, last] = [unique[0], unique.at(-1)];
  // Without times, or within a second, the known messages tell; a conversation starts with the user's message.
  const oldestFirst = isOldestFirst(unique);
  const isReversed =
    oldestFirst === undefined
      ? (isOrderReversed(unique, turns, normalize) ?? (first?.machine === true && last?.machine === false))
      : !oldestFirst;
  if (isReversed) unique.reverse();
  return unique.every(({ createdAt }) => createdAt !== undefined)
    ? unique.sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
    : unique;
}

/** In UTF-16 code units: engines hash longer texts by their lengths only. */
const COMPARED_LENGTH = 1000;

/** Returns whether most messages that are known here are in reverse order; undefined if they don't tell. */
function isOrderReversed(
  messages: readonly Message[],
  turns: readonly TextTurn[],
  normalize: Normalizer,
): boolean | undefined {
  const positions = new Map<string, number>();
  const toTextKey = (holder: TextTurn | Message) => `text ${normalize(holder).slice(0, COMPARED_LENGTH)}`;
  turns.forEach((turn, index) => {
    const key = turn.remoteId === undefined ? toTextKey(turn) : `id ${turn.remoteId}`;
    // An empty text tells nothing, nor does one that is there twice.
    positions.set(key, positions.has(key) || key === 'text ' ? Number.NaN : index);
  });
  const known = messages.flatMap((message) => {
    const position = positions.get(`id ${message.id}`) ?? positions.get(toTextKey(message));
    return position === undefined || Number.isNaN(position) ? [] : position;
  });
  const steps = known.slice(1).map((position, index) => Math.sign(position - (known[index] ?? 0)));
  const balance = steps.reduce((sum, step) => sum + step, 0);
  return balance === 0 ? undefined : balance < 0;
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

/** Returns a turn with what the service knows about it, or undefined if there is nothing new. */
function toUpdatedTurn(turn: TextTurn, message: Message | undefined): TextTurn | undefined {
  if (!message) return;
  // It was read while it streamed to another machine.
  if (turn.kind === 'reply' && hasGrown(turn, message))
    return { ...turn, ...readReply(message), text: message.content };
  const whole = turn.kind === 'reply' ? findCompleteText(turn, message) : undefined;
  if (turn.remoteId === message.id && (whole === undefined || hasCompleteText(turn, whole))) return;
  if (whole === undefined || turn.kind === 'message') return { ...turn, remoteId: message.id };
  return { ...turn, ...readReply(message), remoteId: message.id, whole };
}

function hasCompleteText(turn: TextTurn, whole: string): boolean {
  return turn.kind === 'reply' && turn.whole === whole;
}

function hasGrown({ ending, text, remoteId }: ReplyTurn, message: Message): boolean {
  const { id, content } = message;
  if (ending !== 'complete' || remoteId !== id || text === '' || content.length <= text.length) return false;
  return content.startsWith(text) && content.slice(text.length).trim() !== '' && !findFailure(message);
}

/** Returns the service's complete text of a reply that was interrupted only on the way here. */
function findCompleteText({ ending, text }: ReplyTurn, message: Message): string | undefined {
  const { content } = message;
  if (ending !== 'interrupted' && ending !== 'failed') return;
  return findFailure(message) || content.length < text.length || content === '' ? undefined : content;
}

/**
 * Returns the indexes of the messages that are repetitions by a retry, which is one turn here: the one that its reply
 * answers. If the first of them has an answer from elsewhere, both are shown: someone else sent the same text.
 */
function findRepeats(
  remoteMessages: readonly MessageWithRole[],
  matches: ReadonlyMap<number, TextTurn>,
  turns: readonly TextTurn[],
  normalize: Normalizer,
): ReadonlySet<number> {
  const turnsById = new Map(turns.map((turn) => [turn.id, turn]));
  const indexes = new Map([...matches].map(([index, turn]) => [turn, index]));
  const hasOtherAnswer = (question: MessageTurn) => {
    const index = (indexes.get(question) ?? remoteMessages.length) + 1;
    const [answer, match] = [remoteMessages[index], matches.get(index)];
    if (answer?.kind !== 'reply' || answer.message.content.trim() === '') return false;
    return match?.kind !== 'reply' || match.messageId !== question.id;
  };
  const repeats = new Set<number>();
  remoteMessages.forEach(({ kind, message }, index) => {
    const reply = matches.get(index + 1);
    if (kind !== 'message' || reply?.kind !== 'reply') return;
    const question = turnsById.get(reply.messageId);
    if (question?.kind !== 'message' || hasOtherAnswer(question)) return;
    if (normalize(question) === normalize(message)) repeats.add(index);
  });
  return repeats;
}

/** Returns, by the index of each message, the turn of the next matched message, if there is one. */
function findNextMatches(
  count: number,
  matches: ReadonlyMap<number, TextTurn>,
): readonly (TextTurn | undefined)[] {
  const nextMatches: (TextTurn | undefined)[] = [];
  let next: TextTurn | undefined;
  for (let index = count - 1; index >= 0; index--) {
    nextMatches[index] = next;
    next = matches.get(index) ?? next;
  }
  return nextMatches;
}

/**
 * Returns the index after turns unknown to the service (files, unsent messages) that are older than the
 * message.
 */
function skipOlderTurns(turns: readonly Turn[], from: number, to: number, { createdAt }: Message): number {
  if (createdAt === undefined) return Math.max(from, to);
  let end = from;
  while (end < to) {
    const turn = turns[end];
    // Never insert between a message and its reply. The service's times are truncated to seconds.
    if (turn && turn.kind !== 'reply' && turn.at > createdAt * 1000 + 999) break;
    end++;
  }
  return end;
}

function createMessageTurn({ id, content, isWebSearch }: Message, at: number): MessageTurn {
  return {
    kind: 'message',
    id: crypto.randomUUID(),
    text: content,
    at,
    remoteId: id,
    ...(isWebSearch && { webSearch: true }),
  };
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
    ...(message.isWebSearch && { webSearch: true }),
    ...readReply(message),
    remoteId: message.id,
  };
}
