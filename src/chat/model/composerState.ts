import type { composerStateSchema, Infer } from '../../shared/conversation/conversationSchemas';

/** The contents of a composer other than the draft. */
export type ComposerState = Infer<typeof composerStateSchema>;

/** The part of a composer's contents that a message is composed from. */
export interface ComposedMessage extends Pick<ComposerState, 'context'> {
  readonly text: string;
}

/** A message that leaves the composer. `page`: the one in whose composer it was sent, if any. */
export interface SentMessage extends ComposedMessage {
  readonly page?: object | undefined;
}

export const EMPTY_COMPOSER: ComposerState = { context: [], webSearch: false };

export function isEmptyComposer({ context, webSearch, queuedEdit }: ComposerState): boolean {
  return context.length === 0 && !webSearch && !queuedEdit;
}
