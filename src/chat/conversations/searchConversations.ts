import { findWords, foldText, parseSearchWords } from '../../shared/text/searchText';
import type { SearchHit } from '../../shared/view/viewModel';
import type { Conversation } from '../model/conversation';

const MAX_HITS = 100;
/** Time to search before yielding to other work. */
const SLICE_MS = 5;
/** Context before and after the match, in UTF-16 code units. */
const MAX_BEFORE_LENGTH = 30;
const MAX_AFTER_LENGTH = 60;
/** In UTF-16 code units. The overlap is longer than any word of a query. */
const PIECE_LENGTH = 16_384;
const OVERLAP_LENGTH = 2000;

type Searched = Pick<Conversation, 'id' | 'name' | 'bot' | 'turns'>;

/**
 * Finds the messages and replies that contain every word of a query, ignoring case and accents. Searches
 * conversations in the given order, each from its newest turn; yields at most 100 hits. Yields to other work
 * every few milliseconds and stops when aborted.
 */
export async function* searchConversations(
  conversations: Iterable<Searched> | AsyncIterable<Searched>,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  const words = parseSearchWords(query);
  if (words.length === 0) return;
  let hits = 0;
  let since = performance.now();
  for await (const conversation of conversations) {
    for (const turn of conversation.turns.toReversed()) {
      if (performance.now() - since > SLICE_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      if (signal.aborted) return;
      if (turn.kind === 'document' || !containsWords(turn.text, words)) continue;
      const { id: conversationId, name, bot = { id: '', name: '' } } = conversation;
      yield { conversationId, turnId: turn.id, name, bot, at: turn.at, ...createExcerpt(turn.text, words) };
      if (++hits === MAX_HITS) return;
    }
  }
}

function containsWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}

/**
 * Returns the text around the first match on one line, cut at word boundaries, with `…` where text is left
 * out.
 */
function createExcerpt(
  text: string,
  words: readonly string[],
): Pick<SearchHit, 'before' | 'match' | 'after'> {
  const [start, end] = findFirstWord(text, words);
  const before = toOneLine(text.slice(Math.max(0, start - 4 * MAX_BEFORE_LENGTH), start)).trimStart();
  const after = toOneLine(text.slice(end, end + 4 * MAX_AFTER_LENGTH)).trimEnd();
  const shortBefore =
    before.length > MAX_BEFORE_LENGTH ? `…${before.slice(-MAX_BEFORE_LENGTH).replace(/^\S*\s/, '')}` : before;
  const shortAfter =
    after.length > MAX_AFTER_LENGTH ? `${after.slice(0, MAX_AFTER_LENGTH).replace(/\s\S*$/, '')}…` : after;
  return { before: shortBefore, match: toOneLine(text.slice(start, end)), after: shortAfter };
}

/** Finds the first match piece by piece: finding where a folded character was takes long, and replies may be huge. */
function findFirstWord(text: string, words: readonly string[]): readonly [start: number, end: number] {
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    const piece = text.slice(from, from + PIECE_LENGTH + OVERLAP_LENGTH);
    const folded = foldText(piece);
    if (!words.some((word) => folded.includes(word))) continue;
    const match = findWords(piece, words).next().value;
    if (match) return [from + match[0], from + match[1]];
  }
  return [0, 0];
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
