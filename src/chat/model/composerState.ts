import * as v from 'valibot';
import type { ContextChip } from '../../shared/message';
import { chipSchema } from './chipSchema';

/** The part of a composer's contents that a message is composed from. */
export interface ComposedMessage {
  readonly text: string;
  readonly context: readonly ContextChip[];
}

/** The contents of a composer other than the draft. */
export interface ComposerState {
  readonly context: readonly ContextChip[];
  /** Whether messages of this conversation are sent with web search. */
  readonly webSearch: boolean;
}

export const EMPTY_COMPOSER: ComposerState = { context: [], webSearch: false };

/** Returns the text to store, empty if there is nothing to store. */
export function serializeComposerState(composing: ComposerState): string {
  const { context, webSearch } = composing;
  return context.length === 0 && !webSearch ? '' : JSON.stringify(composing);
}

/** Throws errors of JSON.parse and valibot for a damaged file. */
export function parseComposerState(text: string): ComposerState {
  return text === '' ? EMPTY_COMPOSER : v.parse(composerStateSchema, JSON.parse(text));
}

const composerStateSchema: v.GenericSchema<unknown, ComposerState> = v.object({
  context: v.array(chipSchema),
  webSearch: v.boolean(),
});
