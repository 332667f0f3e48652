import type { Turn } from '../model/conversation';
import type { TranscriptRecord } from '../model/record';
import type { Summary } from './conversationIndex';
import type { LeaseHolder } from './lease';
import type { Damage } from './parseLines';
import type { StoredConversation } from './replay';

export type StoreEvent =
  /** Another window wrote to a conversation that is open here. */
  | { readonly type: 'records'; readonly id: string; readonly records: readonly TranscriptRecord[] }
  /** A conversation came or changed, in this window or another. */
  | { readonly type: 'created'; readonly summary: Summary }
  | { readonly type: 'changed'; readonly summary: Summary }
  | { readonly type: 'deleted'; readonly id: string }
  /** Another window began to write a conversation that is open here, or ceased to (no `heldBy`): see `settle`. */
  | { readonly type: 'writer'; readonly id: string; readonly heldBy?: LeaseHolder }
  /** A queue may have changed, in this window or another. */
  | { readonly type: 'queue'; readonly id: string }
  /** The disk takes nothing: told once, and once more when all that waited is saved. */
  | { readonly type: 'writeFailed'; readonly id: string; readonly error: unknown }
  | { readonly type: 'writeRecovered'; readonly id: string };

/** A file that a later version of Parley wrote; it is left as it is. */
export interface FutureFile {
  readonly kind: 'future';
  readonly name: string;
}

export interface Listing {
  /** Newest first; `streaming`: some window is writing a reply. */
  readonly conversations: readonly (Summary & { readonly streaming: boolean })[];
  readonly future: readonly FutureFile[];
}

export interface OpenedConversation {
  readonly kind: 'conversation';
  /** With its last turns at least. */
  readonly conversation: StoredConversation;
  /** Whether these are all turns; else `earlier` has the rest. */
  readonly whole: boolean;
  /** The window that is writing it. */
  readonly heldBy?: LeaseHolder;
  /** The turns before those of `conversation`, and every part of the file that could not be read. */
  earlier(): Promise<{ readonly turns: readonly Turn[]; readonly damage: readonly Damage[] }>;
}
