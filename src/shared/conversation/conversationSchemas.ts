import * as v from 'valibot';

/**
 * The properties of a conversation that are both stored and shown, defined once: the types of the page (viewModel.ts), the stored
 * records and the exported file come from here. What only the host knows is in `chat/model`.
 */

/** An ID that Parley created. Limited to the length that the host accepts from the page. */
export const id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
/** ms since the epoch, limited to valid dates: a page that shows another value throws. */
export const time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));
/** Bytes. */
export const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A property that is either true or missing. */
export const flag = v.exactOptional(v.literal(true));

/** The type of what a schema returns, read-only throughout. */
export type Infer<S extends v.GenericSchema> = Immutable<v.InferOutput<S>>;

/** The type of an object with these properties. */
export type InferObject<E extends v.ObjectEntries> = Infer<v.ObjectSchema<E, undefined>>;

type Immutable<T> = T extends Uint8Array
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

/** `baseUrl`: that of the bot's service; absent if it was stored by a version that knew one service only. */
export const botSchema = v.object({ id: v.string(), name: v.string(), baseUrl: v.exactOptional(v.string()) });

/** An ID of a conversation, which is also a file name in the store. */
export const conversationId = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));

/** A link between a conversation and one that was forked from it. */
export const forkLinkSchema = v.object({
  /** ID of the other conversation, which may have been deleted since. */
  id: conversationId,
  /** Its name when the fork was created. */
  name: v.string(),
  /** The last turn of the original that is in the fork's transcript. */
  turnId: id,
});

/** The link of a fork to its original. `forkName`: the name that the fork got when it was created. */
const forkedFromSchema = v.object({ ...forkLinkSchema.entries, forkName: v.exactOptional(v.string()) });

/** The links of a conversation to its forks and to the one that it was forked from. */
export const forkProperties = {
  forkedFrom: v.exactOptional(forkedFromSchema),
  forks: v.exactOptional(v.array(forkLinkSchema)),
};

/** The workspace in which a conversation was started. `id`: its URI. */
export const workspaceSchema = v.object({ id: v.string(), name: v.string() });

/** A reply's ending. A reply without one is still streaming. */
export const endingSchema = v.picklist(['complete', 'stopped', 'interrupted', 'failed']);

/** The cost of a reply, as reported by the service. */
export const usageSchema = v.object({
  tokens: v.exactOptional(v.number()),
  credits: v.exactOptional(v.number()),
});

export const documentStateSchema = v.picklist([
  'queued',
  'signing',
  'uploading',
  'registering',
  'attached',
  'failed',
  'cancelled',
]);

/** The properties of a kind of turn. All are stored, but only the `exported` ones are in an exported file. */
export interface TurnProperties {
  readonly exported: v.ObjectEntries;
  readonly local: v.ObjectEntries;
}

/** The type of a turn with these properties. */
export type InferTurn<P extends TurnProperties> = InferObject<P['exported'] & P['local']>;

/** A message of the user. */
export const messageProperties = {
  exported: { kind: v.literal('message'), id, text: v.string(), at: time },
  local: {
    /** Sent with web search: the reply arrives all at once. */
    webSearch: flag,
    /** The name of the agent that asked instead of the user. It chose the name itself. */
    agent: v.exactOptional(v.string()),
  },
};

/** A reply of the bot. */
export const replyProperties = {
  exported: {
    kind: v.literal('reply'),
    id,
    bot: v.string(),
    text: v.string(),
    at: time,
    ending: v.exactOptional(endingSchema),
    /** Parts of the stream couldn't be read and were left out. */
    skipped: flag,
    /** Reported by some services, some time after the end. */
    usage: v.exactOptional(usageSchema),
  },
  local: {
    /** The bot was asked to search the web. */
    webSearch: flag,
  },
};

/** A document uploaded to the conversation, or on its way. */
export const documentProperties = {
  exported: {
    kind: v.literal('document'),
    id,
    /** Its name on the service. */
    name: v.string(),
    size,
    /** Bytes sent so far during the upload. */
    sent: size,
    at: time,
    state: documentStateSchema,
  },
  local: {
    /** The service asked to wait: the upload continues by itself at this time. */
    waitsUntil: v.exactOptional(time),
    /** The uploaded content is that of an unsaved editor. */
    unsaved: flag,
    /** The service's own word for the document's status, such as `syncing`. */
    status: v.exactOptional(v.string()),
    /** Set if its file was changed or deleted since the upload. */
    file: v.exactOptional(v.picklist(['changed', 'gone'])),
    /** Uploaded again whenever its file changes. */
    updateOnSave: flag,
    /** ID of the document that this one replaces. */
    replaces: v.exactOptional(v.string()),
  },
};

/** A piece of context that is appended to a message's text. */
export const chipSchema = v.object({
  id: v.string(),
  kind: v.picklist(['selection', 'file', 'problems', 'terminal', 'diff']),
  /** A description of its content, such as a file and its lines. */
  name: v.string(),
  /** The text added to the message: a line that names the origin, and a fenced code block. */
  text: v.string(),
});

/** The text in the editor of a queued message, as far as it differs from the message. */
export const queuedEditSchema = v.object({ messageId: id, text: v.string() });

/** The contents of a composer other than the draft. */
export const composerStateSchema = v.object({
  context: v.array(chipSchema),
  /** Whether messages of this conversation are sent with web search. */
  webSearch: v.boolean(),
  /** Absent if it was saved or discarded. */
  queuedEdit: v.optional(queuedEditSchema),
});

/** A message waiting to be sent. */
export const queuedMessageProperties = {
  id,
  text: v.string(),
  context: v.array(chipSchema),
  webSearch: flag,
};

/** What to do with a text that is too long for one message. */
export const overflowSchema = v.picklist(['document', 'split']);

/** When to send a message: as soon as the conversation's documents are ready, or at once. */
export const sendTimeSchema = v.picklist(['ready', 'now']);

/** An action offered by a notice about a conversation. */
export const noticeActionSchema = v.picklist([
  'takeOver',
  'startAnew',
  'tryAgain',
  'showLog',
  'continueHere',
  'addService',
]);
