import type { TranscriptRecord } from '../model/record';
import type { Turn } from '../model/turn';
import type { Summary } from './conversationIndex';
import type { LeaseHolder } from './files/lease';
import type { Damage } from './transcript/parseLines';
import type { StoredConversation } from './transcript/replay';

export type StoreEvent =
  /** Another window wrote to a conversation that is open here. */
  | { readonly type: 'records'; readonly id: string; readonly records: readonly TranscriptRecord[] }
  /** A conversation was created or changed, in this window or another. */
  | { readonly type: 'created'; readonly summary: Summary }
  | { readonly type: 'changed'; readonly summary: Summary }
  | { readonly type: 'deleted'; readonly id: string }
  /** A deletion that can be undone began or ended, in this window or another. */
  | { readonly type: 'deletion'; readonly id: string }
  /**
   * Another window started writing a conversation that is open here, or stopped (no `heldBy`): see `interruptTurn`.
   * `isBack`: it only seemed to have stopped.
   */
  | { readonly type: 'writer'; readonly id: string; readonly heldBy?: LeaseHolder; readonly isBack?: boolean }
  /** No window has written a conversation for so long that none can still be working, with or without a lease. */
  | { readonly type: 'quiet'; readonly id: string }
  /** A queue may have changed, in this window or another. */
  | { readonly type: 'queue'; readonly id: string }
  /** The queue or the contents of the composer couldn't be read; a copy of the file was kept. */
  | { readonly type: 'damaged'; readonly id: string }
  /** This window has written a draft. */
  | { readonly type: 'draftSaved'; readonly id: string; readonly text: string }
  /** The disk can't be written: fired once, followed by `writeRecovered` when everything pending is saved. */
  | { readonly type: 'writeFailed'; readonly id: string; readonly error: unknown }
  | { readonly type: 'writeRecovered'; readonly id: string };

/** A file written by a newer version of Parley; it is never changed. */
export interface NewerVersionFile {
  readonly kind: 'newerVersion';
  readonly name: string;
}

export interface Listing {
  /** Newest first. `streaming`: some window is writing a reply. */
  readonly conversations: readonly (Summary & { readonly streaming: boolean })[];
  readonly newerVersions: readonly NewerVersionFile[];
}

export interface OpenedConversation {
  readonly kind: 'conversation';
  /** Contains at least the last turns. */
  readonly conversation: StoredConversation;
  /** Whether these are all turns; otherwise `earlier` returns the rest. */
  readonly whole: boolean;
  /** The window that is writing it. */
  readonly heldBy?: LeaseHolder;
  /** Returns the turns before those of `conversation`, as they were at that time, and every unreadable part of the file. */
  earlier(): Promise<{ readonly turns: readonly Turn[]; readonly damage: readonly Damage[] }>;
}
