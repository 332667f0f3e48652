import * as v from 'valibot';
import { MAX_CHUNK_BYTES, type ToHost } from '../../shared/protocol';

const id = v.pipe(v.string(), v.maxLength(100));
/** In code units: far above what a user types, far below what the host can't handle. */
const text = v.pipe(v.string(), v.maxLength(5_000_000));
const path = v.pipe(v.string(), v.maxLength(1000));
/** A line of a file, starting at 1. */
const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const overflow = v.picklist(['document', 'split']);
const ofConversation = { conversationId: id };
const ofTurn = { conversationId: id, turnId: id };
const ofDocument = { conversationId: id, documentId: v.pipe(v.string(), v.maxLength(1000)) };
const ofQueued = { conversationId: id, messageId: id };

/** The schema of a page's messages: the page shows untrusted text, so its messages are untrusted too. */
export const intentSchema: v.GenericSchema<unknown, ToHost> = v.variant('type', [
  v.strictObject({ type: v.literal('ready') }),
  v.strictObject({ type: v.literal('focused'), on: v.boolean() }),
  v.strictObject({
    type: v.literal('send'),
    ...ofConversation,
    text,
    context: v.exactOptional(v.pipe(v.array(id), v.maxLength(100))),
    overflow: v.exactOptional(overflow),
    time: v.exactOptional(v.picklist(['ready', 'now'])),
  }),
  v.strictObject({ type: v.literal('sendQueued'), ...ofQueued }),
  v.strictObject({ type: v.literal('editQueued'), ...ofConversation, messageId: v.exactOptional(id) }),
  v.strictObject({ type: v.literal('changeQueued'), ...ofQueued, text }),
  v.strictObject({ type: v.literal('removeQueued'), ...ofQueued }),
  v.strictObject({ type: v.literal('moveQueued'), ...ofQueued, step: v.picklist([-1, 1]) }),
  v.strictObject({ type: v.literal('resumeQueue'), ...ofConversation }),
  v.strictObject({ type: v.literal('addContext'), ...ofConversation }),
  v.strictObject({ type: v.literal('removeContext'), ...ofConversation, chipId: id }),
  v.strictObject({ type: v.literal('setWebSearch'), ...ofConversation, on: v.boolean() }),
  v.strictObject({ type: v.literal('setOverflow'), overflow: v.exactOptional(overflow) }),
  v.strictObject({ type: v.literal('stop'), ...ofConversation }),
  v.strictObject({ type: v.literal('retry'), ...ofTurn }),
  v.strictObject({ type: v.literal('cancelUpload'), ...ofTurn }),
  v.strictObject({ type: v.literal('draft'), ...ofConversation, text }),
  v.strictObject({ type: v.literal('openConversation'), ...ofConversation }),
  v.strictObject({ type: v.literal('listService'), keyword: v.pipe(v.string(), v.maxLength(1000)) }),
  v.strictObject({ type: v.literal('openFromService'), remoteId: v.pipe(v.string(), v.maxLength(1000)) }),
  v.strictObject({ type: v.literal('showWhole'), ...ofTurn }),
  v.strictObject({ type: v.literal('renameConversation'), ...ofConversation }),
  v.strictObject({ type: v.literal('changeBot'), ...ofConversation }),
  v.strictObject({ type: v.literal('deleteConversation'), ...ofConversation }),
  v.strictObject({ type: v.literal('pinConversation'), ...ofConversation, pinned: v.boolean() }),
  v.strictObject({ type: v.literal('search'), query: v.pipe(v.string(), v.maxLength(1000)) }),
  v.strictObject({ type: v.literal('openTurn'), ...ofTurn }),
  v.strictObject({
    type: v.literal('noticeAction'),
    ...ofConversation,
    action: v.picklist(['takeOver', 'startAnew', 'tryAgain', 'showLog']),
  }),
  v.strictObject({ type: v.literal('attach'), ...ofConversation }),
  v.strictObject({ type: v.literal('retryAsText'), ...ofTurn }),
  v.strictObject({ type: v.literal('removeDocument'), ...ofTurn }),
  v.strictObject({ type: v.literal('openDocument'), ...ofTurn }),
  v.strictObject({ type: v.literal('openServiceDocument'), ...ofDocument }),
  v.strictObject({ type: v.literal('removeServiceDocument'), ...ofDocument }),
  v.strictObject({ type: v.literal('updateDocument'), ...ofTurn }),
  v.strictObject({ type: v.literal('updateOnSave'), ...ofTurn, on: v.boolean() }),
  v.strictObject({ type: v.literal('includeDocument'), ...ofTurn, on: v.boolean() }),
  v.strictObject({ type: v.literal('includeServiceDocument'), ...ofDocument, on: v.boolean() }),
  v.strictObject({
    type: v.literal('dropUris'),
    ...ofConversation,
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(10_000))), v.maxLength(1000)),
  }),
  v.strictObject({
    type: v.literal('uploadBegin'),
    ...ofConversation,
    uploadId: id,
    files: v.pipe(
      v.array(
        v.strictObject({
          name: v.pipe(v.string(), v.maxLength(1000)),
          size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
        }),
      ),
      v.maxLength(100),
    ),
    folders: v.boolean(),
  }),
  v.strictObject({
    type: v.literal('uploadChunk'),
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
  v.strictObject({
    type: v.literal('openSource'),
    ...ofTurn,
    index: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  v.strictObject({ type: v.literal('copy'), text }),
  v.strictObject({ type: v.literal('insertAtCursor'), text }),
  v.strictObject({ type: v.literal('replaceSelection'), text }),
  v.strictObject({ type: v.literal('runInTerminal'), text }),
  v.strictObject({
    type: v.literal('reviewChange'),
    path,
    text,
    lines: v.exactOptional(v.strictTuple([line, line])),
  }),
  v.strictObject({ type: v.literal('checkPaths'), paths: v.pipe(v.array(path), v.maxLength(200)) }),
  v.strictObject({ type: v.literal('openFile'), path, line: v.exactOptional(line) }),
  v.strictObject({ type: v.literal('newFile'), text, language: v.pipe(v.string(), v.maxLength(100)) }),
]);
