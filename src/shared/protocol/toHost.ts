import * as v from 'valibot';
import {
  type InferObject,
  noticeActionSchema,
  overflowSchema,
  sendTimeSchema,
} from '../conversation/conversationSchemas';
import {
  id,
  ofConversation,
  ofTurn,
  path,
  type RequestName,
  type RequestOf,
  requests,
  type SubscriptionName,
  subscriptions,
  text,
} from './requests';

/** A line of a file, starting at 1. */
const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const remoteId = v.pipe(v.string(), v.maxLength(1000));
const ofConversations = { conversationIds: v.pipe(v.array(id), v.maxLength(100_000)) };
const ofDocument = { conversationId: id, documentId: remoteId };
const ofQueued = { conversationId: id, messageId: id };

/** What the page says to the host without waiting for a response: the schemas of each message's properties. */
const statements = {
  /** The page has loaded or has missed a delta, and needs a snapshot. `width`: in px; set when it has loaded. */
  ready: { width: v.exactOptional(v.number()) },
  /** The page got or lost the keyboard focus. */
  focused: { on: v.boolean() },
  send: {
    ...ofConversation,
    text,
    /** Ids of the chips to include; absent if the message doesn't come from the composer. */
    context: v.exactOptional(v.pipe(v.array(id), v.maxLength(100))),
    /** What to do with a text that is too long for one message; without it such a text isn't sent. */
    overflow: v.exactOptional(overflowSchema),
    /** Whether to wait for documents that are being converted; `ready` by default. */
    time: v.exactOptional(sendTimeSchema),
  },
  /** Sends a queued message before all others, whatever it waits for, and stops a streaming reply. */
  sendQueued: ofQueued,
  /** Starts editing a queued message, which isn't sent meanwhile; without `messageId`, ends editing. */
  editQueued: { ...ofConversation, messageId: v.exactOptional(id) },
  /** Stores the text in the editor of a queued message, so that it isn't lost with the page. */
  draftQueued: { ...ofQueued, text },
  /** Changes the text of a queued message. */
  changeQueued: { ...ofQueued, text },
  removeQueued: ofQueued,
  /** Moves a queued message up (-1) or down (1) by one place. */
  moveQueued: { ...ofQueued, step: v.picklist([-1, 1]) },
  resumeQueue: ofConversation,
  /** Saves a message as a prompt, after asking for a name. */
  savePrompt: ofTurn,
  /** Lets the user edit and delete prompts. */
  managePrompts: {},
  /** Asks the user what to add to the next message. */
  addContext: ofConversation,
  removeContext: { ...ofConversation, chipId: id },
  setWebSearch: { ...ofConversation, on: v.boolean() },
  /** Saves what to do with long texts; without `overflow`, the user is asked again. */
  setOverflow: { overflow: v.exactOptional(overflowSchema) },
  stop: ofConversation,
  /** Retries what failed: the message of a reply, or a document's upload from the step that failed. */
  retry: ofTurn,
  cancelUpload: ofTurn,
  /** Reads the service's documents of a conversation again. */
  listDocuments: ofConversation,
  /** Lists the workspace's documents that have changed, and syncs them once the user agrees. */
  syncDocuments: ofConversation,
  /** Doesn't tell again of the documents that have changed so far, on this branch. */
  postponeSync: ofConversation,
  draft: { ...ofConversation, text },
  openConversation: ofConversation,
  /** Opens a conversation of the service. */
  openFromService: { remoteId, baseUrl: v.exactOptional(v.pipe(v.string(), v.maxLength(2000))) },
  /** Fetches the whole of a reply that was interrupted. */
  showWhole: ofTurn,
  renameConversation: ofConversation,
  changeBot: ofConversation,
  deleteConversations: ofConversations,
  archiveConversations: { ...ofConversations, archived: v.boolean() },
  /** Exports conversations to files, after asking where. */
  exportConversations: ofConversations,
  pinConversation: { ...ofConversation, pinned: v.boolean() },
  /** Ends a subscription. */
  unsubscribe: { subscriptionId: id },
  /** Opens a conversation at a turn. */
  openTurn: ofTurn,
  noticeAction: { ...ofConversation, action: noticeActionSchema },
  /** Lets the user pick files to upload to the conversation. */
  attach: ofConversation,
  /** Uploads a document as plain text after the service refused its type. */
  retryAsText: ofTurn,
  /** Lets the user choose the folder on the service that files are uploaded to. */
  chooseUploadFolder: {},
  /** Removes a document that wasn't attached from the list. */
  removeDocument: ofTurn,
  /** Opens the file of a document. */
  openDocument: ofTurn,
  /** Opens the address of a document that only the service has, after VS Code's confirmation. */
  openServiceDocument: ofDocument,
  /** Removes such a document from the service, after a confirmation. */
  removeServiceDocument: ofDocument,
  /** Uploads the file of a document again. */
  updateDocument: ofTurn,
  updateOnSave: { ...ofTurn, on: v.boolean() },
  /** Changes whether the bot may answer from a document. */
  includeDocument: { ...ofTurn, on: v.boolean() },
  includeServiceDocument: { ...ofDocument, on: v.boolean() },
  /** Uploads dropped files and folders, given by VS Code as URIs. */
  dropUris: {
    ...ofConversation,
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(10_000))), v.maxLength(1000)),
  },
  /** All bytes of an upload have been sent. */
  uploadEnd: { uploadId: id },
  /** The user dismissed the earlier answer for this draft, or asks anyway. */
  closeEarlierAnswer: ofConversation,
  setBaseUrl: {},
  manageServices: {},
  setApiKey: {},
  chooseBot: {},
  /** Asks whether to connect to the service that the workspace proposes. */
  connectProposed: {},
  declineProposed: { forWorkspace: v.boolean() },
  showLog: {},
  openLink: { href: v.pipe(v.string(), v.maxLength(10_000)) },
  /** Opens one of a reply's sources. */
  openSource: { ...ofTurn, index: v.pipe(v.number(), v.integer(), v.minValue(0)) },
  /** Shows the file of a source as it was when the reply was made, beside how it is now. */
  showSourceChanges: { ...ofTurn, index: v.pipe(v.number(), v.integer(), v.minValue(0)) },
  /** Uploads the current version of the file of a source. */
  updateSource: { ...ofTurn, index: v.pipe(v.number(), v.integer(), v.minValue(0)) },
  copy: { text },
  insertAtCursor: { text },
  replaceSelection: { text },
  /** Inserts shell commands at the terminal's prompt without running them. */
  runInTerminal: { text },
  /** Shows a change to a workspace file for review. `lines`: first and last line to replace; absent for the whole file. */
  reviewChange: { path, text, lines: v.exactOptional(v.strictTuple([line, line])) },
  /** Opens a file of the workspace. */
  openFile: { path, line: v.exactOptional(line) },
  /** Draws a Mermaid diagram in an editor tab. */
  openDiagram: { text },
  newFile: { text, language: v.pipe(v.string(), v.maxLength(100)) },
} as const;

/** What the page asks of the host. */
export type ToHost =
  | {
      [K in keyof typeof statements]: { readonly type: K } & InferObject<(typeof statements)[K]>;
    }[keyof typeof statements]
  | { [K in RequestName]: { readonly type: K; readonly requestId: string } & RequestOf<K> }[RequestName]
  | {
      [K in SubscriptionName]: { readonly type: K; readonly subscriptionId: string } & RequestOf<K>;
    }[SubscriptionName];

/**
 * The schema of what the page asks of the host. Only intents: no command IDs and no URLs to fetch. The page shows untrusted
 * text, so its messages are untrusted too.
 */
export const toHostSchema = v.variant('type', [
  ...Object.entries(statements).map(([type, properties]) => createSchema(type, properties)),
  ...Object.entries(requests).map(([type, [properties]]) =>
    createSchema(type, { requestId: id, ...properties }),
  ),
  ...Object.entries(subscriptions).map(([type, [properties]]) =>
    createSchema(type, { subscriptionId: id, ...properties }),
  ),
]) as v.GenericSchema as v.GenericSchema<unknown, ToHost>;

function createSchema(type: string, properties: v.ObjectEntries) {
  return v.strictObject({ type: v.literal(type), ...properties });
}
