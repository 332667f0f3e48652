import * as v from 'valibot';
import type { ContextChip } from '../../shared/message';
import { chipSchema } from './chipSchema';

/** The part of a composer's contents that a message is composed from. */
export interface ComposedMessage {
  readonly text: string;
  readonly context: readonly ContextChip[];
}

/** The contents of a composer other than the draft. */
export interface Composing {
  readonly context: readonly ContextChip[];
  /** Whether messages of this conversation are sent with web search. */
  readonly webSearch: boolean;
}

export const NOTHING_COMPOSED: Composing = { context: [], webSearch: false };

/** Returns the text to store, empty if there is nothing to store. */
export function serializeComposing(composing: Composing): string {
  const { context, webSearch } = composing;
  return context.length === 0 && !webSearch ? '' : JSON.stringify(composing);
}

/** Throws errors of JSON.parse and valibot for a damaged file. */
export function parseComposing(text: string): Composing {
  return text === '' ? NOTHING_COMPOSED : v.parse(composingSchema, JSON.parse(text));
}

const composingSchema: v.GenericSchema<unknown, Composing> = v.object({
  context: v.array(chipSchema),
  webSearch: v.boolean(),
});
