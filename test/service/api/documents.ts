import { countConversions, isListed } from '../conversions';
import { isIssueFault } from '../faults/faults';
import { HttpError } from '../http/http';
import type { Conversation, ServiceDocument } from '../records';
import {
  createId,
  deleteDocument,
  getUnixSeconds,
  listConversationDocuments,
  type ServiceState,
} from '../state';
import { storeObject } from '../storage/objectStore';
import {
  type ApiCall,
  findOrThrow,
  matchesKeyword,
  type Route,
  readConversationFilter,
  Validation,
} from './apiCall';
import { paginate } from './pages';
import { getListedName, toDocument } from './shapes';
import { getExtension } from './uploads';

const ACCEPTED_EXTENSIONS = ['txt', 'md', 'rtf', 'pdf', 'ppt', 'pptx', 'pptm', 'doc', 'docx', 'docm'];
const MAX_TEXT_BYTES = 768 * 1024;

/**
 * Matches characters that a plain file name can't contain: path separators, control characters and bidi
 * overrides.
 */
const UNSAFE_NAME = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

function checkFileName(fields: Validation, name: string): void {
  if (UNSAFE_NAME.test(name)) fields.fail('file_name', 'The file name must be a plain name.');
  if (!ACCEPTED_EXTENSIONS.includes(getExtension(name))) {
    fields.fail(
      'file_name',
      `The file name must have one of these extensions: ${ACCEPTED_EXTENSIONS.join(', ')}.`,
    );
  }
}

function readFolder(state: ServiceState, fields: Validation, required = false): string | null {
  const id = required ? fields.requireString('folder_id') : fields.optionalString('folder_id');
  if (id && !state.folders.has(id)) {
    fields.fail('folder_id', 'The selected folder id is invalid.');
  }
  return id ?? null;
}

/** Accepts an uploaded file. Its document is listed and converted later, as the settings say. */
async function acceptFile({ state, body }: ApiCall): Promise<ServiceDocument> {
  const fields = new Validation(body);
  const { maxUploadBytes, objectStorage, listingMs, conversionMs, requiresFolder } = state.settings;
  const key = fields.requireString('key');
  const name = fields.requireString('file_name');
  const conversationId = fields.requireString('conversation_id');
  const folder_id = readFolder(state, fields, requiresFolder);
  const bytes = objectStorage ? await objectStorage.read(key) : state.objects.get(key);
  const contentType = state.uploads.get(key)?.contentType ?? '';
  if (name) checkFileName(fields, name);
  if (key && !bytes) fields.fail('key', 'The selected key is invalid: nothing was uploaded there.');
  if (bytes && bytes.length > maxUploadBytes) {
    fields.fail('file_size', `The file must not be greater than ${maxUploadBytes} bytes.`);
  }
  if (bytes && !/^(text|application)\//.test(contentType)) {
    fields.fail('content_type', `Files of type ${contentType} are not accepted.`);
  }
  const conversation = state.conversations.get(conversationId);
  if (conversationId && !conversation) {
    fields.fail('conversation_id', 'The selected conversation id is invalid.');
  }
  fields.check();
  if (countConversions(state) >= state.settings.maxConversions) {
    throw new HttpError(429, 'You have reached the limit of files that are processed simultaneously.');
  }
  const fails = state.faults.take('POST /documents/file', isIssueFault)?.name === 'conversion-fails';
  const times = { listedAt: state.now() + listingMs, convertedAt: state.now() + conversionMs };
  const result = fails ? 'sync_failed' : 'synced';
  return addDocument(state, { name, key, folder_id, result, ...times }, conversation);
}

/** Creates a document from text, which needs no conversion. */
function createTextDocument({ state, body }: ApiCall): ServiceDocument {
  const fields = new Validation(body);
  const name = fields.requireString('name');
  const content = fields.requireString('content');
  const folder_id = readFolder(state, fields);
  if (Buffer.byteLength(content) > MAX_TEXT_BYTES) {
    fields.fail('content', `The content field must not be greater than ${MAX_TEXT_BYTES} bytes.`);
  }
  fields.check();
  const key = storeObject(state, { fileName: name, contentType: 'text/plain' }, Buffer.from(content));
  return addDocument(state, { name, key, folder_id, result: 'synced', listedAt: 0, convertedAt: 0 });
}

function addDocument(
  state: ServiceState,
  fields: Omit<ServiceDocument, 'id' | 'conversation_id' | 'created_at'>,
  conversation?: Conversation,
): ServiceDocument {
  const id = createId(state);
  const document = {
    ...fields,
    id,
    conversation_id: conversation?.id ?? '',
    created_at: getUnixSeconds(state),
  };
  state.documents.set(id, document);
  if (conversation) conversation.document_ids = [...conversation.document_ids, id];
  return document;
}

function findListed({ state, id }: ApiCall): ServiceDocument {
  return findOrThrow(state.documents, id, 'document', (document) => isListed(state, document));
}

export const documentRoutes: readonly Route[] = [
  {
    operation: 'POST /documents/file',
    handle: async (call) => ({ body: { data: toDocument(call.state, await acceptFile(call)) } }),
  },
  {
    operation: 'POST /documents',
    handle: (call) => ({ body: { data: toDocument(call.state, createTextDocument(call)) } }),
  },
  {
    operation: 'GET /documents',
    handle(call) {
      const { state, query } = call;
      const id = readConversationFilter(call, 'GET /documents');
      const folder = query.get('folder_id');
      const documents = id ? listConversationDocuments(state, id) : [...state.documents.values()];
      const found = documents.filter(
        (document) =>
          isListed(state, document) &&
          (!folder || document.folder_id === folder) &&
          matchesKeyword(query, getListedName(state, document)),
      );
      const { data, ...rest } = paginate(call, found);
      return { body: { data: data.map((document) => toDocument(state, document)), ...rest } };
    },
  },
  {
    operation: 'GET /documents/{id}',
    handle: (call) => ({ body: { data: toDocument(call.state, findListed(call)) } }),
  },
  {
    operation: 'DELETE /documents/{id}',
    handle(call) {
      const document = findListed(call);
      deleteDocument(call.state, document);
      return { body: { data: toDocument(call.state, document) } };
    },
  },
];
