/** What a message is made of, counted the same at both ends. */

/** The longest message the service takes, in Unicode code points (docs/service.md: POST /messages/stream). */
export const MESSAGE_LIMIT = 2000;

/** Code units. A text that would use up more than some fifty messages of a plan is not split. */
export const MAX_SPLIT_LENGTH = 100_000;

/** A piece of context that goes into a message behind the text. */
export interface ContextChip {
  readonly id: string;
  readonly kind: 'selection' | 'file' | 'problems' | 'terminal' | 'diff';
  /** What it is of: a file and its lines, say. */
  readonly name: string;
  /** What is written into the message: a line that says where it is from, and a fenced block. */
  readonly text: string;
}

/** The message that is sent: the text, and each chip as a paragraph of its own. */
export function composeMessage(text: string, context: readonly Pick<ContextChip, 'text'>[]): string {
  if (context.length === 0) return text;
  return [text.trimEnd(), ...context.map((chip) => chip.text)].filter((part) => part !== '').join('\n\n');
}

/** Unicode code points; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
