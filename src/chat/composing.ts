import * as v from 'valibot';
import type { ContextChip } from '../shared/message';

/** What stands in a composer besides the text. */
export interface Composing {
  readonly context: readonly ContextChip[];
  /** Messages of this conversation are sent with web search. */
  readonly webSearch: boolean;
  /** What is left of a text that is sent in several messages. */
  readonly unsent: string;
}

export const NOTHING_COMPOSED: Composing = { context: [], webSearch: false, unsent: '' };

/** As it is kept beside the draft; empty where there is nothing to keep. */
export function serializeComposing(composing: Composing): string {
  const { context, webSearch, unsent } = composing;
  return context.length === 0 && !webSearch && unsent === '' ? '' : JSON.stringify(composing);
}

/** Throws what JSON.parse and valibot say of a damaged file. */
export function parseComposing(text: string): Composing {
  return text === '' ? NOTHING_COMPOSED : v.parse(composingSchema, JSON.parse(text));
}

const composingSchema: v.GenericSchema<unknown, Composing> = v.object({
  context: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(['selection', 'file', 'problems', 'terminal', 'diff']),
      name: v.string(),
      text: v.string(),
    }),
  ),
  webSearch: v.boolean(),
  unsent: v.string(),
});
