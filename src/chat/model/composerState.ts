import * as v from 'valibot';
import { composerStateSchema, type Infer } from '../../shared/conversationSchemas';

/** The contents of a composer other than the draft. */
export type ComposerState = Infer<typeof composerStateSchema>;

/** The part of a composer's contents that a message is composed from. */
export interface ComposedMessage extends Pick<ComposerState, 'context'> {
  readonly text: string;
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
