import * as v from 'valibot';
import { flag, type Infer, id, time } from '../../shared/conversation/conversationSchemas';
import type { ChatEvent } from './chatEvent';
import { type About, aboutProperties, pickAbout } from './conversation';
import { endedReplySchema, turnSchema } from './turn';

/** Version of the format, stored on each file's first line. */
const FORMAT_VERSION = 1;

/** The first line of a file. */
const headerSchema = v.object({ parley: v.literal(FORMAT_VERSION), id: v.string(), createdAt: time });

export type Header = Infer<typeof headerSchema>;

export const createHeader = (id: string, createdAt: number): Header => ({
  parley: FORMAT_VERSION,
  id,
  createdAt,
});

/** A line of a conversation's file: one change, named as in ChatEvent. */
const recordSchema = v.variant('type', [
  v.object({ type: v.literal('chunk'), turnId: id, text: v.string() }),
  v.object({
    type: v.literal('turn'),
    turn: turnSchema,
    before: v.exactOptional(v.string()),
    /** A turn with this ID already existed. Lets the end of a file be read without its beginning. */
    replaces: flag,
  }),
  v.object({ type: v.literal('turnRemoved'), turnId: id }),
  /** The ended reply without its text, which is in its chunks. `at`: when it ended. */
  v.object({ type: v.literal('ended'), turn: endedReplySchema, at: time }),
  v.object({
    type: v.literal('about'),
    ...aboutProperties,
    name: v.exactOptional(aboutProperties.name),
    unread: v.exactOptional(aboutProperties.unread),
    pinned: v.exactOptional(aboutProperties.pinned),
  }),
]);

export type TranscriptRecord = Infer<typeof recordSchema>;

/** Returns the lines of a conversation as it is in memory now; undefined if it isn't open in this window. */
export type Recall = () => readonly [Header, ...TranscriptRecord[]] | undefined;

/**
 * Returns the record to store for an event, or undefined for upload progress, drafts and lifecycle events.
 */
export function toRecord(
  event: ChatEvent,
  about: Partial<About>,
  now = Date.now(),
): TranscriptRecord | undefined {
  switch (event.type) {
    case 'changed':
      return { type: 'about', ...pickAbout(about) };
    case 'turn':
      // Upload progress is shown but not stored.
      if (event.turn.kind === 'document' && event.turn.state === 'uploading' && event.turn.sent > 0) return;
      return { type: 'turn', turn: event.turn, ...(event.before !== undefined && { before: event.before }) };
    case 'turnRemoved':
      return { type: 'turnRemoved', turnId: event.turnId };
    case 'chunk':
      return { type: 'chunk', turnId: event.turnId, text: event.text };
    case 'ended': {
      const { text: _text, ...turn } = event.turn;
      return { type: 'ended', turn, at: now };
    }
  }
}

/**
 * Adapts another window's records to a conversation to which this window's `later` records were applied already: removes
 * what those replace, and inserts new turns before theirs.
 */
export function orderBefore(
  records: readonly TranscriptRecord[],
  later: readonly (TranscriptRecord | Header)[],
): readonly TranscriptRecord[] {
  const turnIds = new Set<string>();
  const keys = new Set<string>();
  // A window that recalls a lost file writes all turns again.
  const known = new Set(records.flatMap((record) => (record.type === 'turn' ? [record.turn.id] : [])));
  let next: string | undefined;
  for (const record of later) {
    if (!('type' in record)) continue;
    if (record.type === 'turnRemoved') turnIds.add(record.turnId);
    if (record.type === 'turn') {
      turnIds.add(record.turn.id);
      const isNew = !record.replaces && record.before === undefined && !known.has(record.turn.id);
      if (isNew) next ??= record.turn.id;
    }
    // Forks are added to those of other windows.
    if (record.type === 'about')
      for (const key in record) if (key !== 'type' && key !== 'forks') keys.add(key);
  }
  return records.flatMap((record) => {
    if (record.type === 'turn') {
      if (turnIds.has(record.turn.id)) return [];
      const isPlaced = record.before !== undefined || record.replaces === true;
      return isPlaced || next === undefined ? record : { ...record, before: next };
    }
    if (record.type !== 'about') return record;
    const left = Object.entries(record).filter(([key]) => !keys.has(key));
    return left.length > 1 ? (Object.fromEntries(left) as typeof record) : [];
  });
}

export type Line =
  | { readonly kind: 'record'; readonly record: TranscriptRecord }
  | { readonly kind: 'header'; readonly header: Header }
  /** The header of a newer version, which this one can't read. */
  | { readonly kind: 'newerVersion' };

/** Parses one line; returns undefined if it is damaged. */
export function parseLine(text: string): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  // One issue is enough: a list of millions of invalid items would fill the memory with theirs.
  const record = v.safeParse(recordSchema, value, { abortEarly: true });
  if (record.success) return { kind: 'record', record: record.output };
  const header = v.safeParse(headerSchema, value, { abortEarly: true });
  if (header.success) return { kind: 'header', header: header.output };
  if (v.is(newerVersionSchema, value)) return { kind: 'newerVersion' };
}

const newerVersionSchema = v.object({ parley: v.pipe(v.number(), v.gtValue(FORMAT_VERSION)) });
