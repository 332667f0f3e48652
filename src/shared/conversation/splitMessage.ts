import { MESSAGE_LIMIT } from './message';

/** In code points. A longer line doesn't open a code block: it couldn't be repeated in every part. */
const MAX_FENCE_LINE_LENGTH = 200;
const FENCE_START = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

interface Fence {
  /** The opening line, without its line ending. */
  readonly line: string;
  readonly mark: string;
}

export interface Part {
  readonly part: string;
  /** The text still to be sent; if the part ends inside a code block, it starts with the block's opening line again. */
  readonly rest: string;
}

/** Splits a text into messages of at most `limit` code points, in order and without losing text. */
export function splitMessage(text: string, limit = MESSAGE_LIMIT): string[] {
  const parts: string[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const next = takeFirstPart(rest, limit);
    parts.push(next.part);
    rest = next.rest;
  }
  return parts;
}

/**
 * Returns the first message of a text that is too long for one. A message has more than white space: the service refuses
 * an empty one, and the rest would never be sent.
 */
export function takeFirstPart(text: string, limit = MESSAGE_LIMIT): Part {
  let next = cutMessage(text, limit);
  while (next.part.trim() === '' && next.rest !== '') next = cutMessage(next.rest, limit);
  return next;
}

/**
 * Cuts a text that is too long for one message at the end of a paragraph, else of a line, else of a word, else
 * of a grapheme. A code block that is cut is closed, and reopened in the rest.
 */
function cutMessage(text: string, limit: number): Part {
  const window = takeCodePoints(text, limit);
  if (window.length === text.length) return { part: text, rest: '' };
  // Leave room for the line that closes a code block, in case the cut is in one.
  const longestMark = Math.max(0, ...findCodeBlocks(window).map(({ fence }) => fence.mark.length));
  const room = longestMark === 0 ? window : takeCodePoints(text, limit - longestMark - 1);
  const end = findBreak(room, takeCodePoints(text, limit + 1));
  const part = text.slice(0, end);
  const rest = text.slice(end);
  const open = findCodeBlocks(part).at(-1);
  if (!open || open.closed) return { part, rest };
  const { line, mark } = open.fence;
  return { part: `${part}${part.endsWith('\n') ? '' : '\n'}${mark}`, rest: `${line}\n${rest}` };
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
