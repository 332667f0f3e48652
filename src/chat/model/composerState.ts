import * as v from 'valibot';
import type { ContextChip } from '../../shared/message';
import { chipSchema } from './chipSchema';

/** What of a composer a message is made of. */
export interface ComposedMessage {
  readonly text: string;
  readonly context: readonly ContextChip[];
}

/** What stands in a composer besides the text. */
export interface Composing {
  readonly context: readonly ContextChip[];
  /** Messages of this conversation are sent with web search. */
  readonly webSearch: boolean;
}

export const NOTHING_COMPOSED: Composing = { context: [], webSearch: false };

/** As it is kept beside the draft; empty where there is nothing to keep. */
export function serializeComposing(composing: Composing): string {
  const { context, webSearch } = composing;
  return context.length === 0 && !webSearch ? '' : JSON.stringify(composing);
}

/** Throws what JSON.parse and valibot say of a damaged file. */
export function parseComposing(text: string): Composing {
  return text === '' ? NOTHING_COMPOSED : v.parse(composingSchema, JSON.parse(text));
}

const composingSchema: v.GenericSchema<unknown, Composing> = v.object({
  context: v.array(chipSchema),
  webSearch: v.boolean(),
});
