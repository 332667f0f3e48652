import * as v from 'valibot';
import {
  botSchema,
  composerStateSchema,
  conversationId,
  type Infer,
  time,
  workspaceSchema,
} from '../../shared/conversation/conversationSchemas';
import type { ComposerState } from '../model/composerState';
import { type QueuedMessage, storedMessageSchema } from '../model/queuedMessage';
import type { Mirror } from './mirror';
import { getMaxItemLength } from './mirrorItems';

/** What the list shows of a conversation on a service, and its ID on this machine. */
const listedSchema = v.object({
  id: conversationId,
  name: v.string(),
  bot: v.exactOptional(botSchema),
  workspace: v.exactOptional(workspaceSchema),
  /** When it was changed last, in ms since the epoch. */
  at: time,
});

export type MirroredListing = Infer<typeof listedSchema>;

const draftSchema = v.object({ text: v.string(), composing: v.exactOptional(composerStateSchema) });

/** What wasn't sent yet of a conversation. */
export interface Unsent {
  readonly draft: string;
  readonly composing?: ComposerState;
  readonly queue: readonly QueuedMessage[];
}

const PLACE_PATTERN = /^(\S+) (.+)$/s;

/** Returns the name of a conversation's items: where it is on a service, or its ID here if it is on none. */
export function formatPlace({ baseUrl, id }: { readonly baseUrl: string; readonly id: string }): string {
  return `${baseUrl} ${id}`;
}

/** Returns undefined for a conversation that is on no service. */
export function parsePlace(name: string): { readonly baseUrl: string; readonly id: string } | undefined {
  const [, baseUrl, id] = PLACE_PATTERN.exec(name) ?? [];
  return baseUrl === undefined || id === undefined ? undefined : { baseUrl, id };
}

export function readListing(mirror: Mirror, name: string): MirroredListing | undefined {
  const listed = v.safeParse(listedSchema, mirror.get('listed', name));
  return listed.success ? listed.output : undefined;
}

export function readUnsent(mirror: Mirror, name: string): Unsent {
  const draft = v.safeParse(draftSchema, mirror.get('draft', name));
  const queue = mirror.get('queue', name);
  return {
    draft: draft.success ? draft.output.text : '',
    ...(draft.success && draft.output.composing && { composing: draft.output.composing }),
    queue: (Array.isArray(queue) ? queue : []).flatMap((message) => {
      const parsed = v.safeParse(storedMessageSchema, message);
      return parsed.success ? [parsed.output] : [];
    }),
  };
}

export function writeDraft(mirror: Mirror, name: string, draft: string, composing?: ComposerState): void {
  const isComposing = composing && (composing.context.length > 0 || composing.webSearch);
  const all = { text: draft, ...(isComposing && { composing }) };
  // The text is worth more than the chips.
  const fits = JSON.stringify(all).length <= getMaxItemLength('draft');
  const isEmpty = draft === '' && !(isComposing && fits);
  mirror.set('draft', name, isEmpty ? undefined : fits ? all : { text: draft });
}

/** Mirrors the first messages of a queue, as many as there is room for. */
export function writeQueue(mirror: Mirror, name: string, messages: readonly QueuedMessage[]): void {
  let length = 2;
  const kept = messages.filter((message) => {
    length += JSON.stringify(message).length + 1;
    return length <= getMaxItemLength('queue');
  });
  mirror.set('queue', name, kept.length > 0 ? kept : undefined);
}
