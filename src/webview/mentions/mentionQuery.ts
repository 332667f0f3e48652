import { MAX_MENTION_QUERY_LENGTH } from '../../shared/protocol/limits';

/** Start of a mention's query in the text: after an `@`, or where the button was pressed. */
export interface MentionStart {
  /** A new one each time that the list is opened. */
  readonly listId: string;
  readonly at: number;
  readonly marker: '@' | '';
}

/** Matches text that an `@` may follow; otherwise the `@` is part of a word or an email address. */
const BEFORE_MENTION = /[\s([{<"'“”‘’„«»‹›「『（、。，]$/;

/** Returns whether the character before the caret is an `@` that starts a mention. */
export function isMentionTyped(text: string, caret: number): boolean {
  const before = text.slice(0, Math.max(0, caret - 1));
  return text[caret - 1] === '@' && (before === '' || BEFORE_MENTION.test(before));
}

/** Returns the query before the caret; undefined if the caret has left it, or it can't be one. */
export function getMentionQuery(
  text: string,
  caret: number,
  { at, marker }: Pick<MentionStart, 'at' | 'marker'>,
): string | undefined {
  const start = at + marker.length;
  if (caret < start || !text.startsWith(marker, at)) return undefined;
  const query = text.slice(start, caret);
  return /\s/.test(query) || query.length > MAX_MENTION_QUERY_LENGTH ? undefined : query;
}

/** Returns the range to remove when a mention was chosen: what was typed for it, and one of two spaces around it. */
export function getMentionRange(
  text: string,
  caret: number,
  { at }: Pick<MentionStart, 'at'>,
): readonly [number, number] {
  const isSpaced = at === 0 || /\s/.test(text[at - 1] ?? '');
  return [at, isSpaced && text[caret] === ' ' ? caret + 1 : caret];
}
