import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TranscriptRecord } from '../../../../src/chat/model/record';
import type { Turn } from '../../../../src/chat/model/turn';
import { DEFAULT_LEASE_TIMES, type LeaseTimes } from '../../../../src/chat/store/files/lease';
import type { Storage } from '../../../../src/chat/store/files/storage';
import { ConversationStore } from '../../../../src/chat/store/store';
import type { OpenedConversation, StoreEvent } from '../../../../src/chat/store/storeEvents';
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../../support/waitUntil';

/** A temporary folder with stores for any number of windows; `close` ends everything. */
export interface StoreFolder {
  readonly path: string;
  /** A window on the folder with the events it received. */
  window(name?: string, leaseTimes?: Partial<LeaseTimes>, storage?: Storage): StoreWindow;
  close(): Promise<void>;
}

export interface StoreWindow {
  readonly store: ConversationStore;
  readonly events: StoreEvent[];
  readonly errors: unknown[];
}

export async function createStoreFolder(at?: string): Promise<StoreFolder> {
  const folder = at ?? (await mkdtemp(path.join(os.tmpdir(), 'parley-store-')));
  const stores: ConversationStore[] = [];
  return {
    path: folder,
    window: (name = 'this window', leaseTimes = {}, storage = new NodeStorage(folder)) => {
      const events: StoreEvent[] = [];
      const errors: unknown[] = [];
      const times = { ...DEFAULT_LEASE_TIMES, ...leaseTimes };
      const store = new ConversationStore(storage, name, (error) => errors.push(error), times);
      store.onStoreEvent((event) => events.push(event));
      stores.push(store);
      return { store, events, errors };
    },
    close: async () => {
      await Promise.all(stores.map((store) => store.dispose()));
      if (at === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until `look` finds something, limited by the test's timeout. */
export async function waitFor<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  return (await waitUntil(String(look), async () => (await look()) || undefined)) as T;
}

export async function openConversation(store: ConversationStore, id: string): Promise<OpenedConversation> {
  const found = await store.openTranscript(id);
  if (found?.kind !== 'conversation') throw new Error(`No conversation ${id}`);
  return found;
}

/** Returns all turns of a conversation: the earlier ones and those read first. */
export async function readAllTurns(store: ConversationStore, id: string): Promise<readonly Turn[]> {
  const { conversation, earlier } = await openConversation(store, id);
  return [...(await earlier()).turns, ...conversation.turns];
}

export const message = (id: string, text: string, at = 1): TranscriptRecord => ({
  type: 'turn',
  turn: { kind: 'message', id, text, at },
});

export const reply = (id: string, at = 2): TranscriptRecord => ({
  type: 'turn',
  turn: { kind: 'reply', id, messageId: 'm', bot: 'Guide', text: '', at },
});

export const chunk = (turnId: string, text: string): TranscriptRecord => ({ type: 'chunk', turnId, text });

export const ended = (id: string, at = 2): TranscriptRecord => ({
  type: 'ended',
  turn: { kind: 'reply', id, messageId: 'm', bot: 'Guide', at, ending: 'complete' },
  at: at + 1,
});

export const about = (name: string) =>
  ({ type: 'about', name, bot: { id: 'b', name: 'Guide' } }) satisfies TranscriptRecord;
