import * as v from 'valibot';
import type { ChatContext } from 'vscode';
import type { Conversation, MessageTurn } from '../../chat/model/conversation';

/** Where something was said; in the metadata of a ChatResult, which VS Code keeps and gives back with the history. */
export type Place = v.InferOutput<typeof placeSchema>;

const placeSchema = v.object({ conversationId: v.string(), messageId: v.string() });

/** The metadata of a request of which nothing was sent. */
export const NOT_SENT = { nothingSent: true } as const;

/** A request that Chat shows. */
export interface Shown {
  readonly prompt: string;
  /** `lost`: what is stopped may be left without its metadata. */
  readonly place: Place | 'nowhere' | 'lost';
}

export function parseMetadata(metadata: unknown): Place | undefined {
  const place = v.safeParse(placeSchema, metadata);
  return place.success ? place.output : undefined;
}

/** What Chat shows of its session with Parley, oldest first. */
export function toRequests(history: ChatContext['history']): Shown[] {
  const shown: Shown[] = [];
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
 * Whether the bot remembers what Chat shows no more, because a person edited a request, asked again, or restored a
 * checkpoint. What was said in Parley's own panel is not in Chat, and is no such thing.
 */
export function hasDiverged({ turns }: Pick<Conversation, 'turns'>, shown: readonly Shown[]): boolean {
  let next = 0;
  return saidInChat(turns).some(({ id, text }) => {
    const at = shown.findIndex(
      ({ place, prompt }, index) =>
        index >= next && (place === 'lost' ? text.startsWith(prompt.trim()) : isPlace(place, id)),
    );
    next = at + 1;
    return at < 0;
  });
}

function isPlace(place: Shown['place'], messageId: string): boolean {
  return typeof place === 'object' && place.messageId === messageId;
}

/** The messages that the service may know; what it refused it has not in its memory. */
function saidInChat(turns: Conversation['turns']): MessageTurn[] {
  return turns.filter((turn): turn is MessageTurn => {
    if (turn.kind !== 'message' || turn.via !== 'chat') return false;
    const replies = turns.filter((each) => each.kind === 'reply' && each.messageId === turn.id);
    return (
      !replies.every((reply) => reply.kind === 'reply' && reply.failure?.maySend) || replies.length === 0
    );
  });
}
