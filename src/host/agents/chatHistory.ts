import * as v from 'valibot';
import type { ChatContext } from 'vscode';
import type { Conversation } from '../../chat/model/conversation';
import type { MessageTurn } from '../../chat/model/turn';

/**
 * The message of a request in Chat. It is stored in the metadata of the ChatResult, which VS Code returns
 * with the history.
 */
export type Place = v.InferOutput<typeof placeSchema>;

const placeSchema = v.object({ conversationId: v.string(), messageId: v.string() });

/** The metadata of a request that was not sent. */
export const NOT_SENT = { nothingSent: true } as const;

/** A request in Chat's history. */
export interface ShownRequest {
  readonly prompt: string;
  /** `lost`: a stopped request may have no metadata. */
  readonly place: Place | 'nowhere' | 'lost';
}

export function parseMetadata(metadata: unknown): Place | undefined {
  const place = v.safeParse(placeSchema, metadata);
  return place.success ? place.output : undefined;
}

/** Returns the requests to Parley in Chat's history, oldest first. */
export function toRequests(history: ChatContext['history']): ShownRequest[] {
  const shown: ShownRequest[] = [];
  let prompt = '';
  for (const turn of history) {
    if ('prompt' in turn) prompt = turn.prompt;
    else {
      const { metadata } = turn.result;
      shown.push({ prompt, place: parseMetadata(metadata) ?? (metadata?.nothingSent ? 'nowhere' : 'lost') });
    }
  }
  return shown;
}

/**
 * Returns whether the bot remembers messages that Chat no longer shows, because the user edited or repeated a
 * request or restored a checkpoint. Messages sent in Parley's own panel don't count.
 */
export function hasDiverged({ turns }: Pick<Conversation, 'turns'>, shown: readonly ShownRequest[]): boolean {
  let next = 0;
  return findChatMessages(turns).some(({ id, text }) => {
    const position = shown.findIndex(
      ({ place, prompt }, index) =>
        index >= next && (place === 'lost' ? text.startsWith(prompt.trim()) : isPlace(place, id)),
    );
    next = position + 1;
    return position < 0;
  });
}

function isPlace(place: ShownRequest['place'], messageId: string): boolean {
  return typeof place === 'object' && place.messageId === messageId;
}

/** Returns the messages that the bot may remember: those that the service refused are not in its memory. */
function findChatMessages(turns: Conversation['turns']): MessageTurn[] {
  return turns.filter((turn): turn is MessageTurn => {
    if (turn.kind !== 'message' || turn.via !== 'chat') return false;
    const replies = turns.filter((other) => other.kind === 'reply' && other.messageId === turn.id);
    return (
      !replies.every((reply) => reply.kind === 'reply' && reply.failure?.maySend) || replies.length === 0
    );
  });
}
