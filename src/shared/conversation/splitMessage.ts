import { MESSAGE_LIMIT } from './message';

/** In code points. A longer line doesn't open a code block: it couldn't be repeated in every part. */
const MAX_FENCE_LINE_LENGTH = 200;
const FENCE_START = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

interface Fence {
  /** The opening line, without its line ending. */
  readonly line: string;
  readonly mark: string;
}

/** A message, and the part of the text that it has: the code units from `start` to `end`. */
export interface MessagePart {
  readonly part: string;
  readonly start: number;
  readonly end: number;
}

/** Splits a text into messages of at most `limit` code points, in order and without losing text. */
export function splitMessage(text: string, limit = MESSAGE_LIMIT): string[] {
  return [...cutMessages(text, limit)].map(({ part }) => part);
}

/**
 * Yields the messages of `splitMessage`, each with its place. A message has more than white space: the service refuses an
 * empty one, and the rest would never be sent.
 */
export function* cutMessages(text: string, limit = MESSAGE_LIMIT): Generator<MessagePart, void> {
  const textEnd = text.trimEnd().length;
  let opening = '';
  for (let start = 0; start < textEnd; ) {
    const { part, end, reopening } = cutMessage(text, start, opening, limit);
    if (part.trim() !== '') yield { part, start, end };
    start = end;
    opening = reopening;
  }
}

interface Cut {
  readonly part: string;
  readonly end: number;
  /** The line that opens the code block again in which the part ends, or nothing. */
  readonly reopening: string;
}

/**
 * Cuts the rest of a text, from `start`, at the end of a paragraph, else of a line, else of a word, else of a grapheme. A
 * code block that is cut is closed, and reopened in the next part, which begins with the line `opening`. Reads no more of
 * the text than a message can hold.
 */
function cutMessage(text: string, start: number, opening: string, limit: number): Cut {
  // A code point has at most two code units.
  const beyond = takeCodePoints(opening + text.slice(start, start + 2 * (limit + 1)), limit + 1);
  const window = takeCodePoints(beyond, limit);
  if (window.length === opening.length + text.length - start) {
    return { part: window, end: text.length, reopening: '' };
  }
  // Leave room for the line that closes a code block, in case the cut is in one.
  const longestMark = Math.max(0, ...findCodeBlocks(window).map(({ fence }) => fence.mark.length));
  const room = longestMark === 0 ? window : takeCodePoints(window, limit - longestMark - 1);
  const length = findBreak(room, beyond);
  const part = window.slice(0, length);
  const end = start + length - opening.length;
  const open = findCodeBlocks(part).at(-1);
  if (!open || open.closed) return { part, end, reopening: '' };
  const { line, mark } = open.fence;
  return { part: `${part}${part.endsWith('\n') ? '' : '\n'}${mark}`, end, reopening: `${line}\n` };
}

/** Finds where to cut: the last good place that doesn't make the part too small. `beyond` shows what follows the room. */
function findBreak(room: string, beyond: string): number {
  const blocks = findCodeBlocks(room);
  const inBlock = (at: number) => blocks.some(({ start, end }) => at > start && at < end);
  const paragraph = findLastMatch(room, /\n[ \t]*\n+/g, (at) => !inBlock(at));
  if (paragraph > room.length / 2) return paragraph;
  // A cut right after the opening line would leave an empty code block.
  const starts = new Set(blocks.map(({ start, fence }) => start + fence.line.length + 1));
  const line = findLastMatch(room, /\n/g, (at) => !starts.has(at));
  if (line > room.length / 4) return line;
  const word = findLastMatch(room, /\s+/g, () => true);
  // Never cut inside the opening line of a block, which is repeated as a whole.
  const floor = Math.max(0, ...starts);
  if (word > room.length / 4 && word > floor) return word;
  return findGraphemeBreak(room, beyond, floor);
}

/** Returns the end of the last match that passes, or 0. */
function findLastMatch(text: string, pattern: RegExp, passes: (end: number) => boolean): number {
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (passes(end)) last = end;
  }
  return last;
}

function findGraphemeBreak(room: string, beyond: string, floor: number): number {
  let last = 0;
  for (const { index } of new Intl.Segmenter().segment(beyond)) {
    if (index > room.length) break;
    last = index;
  }
  // A single grapheme longer than a message, which nobody types: cut between its code points.
  return last > floor ? last : room.length;
}

interface Block {
  readonly fence: Fence;
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** Finds the code blocks at the top level of a text; the last one may be open. */
function findCodeBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: Fence; readonly start: number } | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const end = Math.min(text.length, at + line.length + 1);
    if (open) {
      if (isClosingFence(line, open.fence.mark)) {
        blocks.push({ ...open, end, closed: true });
        open = undefined;
      }
    } else {
      const mark = line.length <= MAX_FENCE_LINE_LENGTH ? FENCE_START.exec(line)?.[1] : undefined;
      // A line that is cut off doesn't open a block.
      if (mark !== undefined && end > at + line.length) open = { fence: { line, mark }, start: at };
    }
    at = end;
  }
  if (open) blocks.push({ ...open, end: text.length, closed: false });
  return blocks;
}

function isClosingFence(line: string, mark: string): boolean {
  const run = line.trim();
  return /^ {0,3}\S/.test(line) && run.length >= mark.length && run === (mark[0] ?? '').repeat(run.length);
}

function takeCodePoints(text: string, count: number): string {
  let end = 0;
  for (let points = 0; points < count && end < text.length; points++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
