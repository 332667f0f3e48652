import type { Message } from '../../client/models';
import type { MessageTurn, ReplyTurn, Turn } from '../model/conversation';
import { findFailure, readReply } from './sources';

/** A turn to add (before another one, or last), or to replace the one with its id. */
export interface TurnChange {
  readonly turn: Turn;
  readonly before?: string;
}

interface Spoken {
  readonly message: Message;
  readonly kind: 'message' | 'reply';
}

type SpokenTurn = MessageTurn | ReplyTurn;

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
  const spoken = withRoles(oldestFirst(messages));
  const here = turns.filter((turn) => turn.kind !== 'document');
  const pairs = matched(here, spoken);
  const changes: TurnChange[] = [];
  for (const [index, turn] of pairs) {
    const changed = learnt(turn, spoken[index]?.message);
    if (changed) changes.push({ turn: changed });
  }
  const placed = [...turns];
  /** Index after the last turn that precedes the next message. */
  let end = 0;
  let asked: Turn | undefined;
  spoken.forEach(({ message, kind }, index) => {
    const known = pairs.get(index);
    if (known) {
      end = Math.max(end, placed.indexOf(known) + 1);
      if (kind === 'message') asked = known;
      return;
    }
    if (isRepeat(index, spoken, pairs, here)) return;
    // Nobody sends an empty message: the service left the text out.
    if (kind === 'message' && message.content.trim() === '') return;
    if (kind === 'reply' && message.content.trim() === '') {
      // An unfinished reply has nothing to show, and a retried one was replaced.
      if (!findFailure(message) || isRepeat(index + 1, spoken, pairs, here)) return;
    }
    const next = nextPlace(spoken, pairs, placed, index);
    if (kind === 'message') end = afterOlder(placed, end, next, message);
    const at = message.createdAt === undefined ? (placed[end - 1]?.at ?? now) : message.createdAt * 1000;
    const turn = kind === 'message' ? messageTurn(message, at) : replyTurn(message, at, asked?.id ?? '', bot);
    const before = placed[end]?.id;
    changes.push({ turn, ...(before !== undefined && { before }) });
    placed.splice(end, 0, turn);
    end++;
    if (kind === 'message') asked = turn;
  });
  return changes;
}

/** Removes duplicates and sorts chronologically; pages come in either order. */
function oldestFirst(messages: readonly Message[]): Message[] {
  const once = [...new Map(messages.map((message) => [message.id, message])).values()];
  const [first, last] = [once[0], once.at(-1)];
  const [from, to] = [first?.createdAt ?? 0, last?.createdAt ?? 0];
  // Within the same second, a conversation starts with the user's message.
  const turned = from > to || (from === to && first?.machine === true && last?.machine === false);
  if (turned) once.reverse();
  return once.every(({ createdAt }) => createdAt !== undefined)
    ? once.sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
    : once;
}

/** Assigns roles; if the service doesn't tell who is speaking, messages and replies alternate. */
function withRoles(messages: readonly Message[]): Spoken[] {
  const spoken: Spoken[] = [];
  for (const message of messages) {
    const isReply = message.machine ?? spoken.at(-1)?.kind === 'message';
    spoken.push({ message, kind: isReply ? 'reply' : 'message' });
  }
  return spoken;
}

/** Matches messages with turns; returns the turns by the index of their message. */
function matched(turns: readonly SpokenTurn[], spoken: readonly Spoken[]): Map<number, SpokenTurn> {
  const pairs = new Map(commonInOrder(turns, spoken).map(([index, turn]) => [index, turn]));
  const taken = new Set(pairs.values());
  const byId = new Map(turns.map((turn) => [turn.remoteId, turn]));
  spoken.forEach(({ message }, index) => {
    const turn = byId.get(message.id);
    if (!turn || taken.has(turn)) return;
    pairs.set(index, turn);
    taken.add(turn);
  });
  // An interrupted reply has another text on the service: match the one that follows its message.
  let asked: SpokenTurn | undefined;
  spoken.forEach(({ message, kind }, index) => {
    if (kind === 'message') asked = pairs.get(index);
    if (kind === 'message' || pairs.has(index)) return;
    const broken = turns.find(
      (turn) =>
        !taken.has(turn) && turn.kind === 'reply' && answers(turn, asked) && isPartOfReply(turn, message),
    );
    if (!broken) return;
    pairs.set(index, broken);
    taken.add(broken);
  });
  for (const [index, turn] of onlyReplies(turns, spoken, pairs, taken)) pairs.set(index, turn);
  return pairs;
}

/**
 * Matches replies whose stored text differs from the streamed one: if a message has one reply on either side,
 * they are the same.
 */
function* onlyReplies(
  turns: readonly SpokenTurn[],
  spoken: readonly Spoken[],
  pairs: ReadonlyMap<number, SpokenTurn>,
  taken: ReadonlySet<SpokenTurn>,
): Generator<[number, SpokenTurn]> {
  for (const [index, asked] of [...pairs]) {
    if (asked.kind !== 'message' || spoken[index + 1]?.kind !== 'reply') continue;
    if (pairs.has(index + 1) || spoken[index + 2]?.kind === 'reply') continue;
    const here = turns.filter((turn) => turn.kind === 'reply' && turn.messageId === asked.id);
    const [only] = here;
    if (only?.kind === 'reply' && here.length === 1 && !taken.has(only) && answers(only, asked)) {
      yield [index + 1, only];
    }
  }
}

function answers(reply: ReplyTurn, asked: SpokenTurn | undefined): boolean {
  return asked !== undefined && reply.messageId === asked.id && reply.remoteId === undefined;
}

function isPartOfReply(reply: ReplyTurn, { content }: Message): boolean {
  if (reply.skipped) return true;
  if (reply.ending === 'complete') return false;
  const [here, there] = [comparable(reply.text), comparable(content)];
  return here.startsWith(there) || there.startsWith(here);
}

/** Returns the longest common subsequence of turns and messages as pairs of message index and turn. */
function commonInOrder(turns: readonly SpokenTurn[], spoken: readonly Spoken[]): [number, SpokenTurn][] {
  const known = new Set(turns.map(({ remoteId }) => remoteId));
  const said = turns.map((turn) => ({ turn, key: `${turn.kind} ${comparable(turn.text)}` }));
  const heard = spoken.map(({ message, kind }, index) => ({
    index,
    id: message.id,
    key: known.has(message.id) ? undefined : `${kind} ${comparable(message.content)}`,
  }));
  const same = (at: number, of: number) => {
    const [one, other] = [said[at], heard[of]];
    if (!one || !other) return false;
    return one.turn.remoteId === undefined ? one.key === other.key : one.turn.remoteId === other.id;
  };
  const pairs: [number, SpokenTurn][] = [];
  const pair = (at: number, of: number) => {
    const turn = said[at]?.turn;
    if (turn) pairs.push([of, turn]);
  };
  // Usually all but the last few are equal, so the table is small.
  let start = 0;
  while (start < said.length && same(start, start)) pair(start, start++);
  let [rows, columns] = [said.length - start, heard.length - start];
  while (rows > 0 && columns > 0 && same(start + rows - 1, start + columns - 1)) {
    pair(start + --rows, start + --columns);
  }
  const width = columns + 1;
  const longest = new Uint16Array((rows + 1) * width);
  const length = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      longest[row * width + column] = same(start + row, start + column)
        ? length(row + 1, column + 1) + 1
        : Math.max(length(row + 1, column), length(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (same(start + row, start + column)) pair(start + row++, start + column++);
    else if (length(row + 1, column) >= length(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

/** Normalizes white space and composition, which differ between storages. */
function comparable(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}

/** Returns a turn with what the service knows about it, or undefined if there is nothing new. */
function learnt(turn: SpokenTurn, message: Message | undefined): SpokenTurn | undefined {
  if (!message) return;
  const whole = turn.kind === 'reply' ? findCompleteText(turn, message) : undefined;
  if (turn.remoteId === message.id && (whole === undefined || isSame(turn, whole))) return;
  return { ...turn, remoteId: message.id, ...(whole !== undefined && { whole }) };
}

function isSame(turn: SpokenTurn, whole: string): boolean {
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
  spoken: readonly Spoken[],
  pairs: ReadonlyMap<number, SpokenTurn>,
  turns: readonly SpokenTurn[],
): boolean {
  const reply = pairs.get(index + 1);
  if (spoken[index]?.kind !== 'message' || reply?.kind !== 'reply') return false;
  const asked = turns.find(({ id }) => id === reply.messageId);
  return asked?.kind === 'message' && comparable(asked.text) === comparable(spoken[index].message.content);
}

/** Returns the index of the turn of the next matched message, or the end. */
function nextPlace(
  spoken: readonly Spoken[],
  pairs: ReadonlyMap<number, SpokenTurn>,
  placed: readonly Turn[],
  index: number,
): number {
  for (let at = index + 1; at < spoken.length; at++) {
    const turn = pairs.get(at);
    if (turn) return placed.indexOf(turn);
  }
  return placed.length;
}

/**
 * Returns the index after turns unknown to the service (files, unsent messages) that are older than the
 * message.
 */
function afterOlder(placed: readonly Turn[], from: number, to: number, { createdAt }: Message): number {
  if (createdAt === undefined) return Math.max(from, to);
  let end = from;
  while (end < to) {
    const turn = placed[end];
    // Never insert between a message and its reply. The service's times are truncated to seconds.
    if (turn && turn.kind !== 'reply' && turn.at > createdAt * 1000 + 999) break;
    end++;
  }
  return end;
}

function messageTurn({ id, content }: Message, at: number): MessageTurn {
  return { kind: 'message', id: crypto.randomUUID(), text: content, at, remoteId: id };
}

function replyTurn(message: Message, at: number, messageId: string, bot: string): ReplyTurn {
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
