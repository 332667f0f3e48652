import * as v from 'valibot';
import type { Conversation, ReplyTurn, Turn } from './conversation';
import type { ChatEvent } from './events';
import { FAILURE_CODES } from './failure';

/** Version of the format, stored on each file's first line. */
export const FORMAT_VERSION = 1;

/** The first line of a file. */
export interface Header {
  readonly parley: typeof FORMAT_VERSION;
  readonly id: string;
  /** ms since the epoch. */
  readonly createdAt: number;
}

/** A conversation's properties other than its turns and its draft. */
export type About = Pick<Conversation, 'name' | 'bot' | 'remote' | 'unread'> & { readonly pinned: boolean };

type Recorded<K extends ChatEvent['type']> = Omit<Extract<ChatEvent, { type: K }>, 'conversationId'>;

/** A line of a conversation's file: one change, named as in ChatEvent. */
export type TranscriptRecord =
  /**
   * `replaces`: a turn with this id already existed. Lets the end of a file be read without its beginning.
   */
  | (Recorded<'turn'> & { readonly replaces?: true })
  | Recorded<'turnRemoved'>
  | Recorded<'chunk'>
  /** The ended reply without its text, which is in its chunks. `at`: when it ended, in ms since the epoch. */
  | { readonly type: 'ended'; readonly turn: Omit<ReplyTurn, 'text'>; readonly at: number }
  | ({ readonly type: 'about' } & Partial<About>);

/**
 * Returns the record to store for an event, or undefined for upload progress, drafts and lifecycle events.
 */
export function toRecord(
  event: ChatEvent,
  about: Partial<About>,
  now = Date.now(),
): TranscriptRecord | undefined {
  switch (event.type) {
    case 'changed': {
      const { name, bot, remote, unread, pinned } = about;
      const flags = { ...(unread !== undefined && { unread }), ...(pinned !== undefined && { pinned }) };
      return {
        type: 'about',
        ...(name !== undefined && { name }),
        ...(bot && { bot }),
        ...(remote && { remote }),
        ...flags,
      };
    }
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
  const record = v.safeParse(recordSchema, value);
  if (record.success) return { kind: 'record', record: record.output };
  const header = v.safeParse(headerSchema, value);
  if (header.success) return { kind: 'header', header: header.output };
  if (v.is(newerVersionSchema, value)) return { kind: 'newerVersion' };
}

/** Limited to the length that the page accepts in its messages. */
export const id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
/** Bytes. */
export const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** ms since the epoch, limited to valid dates: a page that shows another value throws. */
export const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

export const failureProperties = {
  // A newer Parley may have more codes.
  code: v.fallback(v.picklist(FAILURE_CODES), 'internal'),
  status: v.exactOptional(v.pipe(v.number(), v.integer())),
  serviceMessage: v.exactOptional(v.string()),
  fieldErrors: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  reason: v.exactOptional(v.string()),
  retryAt: v.exactOptional(time),
  maySend: v.boolean(),
};
/** The id of a reply's message; empty if the message was lost together with the start of the reply. */
export const messageId = v.union([id, v.literal('')]);
export const ending = v.picklist(['complete', 'stopped', 'interrupted', 'failed']);
export const usage = v.object({ tokens: v.exactOptional(v.number()), credits: v.exactOptional(v.number()) });
export const sourceProperties = {
  id: v.exactOptional(v.string()),
  name: v.string(),
  url: v.exactOptional(v.string()),
};
export const uploadState = v.picklist([
  'queued',
  'signing',
  'uploading',
  'registering',
  'attached',
  'failed',
  'cancelled',
]);
export const uploadStep = v.picklist(['signing', 'uploading', 'registering']);

// Loose, so that properties added by a newer Parley are preserved.
const failureSchema = v.looseObject(failureProperties);

const replyProperties = {
  kind: v.literal('reply'),
  id,
  messageId,
  bot: v.string(),
  at: time,
  ending: v.exactOptional(ending),
  failure: v.exactOptional(failureSchema),
  skipped: v.exactOptional(v.literal(true)),
  sources: v.exactOptional(v.array(v.looseObject(sourceProperties))),
  usage: v.exactOptional(usage),
  webSearch: v.exactOptional(v.literal(true)),
  remoteId: v.exactOptional(v.string()),
  whole: v.exactOptional(v.string()),
};

const turnSchema: v.GenericSchema<unknown, Turn> = v.variant('kind', [
  v.looseObject({
    kind: v.literal('message'),
    id,
    text: v.string(),
    at: time,
    webSearch: v.exactOptional(v.literal(true)),
    remoteId: v.exactOptional(v.string()),
    // An unknown value from a newer Parley must not count as an agent's, which could continue the
    // conversation.
    via: v.exactOptional(v.fallback(v.picklist(['chat', 'tool']), 'chat')),
  }),
  v.looseObject({ ...replyProperties, text: v.string() }),
  v.looseObject({
    kind: v.literal('document'),
    id,
    name: v.string(),
    size,
    sent: size,
    at: time,
    state: uploadState,
    failure: v.exactOptional(failureSchema),
    failedAt: v.exactOptional(uploadStep),
    waitsUntil: v.exactOptional(time),
    unsaved: v.exactOptional(v.literal(true)),
    status: v.exactOptional(v.string()),
    file: v.exactOptional(v.picklist(['changed', 'gone'])),
    updateOnSave: v.exactOptional(v.literal(true)),
    replaces: v.exactOptional(v.string()),
    uri: v.exactOptional(v.string()),
    sha256: v.exactOptional(v.string()),
    documentId: v.exactOptional(v.string()),
    acceptedAt: v.exactOptional(time),
  }),
]);

export const aboutProperties = {
  name: v.exactOptional(v.string()),
  bot: v.exactOptional(v.object({ id: v.string(), name: v.string() })),
  remote: v.exactOptional(
    v.object({ baseUrl: v.string(), id: v.string(), gone: v.exactOptional(v.literal(true)) }),
  ),
  pinned: v.exactOptional(v.boolean()),
  unread: v.exactOptional(v.boolean()),
};

const recordSchema: v.GenericSchema<unknown, TranscriptRecord> = v.variant('type', [
  v.object({ type: v.literal('chunk'), turnId: id, text: v.string() }),
  v.object({
    type: v.literal('turn'),
    turn: turnSchema,
    before: v.exactOptional(v.string()),
    replaces: v.exactOptional(v.literal(true)),
  }),
  v.object({ type: v.literal('turnRemoved'), turnId: id }),
  v.object({ type: v.literal('ended'), turn: v.looseObject(replyProperties), at: time }),
  v.object({ type: v.literal('about'), ...aboutProperties }),
]);

const headerSchema: v.GenericSchema<unknown, Header> = v.object({
  parley: v.literal(FORMAT_VERSION),
  id: v.string(),
  createdAt: time,
});

const newerVersionSchema = v.object({ parley: v.pipe(v.number(), v.gtValue(FORMAT_VERSION)) });
