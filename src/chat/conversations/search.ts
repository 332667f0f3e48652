import { findWords, foldText, parseSearchWords } from '../../shared/searchText';
import type { SearchHit } from '../../shared/viewModel';
import type { Conversation } from '../model/conversation';

const MAX_HITS = 100;
/** ms of searching before others get their turn. */
const SLICE = 5;
/** Characters (code units) of context. */
const BEFORE = 30;
const AFTER = 60;

type Searched = Pick<Conversation, 'id' | 'name' | 'bot' | 'turns'>;

/**
 * Finds the messages and replies that hold every word of a query, whatever its case and accents. Conversations are taken in
 * the order given, their turns from the newest on; at most 100 hits. Others get their turn every few ms; ends when aborted.
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
      if (performance.now() - since > SLICE) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      if (signal.aborted) return;
      if (turn.kind === 'document' || !holds(turn.text, words)) continue;
      const { id: conversationId, name, bot = { id: '', name: '' } } = conversation;
      yield { conversationId, turnId: turn.id, name, bot, at: turn.at, ...excerpt(turn.text, words) };
      if (++hits === MAX_HITS) return;
    }
  }
}

function holds(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}

/** What stands around the first word found, on one line; whole words, and `…` where more is left out. */
function excerpt(text: string, words: readonly string[]): Pick<SearchHit, 'before' | 'match' | 'after'> {
  const [start, end] = findWords(text, words).next().value ?? [0, 0];
  const before = oneLine(text.slice(Math.max(0, start - 4 * BEFORE), start)).trimStart();
  const after = oneLine(text.slice(end, end + 4 * AFTER)).trimEnd();
  const shortBefore = before.length > BEFORE ? `…${before.slice(-BEFORE).replace(/^\S*\s/, '')}` : before;
  const shortAfter = after.length > AFTER ? `${after.slice(0, AFTER).replace(/\s\S*$/, '')}…` : after;
  return { before: shortBefore, match: oneLine(text.slice(start, end)), after: shortAfter };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
