import type { chipSchema, Infer } from './conversationSchemas';

/** Composition and length of a message, shared by the host and the page. */

/** The longest message the service takes, in Unicode code points (docs/service.md: POST /messages/stream). */
export const MESSAGE_LIMIT = 2000;

/** Maximum length of a text to split, in code units: a longer one would cost more than about fifty messages. */
export const MAX_SPLIT_LENGTH = 100_000;

/** A piece of context that is appended to a message's text. */
export type ContextChip = Infer<typeof chipSchema>;

/** Composes the message to send: the text, and each chip as a separate paragraph. */
export function composeMessage(text: string, context: readonly Pick<ContextChip, 'text'>[]): string {
  if (context.length === 0) return text;
  return [text.trimEnd(), ...context.map((chip) => chip.text)].filter((part) => part !== '').join('\n\n');
}

/** Counts Unicode code points; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
