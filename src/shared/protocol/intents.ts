import * as v from 'valibot';
import { botSchema, type Infer, size, time } from '../conversation/conversationSchemas';
import { MAX_MENTION_QUERY_LENGTH, mentionSchema } from '../conversation/mention';
import { MESSAGE_LIMIT } from '../conversation/message';

/** Maximum size of the bytes in an `uploadChunk`. */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * Creates the schema of what the page asks of the host. Only intents: no command ids and no URLs to fetch. The
 * page shows untrusted text, so its messages are untrusted too. Those with a `requestId` are requests, which get
 * one response; those with a `subscriptionId` are subscriptions, which get responses until `unsubscribe`. The
 * types below are inferred from this schema. It is a function so that the page's bundle doesn't include it:
 * bundlers keep calls at the top level of a module.
 */
export function createIntentSchema() {
  const id = v.pipe(v.string(), v.maxLength(100));
  /** In code units: far above what a user types, far below what the host can't handle. */
  const text = v.pipe(v.string(), v.maxLength(5_000_000));
  const path = v.pipe(v.string(), v.maxLength(1000));
  /** A line of a file, starting at 1. */
  const line = v.pipe(v.number(), v.integer(), v.minValue(1));
  const overflow = v.picklist(['document', 'split']);
  const ofConversation = { conversationId: id };
  const ofConversations = { conversationIds: v.pipe(v.array(id), v.maxLength(100_000)) };
  const ofTurn = { conversationId: id, turnId: id };
  const ofDocument = { conversationId: id, documentId: v.pipe(v.string(), v.maxLength(1000)) };
  const ofQueued = { conversationId: id, messageId: id };
  return v.variant('type', [
    /** The page has loaded or has missed a delta, and needs a snapshot. */
    v.strictObject({
      type: v.literal('ready'),
      /** In px; set when it has loaded. */
      width: v.exactOptional(v.number()),
    }),
    /** The page got or lost the keyboard focus. */
    v.strictObject({ type: v.literal('focused'), on: v.boolean() }),
    v.strictObject({
      type: v.literal('send'),
      ...ofConversation,
      text,
      /** Ids of the chips to include; absent if the message doesn't come from the composer. */
      context: v.exactOptional(v.pipe(v.array(id), v.maxLength(100))),
      /** What to do with a text that is too long for one message; without it such a text isn't sent. */
      overflow: v.exactOptional(overflow),
      /** Whether to wait for documents that are being converted; `ready` by default. */
      time: v.exactOptional(v.picklist(['ready', 'now'])),
    }),
    /** Sends a queued message before all others, whatever it waits for, and stops a streaming reply. */
    v.strictObject({ type: v.literal('sendQueued'), ...ofQueued }),
    /** Starts editing a queued message, which isn't sent meanwhile; without `messageId`, ends editing. */
    v.strictObject({ type: v.literal('editQueued'), ...ofConversation, messageId: v.exactOptional(id) }),
    /** Stores the text in the editor of a queued message, so that it isn't lost with the page. */
    v.strictObject({ type: v.literal('draftQueued'), ...ofQueued, text }),
    /** Changes the text of a queued message. */
    v.strictObject({ type: v.literal('changeQueued'), ...ofQueued, text }),
    v.strictObject({ type: v.literal('removeQueued'), ...ofQueued }),
    /** Moves a queued message up (-1) or down (1) by one place. */
    v.strictObject({ type: v.literal('moveQueued'), ...ofQueued, step: v.picklist([-1, 1]) }),
    /** Resumes a paused queue. */
    v.strictObject({ type: v.literal('resumeQueue'), ...ofConversation }),
    /** Requests the prompts that can be inserted into a message. */
    v.strictObject({ type: v.literal('listPrompts'), requestId: id }),
    /** Requests the text of a prompt, for the composer of a conversation. */
    v.strictObject({ type: v.literal('usePrompt'), requestId: id, ...ofConversation, promptId: path }),
    /** Saves a message as a prompt, after asking for a name. */
    v.strictObject({ type: v.literal('savePrompt'), ...ofTurn }),
    /** Lets the user edit and delete prompts. */
    v.strictObject({ type: v.literal('managePrompts') }),
    /** Searches what can be mentioned in a message; each response has all that was found so far. */
    v.strictObject({
      type: v.literal('findMentions'),
      subscriptionId: id,
      ...ofConversation,
      /** A new id each time that the list is opened: the host then looks at the workspace again. */
      listId: id,
      query: v.pipe(v.string(), v.maxLength(MAX_MENTION_QUERY_LENGTH)),
    }),
    /** Requests that a mention from such a response is added as a chip, or uploaded if it has more than `room` characters. */
    v.strictObject({
      type: v.literal('useMention'),
      requestId: id,
      ...ofConversation,
      mentionId: id,
      room: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MESSAGE_LIMIT)),
    }),
    /** Asks the user what to add to the next message. */
    v.strictObject({ type: v.literal('addContext'), ...ofConversation }),
    v.strictObject({ type: v.literal('removeContext'), ...ofConversation, chipId: id }),
    v.strictObject({ type: v.literal('setWebSearch'), ...ofConversation, on: v.boolean() }),
    /** Saves what to do with long texts; without `overflow`, the user is asked again. */
    v.strictObject({ type: v.literal('setOverflow'), overflow: v.exactOptional(overflow) }),
    v.strictObject({ type: v.literal('stop'), ...ofConversation }),
    /** Retries what failed: the message of a reply, or a document's upload from the step that failed. */
    v.strictObject({ type: v.literal('retry'), ...ofTurn }),
    v.strictObject({ type: v.literal('cancelUpload'), ...ofTurn }),
    /** Reads the service's documents of a conversation again. */
    v.strictObject({ type: v.literal('listDocuments'), ...ofConversation }),
    v.strictObject({ type: v.literal('draft'), ...ofConversation, text }),
    v.strictObject({ type: v.literal('openConversation'), ...ofConversation }),
    /** Requests the service's conversations that match a keyword and aren't stored here, newest first. */
    v.strictObject({
      type: v.literal('listService'),
      requestId: id,
      keyword: v.pipe(v.string(), v.maxLength(1000)),
    }),
    /** Opens a conversation of the service. */
    v.strictObject({ type: v.literal('openFromService'), remoteId: v.pipe(v.string(), v.maxLength(1000)) }),
    /** Fetches the whole of a reply that was interrupted. */
    v.strictObject({ type: v.literal('showWhole'), ...ofTurn }),
    v.strictObject({ type: v.literal('renameConversation'), ...ofConversation }),
    v.strictObject({ type: v.literal('changeBot'), ...ofConversation }),
    /**
     * Requests a conversation with the transcript up to a turn. With a draft, which replaces the message of the turn,
     * the transcript ends before it.
     */
    v.strictObject({
      type: v.literal('forkConversation'),
      requestId: id,
      ...ofTurn,
      draft: v.exactOptional(text),
    }),
    v.strictObject({ type: v.literal('deleteConversations'), ...ofConversations }),
    v.strictObject({ type: v.literal('archiveConversations'), ...ofConversations, archived: v.boolean() }),
    /** Exports conversations to files, after asking where. */
    v.strictObject({ type: v.literal('exportConversations'), ...ofConversations }),
    v.strictObject({ type: v.literal('pinConversation'), ...ofConversation, pinned: v.boolean() }),
    /** Searches turns for words; each response has what was found so far. */
    v.strictObject({
      type: v.literal('search'),
      subscriptionId: id,
      query: v.pipe(v.string(), v.maxLength(1000)),
    }),
    /** Ends a subscription. */
    v.strictObject({ type: v.literal('unsubscribe'), subscriptionId: id }),
    /** Opens a conversation at a turn. */
    v.strictObject({ type: v.literal('openTurn'), ...ofTurn }),
    v.strictObject({
      type: v.literal('noticeAction'),
      ...ofConversation,
      action: v.picklist(['takeOver', 'startAnew', 'tryAgain', 'showLog', 'continueHere']),
    }),
    /** Lets the user pick files to upload to the conversation. */
    v.strictObject({ type: v.literal('attach'), ...ofConversation }),
    /** Uploads a document as plain text after the service refused its type. */
    v.strictObject({ type: v.literal('retryAsText'), ...ofTurn }),
    /** Lets the user choose the folder on the service that files are uploaded to. */
    v.strictObject({ type: v.literal('chooseUploadFolder') }),
    /** Removes a document that wasn't attached from the list. */
    v.strictObject({ type: v.literal('removeDocument'), ...ofTurn }),
    /** Opens the file of a document. */
    v.strictObject({ type: v.literal('openDocument'), ...ofTurn }),
    /** Opens the address of a document that only the service has, after VS Code's confirmation. */
    v.strictObject({ type: v.literal('openServiceDocument'), ...ofDocument }),
    /** Removes such a document from the service, after a confirmation. */
    v.strictObject({ type: v.literal('removeServiceDocument'), ...ofDocument }),
    /** Uploads the file of a document again. */
    v.strictObject({ type: v.literal('updateDocument'), ...ofTurn }),
    v.strictObject({ type: v.literal('updateOnSave'), ...ofTurn, on: v.boolean() }),
    /** Changes whether the bot may answer from a document. */
    v.strictObject({ type: v.literal('includeDocument'), ...ofTurn, on: v.boolean() }),
    v.strictObject({ type: v.literal('includeServiceDocument'), ...ofDocument, on: v.boolean() }),
    /** Uploads dropped files and folders, given by VS Code as URIs. */
    v.strictObject({
      type: v.literal('dropUris'),
      ...ofConversation,
      uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(10_000))), v.maxLength(1000)),
    }),
    /**
     * Starts an upload of files whose bytes follow, file by file: a chunk after each response, then `uploadEnd`.
     * Ends an earlier upload of the page. `folders`: folders were left out, because a page can't read them.
     */
    v.strictObject({
      type: v.literal('uploadBegin'),
      requestId: id,
      ...ofConversation,
      uploadId: id,
      files: v.pipe(
        v.array(
          v.strictObject({
            name: v.pipe(v.string(), v.maxLength(1000)),
            size,
          }),
        ),
        v.maxLength(100),
      ),
      folders: v.boolean(),
    }),
    v.strictObject({
      type: v.literal('uploadChunk'),
      requestId: id,
      uploadId: id,
      bytes: v.custom<Uint8Array<ArrayBuffer>>(
        (value) => value instanceof Uint8Array && value.byteLength <= MAX_CHUNK_BYTES,
      ),
    }),
    v.strictObject({ type: v.literal('uploadEnd'), uploadId: id }),
    v.strictObject({ type: v.literal('setBaseUrl') }),
    v.strictObject({ type: v.literal('setApiKey') }),
    v.strictObject({ type: v.literal('chooseBot') }),
    v.strictObject({ type: v.literal('showLog') }),
    v.strictObject({ type: v.literal('openLink'), href: v.pipe(v.string(), v.maxLength(10_000)) }),
    /** Opens one of a reply's sources. */
    v.strictObject({
      type: v.literal('openSource'),
      ...ofTurn,
      index: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
    v.strictObject({ type: v.literal('copy'), text }),
    v.strictObject({ type: v.literal('insertAtCursor'), text }),
    v.strictObject({ type: v.literal('replaceSelection'), text }),
    /** Inserts shell commands at the terminal's prompt without running them. */
    v.strictObject({ type: v.literal('runInTerminal'), text }),
    /** Shows a change to a workspace file for review. Without `lines`, the text is the whole file. */
    v.strictObject({
      type: v.literal('reviewChange'),
      path,
      text,
      /** First and last line to replace, from 1. */
      lines: v.exactOptional(v.strictTuple([line, line])),
    }),
    /** Requests which of these are files of the workspace. */
    v.strictObject({
      type: v.literal('checkPaths'),
      requestId: id,
      paths: v.pipe(v.array(path), v.maxLength(200)),
    }),
    /** Opens a file of the workspace; lines count from 1. */
    v.strictObject({ type: v.literal('openFile'), path, line: v.exactOptional(line) }),
    /** Draws a Mermaid diagram in an editor tab. */
    v.strictObject({ type: v.literal('openDiagram'), text }),
    v.strictObject({ type: v.literal('newFile'), text, language: v.pipe(v.string(), v.maxLength(100)) }),
  ]);
}

const text = v.string();

/** The schemas of what the host responds to requests and subscriptions: a missing one is a compile error. */
export const responseSchemas = {
  listService: v.array(v.object({ id: text, name: text, bot: botSchema, at: v.exactOptional(time) })),
  search: v.object({
    /** Newest conversation first. */
    hits: v.array(
      v.object({
        conversationId: text,
        turnId: text,
        name: text,
        bot: botSchema,
        at: time,
        before: text,
        match: text,
        after: text,
      }),
    ),
    done: v.boolean(),
  }),
  listPrompts: v.array(
    v.object({
      id: text,
      name: text,
      description: v.exactOptional(text),
      source: v.picklist(['personal', 'workspace', 'builtIn']),
    }),
  ),
  /** The parts of the prompt; none if it can't be used, which the host has said. */
  usePrompt: v.array(v.object({ text, input: v.exactOptional(text) })),
  findMentions: v.object({
    mentions: v.array(mentionSchema),
    /** Files are still being listed: others may come before these. */
    isSearching: v.boolean(),
  }),
  /** What the mention became; `none` if the user declined or it can't be used, which the host has reported. */
  useMention: v.picklist(['chip', 'upload', 'none']),
  /** Whether the fork was created. If not, the host has said why. */
  forkConversation: v.boolean(),
  /** Whether the host accepts the rest of the upload. */
  uploadBegin: v.boolean(),
  uploadChunk: v.boolean(),
  /** The paths that are files. */
  checkPaths: v.array(text),
} satisfies { [K in RequestName | SubscriptionName]: v.GenericSchema };

/** What the page asks of the host. */
export type ToHost = Infer<ReturnType<typeof createIntentSchema>>;

export type RequestName = Extract<ToHost, { requestId: string }>['type'];
export type SubscriptionName = Exclude<Extract<ToHost, { subscriptionId: string }>['type'], 'unsubscribe'>;

/** Maps the name of each request and subscription to what the page sends and what the host responds. */
export type Exchanges = {
  readonly [K in RequestName | SubscriptionName]: readonly [
    request: Omit<Extract<ToHost, { type: K }>, 'type' | 'requestId' | 'subscriptionId'>,
    response: Infer<(typeof responseSchemas)[K]>,
  ];
};
